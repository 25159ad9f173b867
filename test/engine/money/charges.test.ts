/** Charges with an External ID: each is created once, by any execution, today or next year. */
import {
	chargeEach,
	chargesOf,
	charging,
	enterInTable,
	expectTrueCharges,
	ONCE,
	ORDERS,
} from '../support/charges';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { dataTables } from '../support/ledger';
import { payEach } from '../support/payouts';
import {
	CONTINUE,
	HOUR,
	killTables,
	MINUTE,
	referenced,
	reviveTables,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';
import { buildWorkflow, type Parameters } from '../support/workflow';

const bench = useBench();
const BOLETO = {
	...{ methods: ['BOLETO'], mode: 'headless' },
	customer: { name: 'Maria Silva', document: CPF },
};
/** The items as they leave the error output. */
const withErrors = ({ json }: Execution) =>
	json.map((item, index) => ({ ...ORDERS[index], ...item }));
const expectTrue = (...executions: Execution[]) => expectTrueCharges(bench, ORDERS, ...executions);
const statusesOf = ({ json }: Execution) => json.map(({ status }) => status as string);
/** The first answers of a run get lost, and so do those of its repetitions. */
async function chargeUnseen(workflow = charging()): Promise<void> {
	await bench.start(workflow, ORDERS, { lost: 'dropAfter' });
	expect(chargesOf(bench)).toEqual(ONCE);
}

it('says that it was created now, and leaves one row in the table', async () => {
	const execution = await bench.start(charging(), ORDERS);

	expect(execution.createdBefore).toEqual([false, false]);
	expectTrue(execution);
	const rows = dataTables().rows();
	expect(rows).toMatchObject([
		{ reference: 'PED-1', status: 'created', kind: 'charge', amount: 50.02, withdrawalId: null },
		{ reference: 'PED-2', status: 'created', kind: 'charge', amount: 50.02, withdrawalId: null },
	]);
	expect(rows.map(({ paymentId }) => paymentId)).toEqual(execution.ids);
});

describe.each([
	['at once', 0],
	['the next day', 25],
	['next year', 365 * 24],
])('run again %s', (_when, hours) => {
	it.each([
		['its PIX code', { methods: ['PIX'], mode: 'headless' }, 'pixCode'],
		['its link', { methods: ['PIX'], mode: 'hosted' }, 'checkoutUrl'],
		['its boleto line', BOLETO, 'boletoLine'],
	])('returns each charge as it is now, with %s', async (_what, more, field) => {
		const workflow = charging({}, more);
		const first = await bench.start(workflow, ORDERS);
		bench.clock.advance(hours * HOUR);
		restart();
		for (const { id } of bench.sandbox.books.payments) bench.sandbox.setPaymentStatus(id, 'PAID');

		const again = await bench.start(workflow, ORDERS);

		expect(again.posts).toBe(0);
		expect(again.ids).toEqual(first.ids);
		expect(again.createdBefore).toEqual([true, true]);
		expect(statusesOf(again)).toEqual(['PAID', 'PAID']);
		for (const [index, item] of again.json.entries()) {
			expect(item[field]).toMatch(/./);
			expect(item[field]).toBe(first.json[index]?.[field]);
		}
	});

	it('finds out what became of charges whose answers were lost', async () => {
		await chargeUnseen();
		bench.clock.advance(hours * HOUR);
		restart();

		const again = await bench.start(charging(), ORDERS);

		expect(chargesOf(bench)).toEqual(ONCE);
		expectTrue(again);
		// After the life of the key, only a list could tell, and it shows what looks alike.
		const isKeyAlive = hours < 24;
		expect(again.codes).toEqual(
			isKeyAlive ? [undefined, undefined] : ['CHARGE_IN_DOUBT', 'CHARGE_IN_DOUBT'],
		);
	});

	it('does not pretend to know how a charge is that it cannot read', async () => {
		await chargeUnseen();
		bench.clock.advance(hours * HOUR);
		for (const { id } of bench.sandbox.books.payments) bench.sandbox.setPaymentStatus(id, 'PAID');
		const apiKey = bench.keyWith('payments:write');

		const credential = { ...bench.credential, apiKey };
		const again = await bench.start(charging(), ORDERS, { credential });

		for (const { error, status, alreadyCreated } of again.json) {
			if (error === undefined) expect([status, alreadyCreated]).toEqual(['UNKNOWN', true]);
		}
		expect(chargesOf(bench)).toEqual(ONCE);
	});

	it('creates what never arrived', async () => {
		await bench.start(charging(), ORDERS, { lost: 'dropBefore' });
		bench.clock.advance(hours * HOUR + 10 * MINUTE);
		restart();

		const again = await bench.start(charging(), ORDERS);

		expect(again.createdBefore).toEqual([false, false]);
		expect(chargesOf(bench)).toEqual(ONCE);
		expectTrue(again);
	});
});

it('goes on under a new key once the stored 502 of a boleto was repeated', async () => {
	const code = 'PROVIDER_TEMPORARILY_UNAVAILABLE';
	bench.sandbox.faults.add({ method: 'POST', kind: 'error', code, times: 2 });

	const execution = await bench.start(charging({}, BOLETO), ORDERS);

	expect(execution.createdBefore).toEqual([false, false]);
	expect(chargesOf(bench)).toEqual(ONCE);
	expect(bench.keys).toHaveLength(4);
	expectTrue(execution);
});

describe('two executions at once', () => {
	it.each<[string, () => void]>([
		['all goes well', () => undefined],
		['the first answer of each is lost', () => void bench.lose('dropAfter', undefined, 2)],
		['requests are lost', () => void bench.lose('dropBefore', undefined, 3)],
		[
			'the table is slow',
			() => {
				dataTables().onStep = async () => {
					for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
				};
			},
		],
	])('create each charge once: %s', async (_how, happen) => {
		happen();
		const workflow = charging();

		const runs = await Promise.all([
			bench.start(workflow, ORDERS),
			bench.start(charging(), ORDERS),
		]);

		expectTrue(...runs);
		for (const count of Object.values(chargesOf(bench))) expect(count).toBe(1);
		const last = await bench.start(workflow, ORDERS);
		expect(last.codes).toEqual([undefined, undefined]);
		expect(chargesOf(bench)).toEqual(ONCE);
		expectTrue(...runs, last);
	});
});

it('is created once although n8n is killed and the execution is retried', async () => {
	const workflow = charging();
	let kill = false;
	killTables(() => kill);
	const found = bench.lose('dropAfter');
	const run = bench.start(workflow, ORDERS);
	await bench.until(() => bench.posts > 0);
	kill = true;
	const killed = await run;
	found();
	reviveTables();
	restart();

	const again = await bench.retryAfterKill(killed);

	expect(again.codes).toEqual([undefined, undefined]);
	expect(chargesOf(bench)).toEqual(ONCE);
	expectTrue(again);
});

describe('what looks alike', () => {
	const elsewhere = async (order?: string) => {
		const additionalFields = order === undefined ? {} : { externalId: order };
		const options = { oncePerExternalId: false };
		await bench.run(chargeEach(options, { additionalFields }), [{ amount: 50.02 }]);
	};

	it('is never taken for the charge, and is named if nobody can tell', async () => {
		await bench.start(charging(), ORDERS, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);
		await elsewhere();
		bench.clock.advance(10 * MINUTE);
		const [other] = bench.sandbox.books.payments;

		const again = await bench.start(charging(), ORDERS);

		expect(again.errors).toMatchObject([
			{ code: 'CHARGE_IN_DOUBT', effect: 'unknown', paymentIds: [other!.id] },
			{ code: 'CHARGE_IN_DOUBT', effect: 'unknown', paymentIds: [other!.id] },
		]);
	});

	it('is left out if it is known to be the charge of another External ID', async () => {
		await bench.start(charging(), ORDERS, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);
		await bench.start(charging(), [{ amount: 50.02, order: 'PED-3' }]);
		bench.clock.advance(10 * MINUTE);

		const again = await bench.start(charging(), ORDERS);

		expect(again.createdBefore).toEqual([false, false]);
		expect(chargesOf(bench)).toEqual({ ...ONCE, 'PED-3': 1 });
	});

	it('does not matter while the key lives', async () => {
		await bench.start(charging(), ORDERS, { lost: 'dropBefore' });
		await elsewhere();
		await elsewhere('PED-9');

		const again = await bench.start(charging(), ORDERS);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(chargesOf(bench)).toEqual({ ...ONCE, 'PED-9': 1 });
		expectTrue(again);
	});
});

it('takes an answer about another amount for no charge of its own', async () => {
	await bench.start(charging(), [{ amount: 70.02, order: 'PED-0' }]);
	const [other] = bench.sandbox.books.payments;
	bench.clock.advance(2 * MINUTE);
	// Something on the way mixes up answers, and times.
	const createdAt = new Date(bench.clock.now()).toISOString();
	const body = { payment: { id: other!.id, status: 'NEW', amount: 70.02, createdAt } };
	bench.sandbox.faults.add({ method: 'POST', kind: 'status', status: 201, body, times: 1 });

	const execution = await bench.start(charging(), [ORDERS[0]!]);

	expect(execution.codes).toEqual(['CHARGE_IN_DOUBT']);
	expect(execution.errors[0]?.message).toContain('Two charges claim the payment');
});

it('takes no payment of another amount for its own that the service has just made for somebody', async () => {
	const options = { oncePerExternalId: false };
	const byCard = { methods: ['CARD'], mode: 'hosted' };
	await bench.run(chargeEach(options, byCard), [{ amount: 31, order: 'PED-1' }]);

	const execution = await bench.start(charging({}, byCard), [{ amount: 32, order: 'PED-1' }]);

	expect(execution.codes).toEqual(['CHARGE_IN_DOUBT']);
	expect(execution.errors[0]?.message).toContain('and a charge of another amount');
});

it('does not charge again what another node charged without its External ID, and nobody knows', async () => {
	const found = bench.lose('dropAfter');
	const options = { oncePerExternalId: false };
	const failed = await bench.run(chargeEach(options), ORDERS, CONTINUE);
	found();

	const execution = await bench.start(charging(), withErrors(failed));

	expect(execution.codes).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
	expect(execution.errors[0]?.message).toContain(
		'carries the error of an attempt without this reference or External ID',
	);
	expect(chargesOf(bench)).toEqual(ONCE);
});

it('takes back an item that it has failed itself, wired back from its error output', async () => {
	const failed = await bench.start(charging(), ORDERS, { lost: 'dropAfter' });

	const execution = await bench.start(charging(), withErrors(failed));

	expect(execution.codes).toEqual([undefined, undefined]);
	expect(chargesOf(bench)).toEqual(ONCE);
	expectTrue(execution);
});

it('says so if a payment page has no link', async () => {
	const payment = { id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', status: 'NEW', amount: 50.02 };
	bench.sandbox.faults.add({
		method: 'POST',
		kind: 'status',
		status: 201,
		body: { payment },
		times: 1,
	});

	const execution = await bench.start(charging({}, { mode: 'hosted' }), ORDERS);

	expect(execution.hints.join()).toContain('charge without a link (checkoutUrl)');
});

it('says when it was first sent, and not when it was sent last', async () => {
	const found = bench.lose('dropAfter');
	const begun = bench.clock.now();
	await bench.start(charging(), ORDERS);
	bench.clock.advance(2 * MINUTE);

	const again = await bench.start(charging(), ORDERS);
	found();

	const { firstSentAt } = again.json[0]?.error as { firstSentAt: string };
	expect(Date.parse(firstSentAt)).toBeLessThan(begun + MINUTE);
});

describe('in doubt', () => {
	async function getDoubtful(): Promise<Execution> {
		await chargeUnseen();
		bench.clock.advance(25 * HOUR);
		return await bench.start(charging(), ORDERS);
	}

	it('is shown once a person has entered which payment it is', async () => {
		const doubtful = await getDoubtful();
		expect(doubtful.errors[0]?.description).toContain(
			'look for a row with the reference "PED-1" and the status in doubt',
		);
		const booked = bench.sandbox.books.payments;
		bench.clock.advance(MINUTE);
		for (const { id, externalId } of booked) {
			enterInTable(externalId ?? '', 'in doubt', { status: 'created', paymentId: id });
		}

		const again = await bench.start(charging(), ORDERS);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(again.createdBefore).toEqual([true, true]);
		expect(chargesOf(bench)).toEqual(ONCE);
		expectTrue(again);
	});

	it('is created once a person has said that none of them is it', async () => {
		await bench.start(charging(), ORDERS, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);
		await bench.run(chargeEach({}, { additionalFields: {} }), [{ amount: 50.02 }]);
		bench.clock.advance(10 * MINUTE);
		expect((await bench.start(charging(), ORDERS)).codes).toEqual([
			'CHARGE_IN_DOUBT',
			'CHARGE_IN_DOUBT',
		]);
		for (const { order } of ORDERS) {
			enterInTable(order as string, 'in doubt', { status: 'not created' });
		}

		const again = await bench.start(charging(), ORDERS);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(again.createdBefore).toEqual([false, false]);
		expect(chargesOf(bench)).toEqual(ONCE);
	});

	it('refuses one payment for two External IDs', async () => {
		await getDoubtful();
		const [one] = bench.sandbox.books.payments;
		bench.clock.advance(MINUTE);
		for (const { order } of ORDERS) {
			enterInTable(order as string, 'in doubt', { status: 'created', paymentId: one!.id });
		}

		const again = await bench.start(charging(), ORDERS);

		expect(again.codes).toEqual(['CHARGE_IN_DOUBT', 'CHARGE_IN_DOUBT']);
		expect(again.errors[0]?.message).toContain('Two charges claim the payment');
	});
});

describe('a charge that changed', () => {
	it('is refused with another amount, and the earlier one is named', async () => {
		const first = await bench.start(charging(), ORDERS);
		const [one, two] = ORDERS;

		const again = await bench.start(charging(), [{ ...one, amount: 60.02 }, two!]);

		expect(again.posts).toBe(0);
		expect(again.errors[0]).toMatchObject({
			code: 'EXTERNAL_ID_MISMATCH',
			effect: 'none',
			paymentIds: [first.ids[0]],
		});
		expect(again.createdBefore[1]).toBe(true);
	});

	it('may have another description: it is the same charge', async () => {
		const workflow = charging({}, { additionalFields: ADDITIONAL('first') });
		const first = await bench.start(workflow, ORDERS);

		const again = await bench.start(
			charging({}, { additionalFields: ADDITIONAL('second') }),
			ORDERS,
		);

		expect(again.ids).toEqual(first.ids);
		expect(again.createdBefore).toEqual([true, true]);
	});

	const ADDITIONAL = (description: string) => ({ externalId: '={{ $json.order }}', description });
});

describe('a charge that ended', () => {
	const charged = async (status: 'CANCELLED' | 'EXPIRED' | 'REFUNDED', more: Parameters = {}) => {
		const first = await bench.start(charging({}, more), ORDERS);
		for (const { id } of bench.sandbox.books.payments) {
			if (status === 'REFUNDED') bench.sandbox.setPaymentStatus(id, 'PAID');
			bench.sandbox.setPaymentStatus(id, status);
		}
		return first;
	};

	it.each(['CANCELLED', 'EXPIRED'] as const)(
		'%s without a boleto is created anew, once',
		async (status) => {
			bench.assume('repeatedExternalId');
			const first = await charged(status);

			const again = await bench.start(charging(), ORDERS);
			const third = await bench.start(charging(), ORDERS);

			expect(again.createdBefore).toEqual([false, false]);
			expect(again.ids).not.toEqual(first.ids);
			expect(third.ids).toEqual(again.ids);
			expect(chargesOf(bench)).toEqual(ONCE);
		},
	);

	it('EXPIRED is refused if it is a boleto, which may be paid late', async () => {
		const first = await charged('EXPIRED', BOLETO);

		const again = await bench.start(charging({}, BOLETO), ORDERS);

		expect(again.posts).toBe(0);
		expect(again.errors[0]).toMatchObject({
			code: 'CHARGE_EXPIRED',
			effect: 'none',
			paymentIds: [first.ids[0]],
		});
	});

	it('REFUNDED is returned: the customer has paid once', async () => {
		const first = await charged('REFUNDED');

		const again = await bench.start(charging(), ORDERS);

		expect(again.ids).toEqual(first.ids);
		expect(statusesOf(again)).toEqual(['REFUNDED', 'REFUNDED']);
		expect(again.createdBefore).toEqual([true, true]);
	});
});

it('is what a person says who has added a row, as after a restored backup', async () => {
	await bench.start(charging(), [{ amount: 1.02, order: 'PED-0' }]);
	const byHand = await bench.run(chargeEach({}, { additionalFields: {} }), ORDERS);
	ORDERS.forEach(({ order }, index) => {
		const paymentId = byHand.ids[index]!;
		const row = { reference: order as string, kind: 'charge', status: 'created', paymentId };
		dataTables().addRow({ ...row, environment: 'test' });
	});
	bench.clock.advance(25 * HOUR);

	const execution = await bench.start(charging(), ORDERS);

	expect(execution.ids).toEqual(byHand.ids);
	expect(execution.createdBefore).toEqual([true, true]);
	expect(bench.sandbox.books.payments).toHaveLength(3);
});

describe('two items of one run', () => {
	it('with one External ID are one charge', async () => {
		const [one] = ORDERS;

		const execution = await bench.start(charging(), [one!, one!]);

		expect(execution.createdBefore).toEqual([false, true]);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
	});

	it('with one External ID and two amounts: the second is refused', async () => {
		const [one] = ORDERS;

		const execution = await bench.start(charging(), [one!, { ...one, amount: 1 }]);

		expect(execution.codes).toEqual([undefined, 'EXTERNAL_ID_MISMATCH']);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
	});
});

describe('a payout and a charge with the same name', () => {
	const PAYOUTS = ORDERS.map(({ order }) => ({ amount: 50.02, pixKey: CPF, invoice: order }));

	it('have nothing to do with each other', async () => {
		const paid = await bench.start(referenced(), PAYOUTS);
		const charged = await bench.start(charging(), ORDERS);
		const again = await bench.start(referenced(), PAYOUTS);

		expect(paid.codes).toEqual([undefined, undefined]);
		expect(charged.createdBefore).toEqual([false, false]);
		expect(again.ids).toEqual(paid.ids);
		expect(chargesOf(bench)).toEqual(ONCE);
		expect(bench.paid).toEqual([5002, 5002]);
	});

	it('both stop at a row of whose kind nobody can tell', async () => {
		const row = { reference: 'PED-1', status: 'paid', environment: 'test', kind: 'chrage' };
		await bench.start(charging(), [{ amount: 1.02, order: 'PED-0' }]);
		dataTables().addRow({ ...row, withdrawalId: 'w-1' });

		expect((await bench.start(charging(), ORDERS)).codes[0]).toBe('CHARGE_IN_DOUBT');
		expect((await bench.start(referenced(), PAYOUTS)).codes[0]).toBe('PAYOUT_IN_DOUBT');
	});
});

it('is another charge in the other environment', async () => {
	await bench.start(charging(), ORDERS);

	const live = await bench.start(charging(), ORDERS, { credential: bench.liveCredential });

	expect(live.createdBefore).toEqual([false, false]);
	expect(chargesOf(bench)).toEqual({ 'PED-1': 2, 'PED-2': 2 });
});

describe('by card, where the service finds the earlier payment itself', () => {
	const byCard = () => charging({}, { methods: ['CARD'], mode: 'hosted' });

	it('returns it, under whatever key it is asked', async () => {
		const first = await bench.start(byCard(), ORDERS);
		for (const { id } of dataTables().rows()) dataTables().deleteRow(id);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(byCard(), ORDERS);

		expect(again.ids).toEqual(first.ids);
		expect(again.createdBefore).toEqual([true, true]);
		expectTrue(again);
	});

	it('says so if that one is cancelled, and nothing can be created under this External ID', async () => {
		await bench.start(byCard(), ORDERS);
		for (const { id } of bench.sandbox.books.payments) {
			bench.sandbox.setPaymentStatus(id, 'CANCELLED');
		}

		const again = await bench.start(byCard(), ORDERS);

		expect(again.codes).toEqual(['EXISTING_PAYMENT', 'EXISTING_PAYMENT']);
		expect(again.errors[0]?.description).toContain('use another External ID');
	});
});

describe('without the table', () => {
	it('is recognized for 24 hours by its key, and a hint says so', async () => {
		dataTables().isOff = true;
		const first = await bench.start(charging(), ORDERS);
		bench.clock.advance(HOUR);
		const again = await bench.start(charging(), ORDERS);

		// Two runs at once could not tell which of them has made it.
		expect(first.createdBefore).toEqual([undefined, undefined]);
		expect(again.createdBefore).toEqual([true, true]);
		expect(again.ids).toEqual(first.ids);
		expect(chargesOf(bench)).toEqual(ONCE);
		expect(again.hints.join()).toContain('recognized for 24 hours only');
	});

	it('is shown as it is now, also within the same second', async () => {
		dataTables().isOff = true;
		const first = await bench.start(charging(), ORDERS);
		for (const id of first.ids) bench.sandbox.setPaymentStatus(id, 'PAID');

		const again = await bench.start(charging(), ORDERS);

		expect(again.createdBefore).toEqual([true, true]);
		expect(again.json.map(({ status }) => status)).toEqual(['PAID', 'PAID']);
	});

	it('is not created if the table was deleted, and says what to do', async () => {
		const workflow = charging();
		await bench.start(workflow, ORDERS);
		dataTables().remove();
		restart();

		const again = await bench.start(workflow, ORDERS);

		expect(again.posts).toBe(0);
		expect(again.codes).toEqual(['REFERENCES_UNAVAILABLE', 'REFERENCES_UNAVAILABLE']);
		expect(again.errors[0]?.description).toContain(
			'each run then charges every item, also what was charged before',
		);
	});
});

describe('not once', () => {
	it('if the option is off: each run charges', async () => {
		bench.assume('repeatedExternalId');
		const workflow = charging({ oncePerExternalId: false });
		await bench.start(workflow, ORDERS);
		const again = await bench.start(workflow, ORDERS);

		expect(again.json.map((item) => 'alreadyCreated' in item)).toEqual([false, false]);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 2, 'PED-2': 2 });
	});

	it('if no External ID was given', async () => {
		const workflow = charging({}, { additionalFields: {} });
		await bench.start(workflow, ORDERS);
		await bench.start(workflow, ORDERS);

		expect(bench.sandbox.books.payments).toHaveLength(4);
		expect(dataTables().has()).toBe(false);
	});

	it('if the item has an Idempotency Key of its own', async () => {
		const workflow = charging({ idempotencyKey: '={{ $json.order }}-own' });
		await bench.start(workflow, ORDERS);

		expect(bench.keys).toEqual(['PED-1-own', 'PED-2-own']);
		expect(dataTables().has()).toBe(false);
	});

	it('is refused if an expression for the External ID returns nothing', async () => {
		const execution = await bench.start(charging(), [{ amount: 1 }, ORDERS[1]!]);

		expect(execution.errors[0]?.message).toContain(
			'The expression for External ID returned nothing for this item',
		);
		expect(chargesOf(bench)).toEqual({ 'PED-2': 1 });
	});
});

