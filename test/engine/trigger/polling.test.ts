/** Events by polling: each once, nothing lost, and nothing of what was there before. */
import type { IDataObject } from 'n8n-workflow';
import { START } from '../support/names';
import { useBench } from '../support/harness';
import { Poller } from '../support/poller';

const bench = useBench();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const POLLING = { receiveBy: 'polling', events: ['*'] };

const seedPayment = (status: 'NEW' | 'PAID' = 'NEW', ageMs = MINUTE_MS) =>
	bench.sandbox.seed.payment({
		...{ status, amountCents: 12_590, paymentMethod: 'CARD' },
		createdAt: bench.clock.now() - ageMs,
	});
const pay = ({ id }: { id: string }) => bench.sandbox.setPaymentStatus(id, 'PAID');

/** A trigger that has polled once, with a payment that is yet to be paid. */
async function activated(parameters: IDataObject = {}) {
	const payment = seedPayment();
	const poller = new Poller(bench, { ...POLLING, ...(parameters as object) });
	expect(await poller.activate()).toBeNull();
	return { payment, poller };
}

/** A trigger whose payment was paid after its first poll. */
async function paidSince(parameters: IDataObject = {}) {
	const activation = await activated(parameters);
	pay(activation.payment);
	return activation;
}

describe('what is news', () => {
	test('what changes after the activation, and not what was there', async () => {
		seedPayment('PAID');
		const { payment, poller } = await activated();
		expect(await poller.poll()).toBeNull();
		pay(payment);

		const execution = await poller.poll();

		expect(await poller.poll()).toBeNull();
		const { id, txId, payer, description } = payment;
		const time = expect.stringMatching(/Z$/);
		expect(execution?.output(START).map(({ json }) => json)).toEqual([
			{
				...{ event: 'PAYMENT_PAID', source: 'polling', deliveryId: `poll-PAYMENT_PAID-${id}` },
				...{ amount: 125.9, payerName: payer?.name ?? null, description },
				...{ externalId: null, reference: null },
				...{ resourceType: 'payment', paymentId: id, withdrawalId: null, txId },
				...{ status: 'PAID', isTest: false, paidAt: time, sentAt: time, receivedAt: time },
				body: expect.objectContaining({ id, amount: 125.9 }),
			},
		]);
	});

	test.each([
		[['CONFIRMED', 'REFUNDED'], undefined, ['PAYMENT_CONFIRMED', 'PAYMENT_REFUNDED']],
		// The dispute is won: only a webhook shows it.
		[['PAID', 'CHARGEBACK', 'PAID'], undefined, ['PAYMENT_PAID', 'PAYMENT_CHARGEBACK']],
		[['PAID', 'MED_FROZEN'], 'MED_FROZEN', ['PAYMENT_PAID', 'MED_RECEIVED']],
		// No list shows it, only a webhook does.
		[['PAID', 'MED_FROZEN'], 'PAID', ['PAYMENT_PAID']],
	] as const)('a payment that becomes %s (in a MED: %s)', async (statuses, during, events) => {
		if (during) bench.sandbox.dialect.medStatus.during = during;
		const { payment, poller } = await activated();
		for (const status of statuses) {
			bench.sandbox.setPaymentStatus(payment.id, status);
			await poller.poll();
		}
		expect(poller.emitted).toEqual(events.map((event, index) => `${event} ${statuses[index]}`));
	});

	test('events that are selected later begin then', async () => {
		const { payment, poller } = await paidSince({ events: ['PAYMENT_REFUNDED'] });
		expect(await poller.poll()).toBeNull();
		expect(await poller.activate({ events: ['PAYMENT_PAID', 'PAYMENT_REFUNDED'] })).toBeNull();
		bench.sandbox.setPaymentStatus(payment.id, 'REFUNDED');
		await poller.poll();
		expect(poller.emitted).toEqual(['PAYMENT_REFUNDED REFUNDED']);
	});

	test('by webhook in between: what is found when polling is chosen again was there before', async () => {
		const { payment, poller } = await activated();
		bench.sandbox.requests.length = 0;
		expect(await poller.activate({ receiveBy: 'webhook' })).toBeNull();
		expect(bench.requests()).toEqual([]);
		pay(payment);
		expect(await poller.activate({ receiveBy: 'both' })).toBeNull();
	});
});

describe('how far back', () => {
	test('three days, by creation', async () => {
		const [young, old] = [seedPayment('NEW', 2 * DAY_MS), seedPayment('NEW', 4 * DAY_MS)];
		const { poller } = await activated();
		pay(old);
		expect(await poller.poll()).toBeNull();
		pay(young);
		await poller.poll();
		expect(poller.emitted).toHaveLength(1);
	});

	test('with a longer Look Back, what is older than before is known, and what changes then is news', async () => {
		seedPayment('PAID', 10 * DAY_MS);
		const open = seedPayment('NEW', 10 * DAY_MS);
		const { poller } = await activated();
		expect(await poller.activate({ options: { lookBack: 30 } })).toBeNull();
		pay(open);
		const execution = await poller.poll();
		expect(execution?.output(START).map(({ json }) => json.paymentId)).toEqual([open.id]);
	});
});

