/** What a poll costs, and what happens to it when the service does not respond as it should. */
import type { INodeParameters } from 'n8n-workflow';
import { useBench, type RunSettings } from '../support/harness';
import { retry } from '../support/execution';
import { START } from '../support/names';
import { Poller } from '../support/poller';

const bench = useBench();

const createPoller = (parameters: INodeParameters = {}, settings?: RunSettings) =>
	new Poller(bench, { receiveBy: 'polling', events: ['PAYMENT_PAID'], ...parameters }, settings);
/** A trigger that has polled once. */
async function activated(parameters?: INodeParameters) {
	const poller = createPoller(parameters);
	expect(await poller.activate()).toBeNull();
	return poller;
}

/** What the engine keeps of a NodeApiError. */
const REFUSED = { name: 'NodeApiError', httpCode: '401' };
const MINUTE_MS = 60_000;

/** Payments of which each is a minute older than the one before. */
const seedPayments = (count: number) =>
	Array.from({ length: count }, (_, index) =>
		bench.sandbox.seed.payment({ createdAt: bench.clock.now() - index * 1_000 }),
	);
const pay = ({ id }: { id: string }) => bench.sandbox.setPaymentStatus(id, 'PAID');
const urls = () => bench.requests().map(({ url }) => url);
const page = (list: string, number: number) => `/v1/${list}?page=${number}&limit=100`;

describe('what a poll asks for', () => {
	test('pages as far back as it looks, and nothing but page and limit', async () => {
		seedPayments(150);
		for (let count = 0; count < 150; count += 1) {
			bench.sandbox.seed.payment({ createdAt: bench.clock.now() - 10 * 24 * 60 * MINUTE_MS });
		}
		await activated();
		expect(urls().slice(0, 2)).toEqual([page('payments', 1), page('payments', 2)]);
		expect(urls().every((url) => /^\/v1\/payments\?page=\d&limit=100$/.test(url))).toBe(true);
	});

	test('each list only where a selected event shows in it', async () => {
		await activated({ events: ['WITHDRAWAL_SENT'] });
		expect(urls()).toEqual([page('withdrawals', 1)]);
	});

	test('at most 20 pages of a list; the next poll continues', async () => {
		bench.assume('listOrder');
		const payments = seedPayments(2_250);
		const poller = await activated();
		expect(urls()).toHaveLength(20);
		// What is there is not news before the list was read to its end.
		expect(await poller.poll()).toBeNull();
		bench.sandbox.requests.length = 0;
		pay(payments.at(-1)!);
		expect(await poller.poll()).toBeNull();
		await poller.poll();
		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);
		expect(urls()).toHaveLength(24);
	});
});

test('a rate limit ends the poll without a failure, and the next one continues where it stopped', async () => {
	const payments = seedPayments(250);
	const poller = await activated();
	for (const payment of payments) pay(payment);
	bench.sandbox.requests.length = 0;
	bench.sandbox.faults.add({ kind: 'error', code: 'RATE_LIMIT_EXCEEDED', skip: 1 });

	const first = await poller.poll();
	await poller.poll();

	expect(first?.error).toBeUndefined();
	expect(first?.items).toHaveLength(100);
	expect(poller.emitted).toHaveLength(250);
	expect(urls()).toEqual([1, 2, 1, 2, 3].map((number) => page('payments', number)));
	expect(bench.waits).toEqual([]);
});