describe('an External ID that is filled in for a retry', () => {
	async function retryWithId(lost: 'dropAfter' | 'refuse') {
		const without = buildWorkflow({ parameters: chargeEach({}, { additionalFields: {} }) });
		const found =
			lost === 'dropAfter'
				? bench.lose('dropAfter', (body) => body.includes('60.02'))
				: bench.sandbox.faults.add({
						...{ method: 'POST', kind: 'error', code: 'PAYMENT_CREATION_BLOCKED' },
						when: ({ rawBody }) => rawBody.toString().includes('60.02'),
					});
		const failed = await bench.start(without, MIXED);
		found();
		failed.workflow.nodes['BRL Payments']!.parameters.additionalFields = {
			externalId: '={{ $json.order }}',
		};
		return await bench.retry(failed);
	}
	const MIXED = [ORDERS[0]!, { amount: 60.02, order: 'PED-2' }];

	it('stands for the charge from then on', async () => {
		const retried = await retryWithId('refuse');
		const later = await bench.start(charging(), MIXED);

		expect(later.ids).toEqual(retried.ids);
		expect(later.createdBefore).toEqual([true, true]);
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	it('changes nothing for a charge in doubt, which has to be asked for as it was', async () => {
		const { error } = await retryWithId('dropAfter');

		expect(error?.description).toContain('Restore the earlier values and retry this execution');
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});
});

it('has nothing to do with payouts without references', async () => {
	await bench.start(charging(), ORDERS);

	const run = await bench.run(payEach(), [{ amount: 50.02, pixKey: CPF }], CONTINUE);

	expect(run.codes).toEqual([undefined]);
});
