/** What a response has to be before the node says that a payout took effect, or that it did not. */
import { continueOnFail, killTables, namedTime, reviveTables, usePayouts } from '../support/money';
import { UUID } from '../support/values';
import { changeOptions, CONTINUE, edit } from '../support/workflow';
import { restart } from '../support/ledger';

const bench = usePayouts();
const UNKNOWN = { effect: 'unknown' };

/** What the service says about the first payout, whenever it is asked. */
const answer = (status: number, body: unknown, process = true) =>
	bench.strike('10.01', { kind: 'status', status, body, process });
const answerWith = (change: object, process = true) => {
	const createdAt = new Date(bench.clock.now()).toISOString();
	const withdrawal = { id: UUID, netAmount: 10.01, status: 'PENDING', createdAt, ...change };
	answer(201, { withdrawal }, process);
};

it.each<[string, object]>([
	['no ID', { id: undefined }],
	['another amount', { netAmount: 10 }],
	['a status that is not documented', { status: 'REJECTED' }],
])('a success with %s is not known to be one', async (_what, change) => {
	answerWith(change);

	const { errors, json } = await bench.payTwo(CONTINUE);

	expect(errors[0]).toMatchObject({ code: 'UNEXPECTED_ANSWER', ...UNKNOWN });
	expect(json[1]).toMatchObject({ netAmount: 20.02 });
});

it.each<[string, number, unknown]>([
	['an empty object', 404, {}],
	['an error of a gateway with its own code', 403, { code: 'ACCESS_DENIED', message: 'No' }],
	['a code that is not documented', 400, { error: { code: 'NEW_CODE', message: 'No' } }],
])('a 4xx with %s says nothing about the effect', async (_what, status, body) => {
	answer(status, body);
	expect((await bench.payTwo(CONTINUE)).errors[0]).toMatchObject(UNKNOWN);
	expect(bench.paid).toEqual([1001, 2002]);
});

it('a refusal after a lost response leaves it unknown', async () => {
	bench.strike('10.01', { kind: 'dropAfter', times: 1 });
	bench.strike('10.01', { kind: 'error', code: 'BLOCKLIST_DENIED', times: 1 });

	const { errors } = await bench.payTwo(CONTINUE);

	expect(errors[0]).toMatchObject({ code: 'PAYOUT_IN_DOUBT', ...UNKNOWN });
	expect(namedTime(errors[0])).toBeGreaterThan(bench.clock.now());
	expect(bench.paid).toEqual([1001, 2002]);
});

it('a check of our own on an item that was sent before does not deny what happened', async () => {
	const failed = await bench.payTwo({ lost: 'dropAfter' });
	edit(failed, { pixKey: 'no key' });
	continueOnFail(failed);
	expect((await bench.retry(failed)).errors).toMatchObject([UNKNOWN, UNKNOWN]);
});

describe('in a retry after n8n was killed', () => {
	/** Both are paid, and n8n is killed before it can save that. */
	const killPaid = async () => {
		killTables(() => bench.posts > 1);
		const killed = await bench.payTwo();
		reviveTables();
		restart();
		expect(bench.paid).toEqual([1001, 2002]);
		return killed;
	};

	it.each(['INSUFFICIENT_BALANCE', 'WITHDRAWAL_LIMIT_EXCEEDED', 'WITHDRAWAL_PROVIDER_UNAVAILABLE'])(
		'a refusal before the key was looked at says nothing about what was paid before: %s',
		async (code) => {
			const killed = await killPaid();
			bench.strike('', { kind: 'error', code, stored: false });

			const refused = await bench.retryAfterKill(killed);
			const again = await bench.retry(refused);

			for (const { error } of [refused, again]) {
				expect(error).toMatchObject(UNKNOWN);
				expect(error?.description).toContain('Retry this execution in the list Executions');
			}
			bench.sandbox.faults.clear();
			bench.expectPaid([1001, 2002], await bench.retry(again));
		},
	);

	it('a check of our own does not deny it, in a second retry either', async () => {
		const killed = await killPaid();
		changeOptions(killed.workflow, { largestAmount: '1,00' });
		const over = await bench.retryAfterKill(killed);
		changeOptions(killed.workflow, {});
		edit(killed, { pixKey: 'no key' });
		const invalid = await bench.retry(over);

		for (const { error } of [over, invalid]) expect(error).toMatchObject(UNKNOWN);
		edit(killed, { pixKey: '={{ $json.pixKey }}' });
		bench.expectPaid([1001, 2002], await bench.retry(invalid));
	});
});