describe('trouble', () => {
	const REVOKED = { kind: 'error', code: 'INVALID_API_KEY', times: Infinity } as const;

	test('never breaks an activation, and is one failed execution until it is over', async () => {
		const [payment] = seedPayments(1);
		const poller = await activated();
		bench.sandbox.faults.add(REVOKED);

		const failed = await poller.activate();
		expect(failed?.error).toMatchObject(REFUSED);
		expect(failed?.error?.message).toMatch(/key/i);
		expect(await poller.poll()).toBeNull();
		expect(await poller.poll()).toBeNull();

		bench.sandbox.faults.clear();
		pay(payment!);
		await poller.poll();
		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);

		bench.sandbox.faults.add(REVOKED);
		expect((await poller.poll())?.error).toMatchObject(REFUSED);
	});

	test('a list that the key may not read does not keep back the events of the other', async () => {
		const apiKey = bench.keyWith('payments:read');
		const [payment] = seedPayments(1);
		const poller = createPoller({ events: ['*'] }, { credential: { apiKey } });
		const failed = await poller.activate();
		expect(failed?.error?.description).toContain('The trigger continues at the next poll time.');
		expect(failed?.error?.description).not.toContain('retry this execution');
		pay(payment!);
		await poller.poll();
		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID']);
	});

	test.each<[string, INodeParameters, RunSettings, RegExp]>([
		['a key that cannot be used', {}, { credential: { apiKey: 'example' } }, /^The API key is not/],
		// n8n publishes that, and never polls.
		['no poll times', { pollTimes: { item: [] } }, {}, /^Poll Times has no entry/],
		[
			'events that no poll sees',
			{ events: ['PAYMENT_REFUND_FAILED'] },
			{},
			/^Polling cannot detect/,
		],
	])(
		'%s: the execution says so, and nothing is asked',
		async (_, parameters, settings, message) => {
			const failed = await createPoller(parameters, settings).activate();
			expect(failed?.error?.message).toMatch(message);
			expect(bench.requests()).toEqual([]);
		},
	);
});

describe('Execute step', () => {
	const EDITOR = { mode: 'manual' } as const;
	const getSample = async (events: string[]) =>
		await (await activated({ events })).run([{ json: {} }], EDITOR);

	test('shows the newest payment or withdrawal with a selected event', async () => {
		const [newest, older] = seedPayments(2);
		for (const payment of [newest!, older!]) pay(payment);
		bench.sandbox.seed.withdrawal({ status: 'COMPLETED', createdAt: bench.clock.now() - 5_000 });
		const { json } = (await getSample(['*'])).output(START)[0]!;
		const shown = { event: 'PAYMENT_PAID', source: 'polling', paymentId: newest!.id };
		expect(json).toMatchObject({ ...shown, status: 'PAID' });
		expect(json).not.toHaveProperty('__poll');
		const withdrawal = (await getSample(['WITHDRAWAL_SENT'])).output(START)[0];
		expect(withdrawal?.json).toMatchObject({ event: 'WITHDRAWAL_SENT', status: 'COMPLETED' });
	});

	test('leaves no trace: what it has shown still comes', async () => {
		const [payment] = seedPayments(1);
		const poller = await activated({ events: ['*'] });
		pay(payment!);
		await poller.run([{ json: {} }], EDITOR);
		await poller.poll();
		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID', 'PAYMENT_PAID PAID']);
	});

	test('says so when there is none', async () => {
		seedPayments(2);
		const { error } = await getSample(['PAYMENT_PAID']);
		expect(error?.message).toBe('No recent payment or withdrawal shows a selected event');
		expect(error?.description).toMatch(/Create one first/);
	});
});

test.each([
	['in the same process', async (poller: Poller) => await poller.poll()],
	['over a restart', async (poller: Poller) => await poller.restart()],
])(
	'a service that fails when the workflow is published what happens until it responds is not lost: %s',
	async (_, resume) => {
		const [paidBefore, paidMeanwhile] = seedPayments(2);
		pay(paidBefore!);
		bench.clock.advance(MINUTE_MS);
		const poller = createPoller();
		const recover = bench.sandbox.faults.add({ times: Infinity, kind: 'status', status: 500 });
		await poller.activate();
		bench.clock.advance(MINUTE_MS);
		for (const payment of [paidMeanwhile!, ...seedPayments(1)]) pay(payment);
		bench.clock.advance(MINUTE_MS);
		await poller.poll();
		recover();

		await resume(poller);
		await poller.poll();

		expect(poller.emitted).toEqual(['PAYMENT_PAID PAID', 'PAYMENT_PAID PAID']);
	},
);