test('with more rows than one poll reads each payment is found once while 300 new ones come between two polls', async () => {
	for (let index = 0; index < 4_000; index += 1) seedPayment('PAID', DAY_MS + index * 1_000);
	const { poller } = await activated();
	const found: unknown[] = [];
	const pollAgain = async () => {
		bench.clock.advance(MINUTE_MS);
		const execution = await poller.poll();
		found.push(...(execution?.output(START) ?? []).map(({ json }) => json.paymentId));
	};
	// The lists are read to their ends, and what was there is known.
	for (let poll = 0; poll < 3; poll += 1) await pollAgain();
	expect(found).toEqual([]);

	const paid: string[] = [];
	for (let poll = 0; poll < 6; poll += 1) {
		for (let index = 0; index < 300; index += 1) paid.push(seedPayment('PAID', index).id);
		await pollAgain();
	}
	for (let poll = 0; poll < 6; poll += 1) await pollAgain();

	expect(found.toSorted()).toEqual(paid.toSorted());
}, 120_000);

describe('each once', () => {
	const HAPPENED: Record<string, (poller: Poller) => Promise<unknown>> = {
		'that is polled as usual': async (poller) => await poller.poll(),
		'that happened while the workflow was not active': async (poller) => await poller.activate(),
		'that n8n did not live to make an execution of': async (poller) => {
			await poller.pollOnly();
			await poller.restart();
			await poller.restart();
		},
		'whose execution was killed, and is retried after another poll has found it': async (
			poller,
		) => {
			const items = (await poller.pollOnly())![0]!;
			await poller.restart();
			// The execution that n8n lists as crashed had not begun.
			await poller.run(items, { mode: 'retry' });
		},
		'whose poll was overtaken by an update of the workflow': async (poller) => {
			await poller.pollOnly();
			await poller.activate({ events: ['PAYMENT_PAID'] });
		},
		'whose execution n8n could not store, later and not at once': async (poller) => {
			await poller.pollOnly();
			expect(await poller.poll()).toBeNull();
			bench.clock.advance(6 * MINUTE_MS);
			await poller.poll();
			bench.clock.advance(60 * MINUTE_MS);
		},
		'that two polls find at the same time': async (poller) => {
			const polls = await Promise.all([poller.poll(), poller.poll()]);
			expect(polls.filter(Boolean)).toHaveLength(1);
		},
	};

	test.each(Object.entries(HAPPENED))('an event %s', async (_, happen) => {
		const { poller } = await paidSince();
		await happen(poller);
		expect(await poller.poll()).toBeNull();
		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);
	});
});

describe('both ways', () => {
	const BOTH = { receiveBy: 'both' };
	interface Payment {
		id: string;
		txId: string;
	}
	const paid = (payment: Payment, changes: IDataObject = {}) => ({
		event: 'PAYMENT_PAID',
		resourceType: 'payment',
		status: 'PAID',
		paymentId: payment.id,
		txId: payment.txId,
		...changes,
	});

	describe.each<[string, IDataObject]>([
		['id and txId', {}],
		['the id alone', { txId: null }],
		['the txId alone', { paymentId: null }],
	])('a webhook with %s', (_, changes) => {
		test('its retry with other IDs, and polls between and after', async () => {
			const { payment, poller } = await paidSince(BOTH);
			await poller.deliver(paid(payment, changes), { keys: ['one'] });
			expect(await poller.poll()).toBeNull();
			await poller.deliver(paid(payment), { keys: ['one', 'more'] });
			expect((await poller.restart())?.output(START)).toEqual([]);
			expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);
		});

		test('after a poll, then one more on purpose', async () => {
			const { payment, poller } = await paidSince(BOTH);
			await poller.poll();
			expect((await poller.deliver(paid(payment, changes))).output(START)).toEqual([]);
			expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);

			// The dispute was won, or someone has resent it from the dashboard.
			for (const times of [2, 3]) {
				await poller.deliver(paid(payment));
				expect(poller.emitted).toHaveLength(times);
			}
		});
	});

	describe('a delivery that is not believed leaves the event to the polls', () => {
		const foreign = { keys: ['b'], run: 'b', signatures: ['example'] };

		const DISBELIEVED: Record<string, (poller: Poller, payment: Payment) => Promise<void>> = {
			'the signature of another delivery': async (poller, payment) => {
				await poller.deliver(paid(seedPayment('PAID')), { signatures: ['example'] });
				const refused = await poller.deliver(paid(payment), foreign);
				expect(refused.error?.message).toMatch(/used before with another delivery ID/);
			},
			'a status that denies it': async (poller, payment) => {
				const denied = await poller.deliver(paid(payment, { status: 'EXPIRED' }));
				expect(denied.error?.message).toMatch(/signed body is EXPIRED/);
			},
			'being a copy, of which only the body is compared': async (poller, payment) => {
				const confirmed = paid(payment, { event: 'PAYMENT_CONFIRMED' });
				await poller.deliver(confirmed, { keys: ['a'] });
				const copy = await poller.deliver(paid(payment), { keys: ['a'] });
				expect(copy.output(START)).toEqual([]);
			},
		};

		test.each(Object.entries(DISBELIEVED))('for %s', async (_, disbelieve) => {
			const { payment, poller } = await activated(BOTH);
			await disbelieve(poller, payment);
			pay(payment);
			expect((await poller.poll())?.output(START)).toHaveLength(1);
			// The first delivery of what polling has brought.
			expect((await poller.deliver(paid(payment))).output(START)).toEqual([]);
		});
	});
});
