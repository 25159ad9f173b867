/** Services that differ from what is assumed: the node says so, and the documented way out works. */
import { parseDialect } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { HOUR } from '../support/values';
import { additionalQuery, CONTINUE, operation, type Parameters } from '../support/workflow';

const bench = useBench();
const speak = (text: string) => Object.assign(bench.sandbox.dialect, parseDialect(text));
const DAY = 24 * HOUR;
const WAY_OUT = 'Additional Query Parameters';

describe('listFilters', () => {
	const list = (filters: Parameters, options: Parameters = {}): Parameters =>
		operation('payment.getAll', { returnAll: true, simplify: false, filters }, options);

	it('that are refused: the error names the parameter, and another one can be sent', async () => {
		bench.sandbox.seed.payment({ status: 'NEW' });
		const paid = bench.sandbox.seed.payment({ status: 'PAID' });
		speak('listFilters=otherNames');
		bench.sandbox.faults.add({
			...{ kind: 'error', code: 'VALIDATION_ERROR', times: 1 },
			details: { status: 'There is no such query parameter' },
		});
		const { error } = await bench.run(list({ status: 'PAID' }), [{}]);
		expect(error?.description).toContain('status: There is no such query parameter');
		expect(error?.description).toContain(WAY_OUT);

		const { ids } = await bench.run(list({}, additionalQuery(['state', 'PAID'])), [{}]);

		expect(ids).toEqual([paid.id]);
	});

	it('by another date: a hint says that rows may be missing, and without it none are', async () => {
		const now = bench.clock.now();
		const wanted = [
			bench.sandbox.seed.payment({ createdAt: now - DAY, paidAt: now }),
			bench.sandbox.seed.payment({ createdAt: now - DAY }),
		];
		bench.sandbox.seed.payment({ createdAt: now - 9 * DAY, paidAt: now });
		speak('listFilters=paidOrProcessedAt');
		const startDate = new Date(now - 2 * DAY).toISOString();

		const filtered = await bench.run(list({ startDate }), [{}]);
		const all = await bench.run(list({}), [{}]);

		expect(filtered.json).toHaveLength(1);
		expect(filtered.hints).toEqual([expect.stringContaining('rows are missing')]);
		expect(all.ids).toEqual(expect.arrayContaining(wanted.map(({ id }) => id)));
	});
});

it.each([
	['withdrawal', payEach, 'destination.type', 'PIX_KEY'],
	['payment', (options: Parameters) => ({ ...chargeEach('PIX'), options }), 'locale', 'pt-BR'],
] as const)(
	'requestBodies of a %s: the error names field and option, and the option adds it',
	async (_, create, field, value) => {
		bench.sandbox.faults.add({
			...{ kind: 'error', code: 'VALIDATION_ERROR', times: Infinity },
			details: { [field]: 'Required' },
			when: ({ method, rawBody }) => method === 'POST' && !rawBody.includes(value),
		});
		const { error } = await bench.run(create({}), TWO);
		expect(error?.description).toContain(field);
		expect(error?.description).toContain('Options > Additional Body Fields');
		const { withdrawals, payments } = bench.sandbox.books;
		expect([...withdrawals, ...payments]).toEqual([]);

		const additionalBodyFields = { field: [{ name: field, value }] };
		expect((await bench.run(create({ additionalBodyFields }), TWO)).error).toBeUndefined();

		expect([...withdrawals, ...payments]).toHaveLength(2);
	},
);

it.each(['none', 'beside', 'none+beside'])(
	'paymentEnvelope=%s: the output has the payment with the address of its checkout',
	async (choice) => {
		speak(`paymentEnvelope=${choice}`);
		const parameters = { ...chargeEach('PIX'), mode: 'hosted' };
		const { json } = await bench.run(parameters, [{ amount: 10 }, { amount: 11 }]);
		expect(json.map(({ amount }) => amount)).toEqual([10, 11]);
		expect(json.every(({ checkoutUrl }) => /^http/.test(checkoutUrl as string))).toBe(true);
	},
);

it('paymentEnvelope=data: the outcome is called unknown, and there is one charge of each', async () => {
	speak('paymentEnvelope=data');
	const items = [{ amount: 10 }, { amount: 11 }];
	const { errors } = await bench.run(chargeEach('PIX'), items, CONTINUE);
	expect(errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
	expect(bench.sandbox.books.payments).toHaveLength(2);
});
