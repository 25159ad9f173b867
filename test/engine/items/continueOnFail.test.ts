import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CPF } from '../support/values';
import { CONTINUE } from '../support/workflow';

const bench = useBench();
const ERROR_OUTPUT = { extras: { onError: 'continueErrorOutput' } } as const;
/** Item 1 is refused by the server, the ones around it are fine. */
const THREE = [TWO[0]!, { amount: 20.02, pixKey: CPF }, { amount: 30.03, pixKey: CPF }];

const refuseItem1 = () => bench.fail('INSUFFICIENT_BALANCE', '20.02');

describe('Continue On Fail', () => {
	it('puts the error into the item and continues with the others', async () => {
		refuseItem1();

		const run = await bench.run(payEach(), THREE, CONTINUE);

		expect(run.error).toBeUndefined();
		expect(run.sources).toEqual([0, 1, 2]);
		const [first, second, third] = run.json;
		expect(first?.netAmount).toBe(10.01);
		expect(Object.keys(second!)).toEqual(['row', 'pixKey', 'amount', 'status', 'error']);
		expect(second).toEqual({
			row: 2,
			pixKey: CPF,
			amount: 20.02,
			status: 'REFUSED',
			error: {
				code: 'INSUFFICIENT_BALANCE',
				message: 'The available balance is too low for the amount plus the fee',
				description: expect.stringContaining('Balance > Get shows what is available'),
				remedy:
					'Balance > Get shows what is available. Add funds. Then retry this execution or, if n8n lists it as successful, run a new one with only the items that remain.',
				serverSaid: 'The available balance is too low for amount + fee.',
				httpStatus: 400,
				retryable: false,
				effect: 'none',
				idempotencyKey: bench.requests().find(({ status }) => status === 400)?.idempotencyKey,
				order: {
					name: expect.stringMatching(/^auto-[\w-]{16}$/),
					content: expect.stringMatching(/^2002-/),
				},
			},
		});
		expect(second?.error.idempotencyKey).toEqual(expect.any(String));
		expect(third?.netAmount).toBe(30.03);
		expect(bench.paid).toEqual([1001, 3003]);
	});

	it('puts the errors into the error output, in order and with what the item held', async () => {
		refuseItem1();

		const run = await bench.run(payEach(), THREE, ERROR_OUTPUT);

		expect(run.json.map(({ netAmount }) => netAmount)).toEqual([10.01, 30.03]);
		expect(run.sources).toEqual([0, 2]);
		const [failed, ...others] = run.output(undefined, 1);
		expect(others).toEqual([]);
		expect(failed?.json).toMatchObject({
			amount: 20.02,
			pixKey: CPF,
			error: { code: 'INSUFFICIENT_BALANCE', httpStatus: 400 },
		});
		expect(failed?.pairedItem).toEqual({ item: 1 });
	});

	it('fails only the item whose options have a broken expression', async () => {
		const maskPersonalData = '={{ $json.isBroken ? $("No such node").first() : false }}';
		const items = THREE.map((item, n) => ({ ...item, isBroken: n === 1 }));

		const { errors, codes, error } = await bench.run(
			payEach({ maskPersonalData }),
			items,
			CONTINUE,
		);

		expect(error).toBeUndefined();
		expect(codes).toEqual([undefined, 'INVALID_INPUT', undefined]);
		// It is no bug of the node, as it was called.
		expect(errors[1]?.description).toContain('could not evaluate an expression of this node');
		expect(bench.paid).toEqual([1001, 3003]);
	});

	it.each([
		['an unusable credential', { baseUrl: 'nonsense' }, {}],
		['an impossible Max Concurrency', {}, { maxConcurrency: 0 }],
	])('fails every item for %s, and passes on no input', async (_name, credential, options) => {
		const run = await bench.run(payEach({ ...options }), THREE, { credential, ...CONTINUE });

		expect(run.error).toBeUndefined();
		for (const item of run.json) expect(Object.keys(item).at(-1)).toBe('error');
		expect(run.codes).toEqual(Array(3).fill('INVALID_INPUT'));
		expect(run.sources).toEqual([0, 1, 2]);
		expect(bench.requests()).toEqual([]);
	});
});