test('the execution that reports a failure says that there is nothing to retry', async () => {
	bench.sandbox.faults.add({ times: Infinity, kind: 'status', status: 500 });
	const failed = (await createPoller().activate())!;
	expect(failed.error?.description).toMatch(/tries again at the next poll time.*nothing to retry/);
	expect((await retry(failed)).error?.message).toBe(failed.error?.message);
});

describe('the credential is exchanged', () => {
	/** A trigger that has polled twice; between the two, the first of its payments was paid if it `knows` one. */
	async function started(knows: boolean) {
		const payments = seedPayments(2);
		const poller = await activated({ events: ['*'] });
		if (knows) pay(payments[0]!);
		bench.clock.advance(MINUTE_MS);
		await poller.poll();
		bench.clock.advance(MINUTE_MS);
		const before = poller.emitted.length;
		const news = () => poller.emitted.slice(before).toSorted();
		return { poller, payments, news };
	}
	const anotherKey = () => ({
		credential: { apiKey: bench.sandbox.createKey({ environment: 'SANDBOX' }) },
	});

	describe.each<[string, (poller: Poller) => Promise<unknown>]>([
		['in one process', async (poller) => await poller.activate()],
		['over a restart', async (poller) => await poller.restart()],
	])('%s', (way, resume) => {
		test.each([true, false])(
			'a key of another account in the same credential does not emit its history (events known: %s)',
			async (knows) => {
				const { poller, news } = await started(knows);
				// The lists of the other account show nothing of the first one.
				bench.sandbox.reset();
				const createdAt = bench.clock.now() - 60 * MINUTE_MS;
				for (const status of ['PAID', 'REFUNDED', 'EXPIRED'] as const) {
					bench.sandbox.seed.payment({ status, createdAt });
				}
				bench.sandbox.seed.withdrawal({ status: 'COMPLETED', createdAt });
				const [open] = seedPayments(1);
				poller.settings = anotherKey();

				await resume(poller);
				await poller.poll();
				expect(news()).toEqual([]);

				pay(open!);
				await poller.poll();
				await poller.poll();
				expect(news()).toEqual(['PAYMENT_PAID PAID']);
			},
		);

		test('a key of the other environment, for a while, loses nothing of this one', async () => {
			const { poller, payments, news } = await started(true);
			poller.settings = {
				credential: { apiKey: bench.sandbox.createKey({ environment: 'PRODUCTION' }) },
			};
			await resume(poller);
			for (const payment of [payments[1]!, ...seedPayments(1)]) pay(payment);
			bench.clock.advance(MINUTE_MS);
			await poller.poll();
			expect(news()).toEqual([]);

			poller.settings = {};
			await resume(poller);
			await poller.poll();
			expect(news()).toEqual(['PAYMENT_PAID PAID', 'PAYMENT_PAID PAID']);
		});

		// Over a restart, nothing shows that a key is of the same account if no event of it is known.
		test.each(way === 'over a restart' ? [true] : [true, false])(
			'another credential of the same account loses nothing since the last poll (events known: %s)',
			async (knows) => {
				const { poller, payments, news } = await started(knows);
				for (const payment of [payments[1]!, ...seedPayments(1)]) pay(payment);
				// No list says when that happened.
				if (knows) bench.sandbox.setPaymentStatus(payments[0]!.id, 'REFUNDED');
				poller.credentialId = 'another';
				poller.settings = anotherKey();
				bench.clock.advance(MINUTE_MS);

				await resume(poller);
				await poller.poll();

				const refund = knows ? ['PAYMENT_REFUNDED REFUNDED'] : [];
				expect(news()).toEqual(['PAYMENT_PAID PAID', 'PAYMENT_PAID PAID', ...refund]);
			},
		);
	});
});
