/** What a response has to be before the node says that a payout took effect, or that it did not. */
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { changeOptions } from '../support/workflow';
import { CONTINUE } from '../support/references';

const bench = useBench();
const getErrors = (json: Array<Record<string, unknown>>) =>
	json.map(({ error }) => error as { code: string; effect: string; retrySafeUntil?: string });

const withdrawal = (change: object) => ({
	withdrawal: {
		id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
		netAmount: 10.01,
		status: 'PENDING',
		createdAt: new Date(bench.clock.now()).toISOString(),
		...change,
	},
});
const answer = (status: number, body: unknown, process = true) =>
	bench.sandbox.faults.add({
		method: 'POST',
		kind: 'status',
		status,
		body,
		process,
		times: Infinity,
		when: ({ rawBody }) => rawBody.includes('10.01'),
	});

it.each<[string, object]>([
	['no ID', { id: undefined }],
	['an ID that is no UUID', { id: 'w1' }],
	['another amount', { netAmount: 10 }],
	['no amount', { netAmount: undefined }],
	['a status that is not documented', { status: 'REJECTED' }],
	['no status', { status: undefined }],
])('a success with %s is not known to be one', async (_what, change) => {
	answer(201, withdrawal(change));

	const { json } = await bench.run(payEach(), TWO, CONTINUE);

	expect(getErrors(json)[0]).toMatchObject({ code: 'UNEXPECTED_ANSWER', effect: 'unknown' });
	expect(json[1]).toMatchObject({ netAmount: 20.02 });
});

it.each(['FAILED', 'CANCELLED', 'failed'])(
	'a success that is %s is named, and was not paid',
	async (status) => {
		answer(201, withdrawal({ status }), false);

		const { json } = await bench.run(payEach(), TWO, CONTINUE);

		expect(getErrors(json)[0]).toMatchObject({ code: 'WITHDRAWAL_NOT_PAID', effect: 'none' });
		expect((json[0]?.error as { message: string }).message).toContain(status);
	},
);

it.each<[string, number, unknown]>([
	['a page', 403, '<html>Forbidden</html>'],
	['an empty object', 404, {}],
	['an error of a gateway with its own code', 403, { code: 'ACCESS_DENIED', message: 'No' }],
	['a code that is not documented', 400, { error: { code: 'NEW_CODE', message: 'No' } }],
])('a 4xx with %s says nothing about the effect', async (_what, status, body) => {
	answer(status, body);

	const { json } = await bench.run(payEach(), TWO, CONTINUE);

	expect(getErrors(json)[0]).toMatchObject({ effect: 'unknown' });
	expect(bench.paid).toEqual([1001, 2002]);
});

it('a refusal of the service itself had no effect', async () => {
	bench.refuseNext(2, 'INSUFFICIENT_BALANCE');

	const { json } = await bench.run(payEach(), TWO, CONTINUE);

	expect(getErrors(json)).toMatchObject([{ effect: 'none' }, { effect: 'none' }]);
});

it('a refusal after a lost response leaves it unknown', async () => {
	const once = { when: ({ rawBody }: { rawBody: Buffer }) => rawBody.includes('10.01') };
	bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', ...once });
	bench.sandbox.faults.add({ method: 'POST', kind: 'error', code: 'BLOCKLIST_DENIED', ...once });

	const { json } = await bench.run(payEach(), TWO, CONTINUE);

	expect(getErrors(json)[0]).toMatchObject({ code: 'BLOCKLIST_DENIED', effect: 'unknown' });
	expect(bench.paid).toEqual([1001, 2002]);
});

it('an own key gets no time until which a retry is safe: it is unknown when it was first used', async () => {
	bench.lose('dropAfter');

	const { json } = await bench.run(
		payEach({ idempotencyKey: '={{ "key-" + $json.amount }}' }),
		TWO,
		CONTINUE,
	);

	expect(getErrors(json)[0]).toMatchObject({ effect: 'unknown' });
	expect(getErrors(json)[0]?.retrySafeUntil).toBeUndefined();
});

it('a check of our own on an item that was sent before does not deny what happened', async () => {
	bench.lose('dropAfter');
	const failed = await bench.run(payEach(), TWO, { extras: { onError: 'stopWorkflow' } });
	bench.sandbox.faults.clear();
	failed.workflow.nodes['BRL Payments']!.parameters.pixKey = 'no key';
	failed.workflow.nodes['BRL Payments']!.onError = 'continueRegularOutput';

	const { json } = await bench.retry(failed);

	expect(getErrors(json)).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
});

describe('in a retry after n8n was killed', () => {
	/** Both are paid, and n8n is killed before it can save that. */
	const killPaid = async () => {
		const killed = await bench.run(payEach(), TWO);
		expect(bench.paid).toEqual([1001, 2002]);
		return killed;
	};
	const expectPaidOnce = ({ error, json }: Execution) => {
		expect(error).toBeUndefined();
		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	};

	it.each(['INSUFFICIENT_BALANCE', 'WITHDRAWAL_LIMIT_EXCEEDED', 'WITHDRAWAL_PROVIDER_UNAVAILABLE'])(
		'a refusal before the key was looked at says nothing about what was paid before: %s',
		async (code) => {
			const killed = await killPaid();
			const refusal = { kind: 'error', code, stored: false, times: Infinity } as const;
			bench.sandbox.faults.add({ method: 'POST', ...refusal });

			const refused = await bench.retryAfterKill(killed);
			const again = await bench.retry(refused);

			for (const { error } of [refused, again]) {
				expect(error).toMatchObject({ effect: 'unknown' });
				expect(error?.description).toContain('choose Retry in the list Executions');
				expect(error?.description).not.toMatch(/new one|new execution/);
			}
			bench.sandbox.faults.clear();
			expectPaidOnce(await bench.retry(again));
		},
	);

	it('a check of our own does not deny it, in a second retry either', async () => {
		const killed = await killPaid();
		changeOptions(killed.workflow, { largestAmount: '1,00' });
		const over = await bench.retryAfterKill(killed);
		changeOptions(killed.workflow, {});
		const { parameters } = killed.workflow.nodes['BRL Payments']!;
		const { pixKey } = parameters;
		parameters.pixKey = 'no key';

		const invalid = await bench.retry(over);

		for (const { error } of [over, invalid]) expect(error).toMatchObject({ effect: 'unknown' });
		parameters.pixKey = pixKey!;
		expectPaidOnce(await bench.retry(invalid));
	});
});
