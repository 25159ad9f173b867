/** Executions that a retry could not be told from: without a reference, nothing is sent in them. */
import { usePayouts } from '../support/money';
import { INVOICES, payReferenced } from '../support/payouts';
import { HOUR } from '../support/values';
import { CONTINUE } from '../support/workflow';

const bench = usePayouts();
const DAY = 24 * HOUR;
const ONE_BY_ONE = { maxConcurrency: 1 };
const NEEDED = [{ code: 'REFERENCE_NEEDED' }, { code: 'REFERENCE_NEEDED' }];
const kill = async () => await bench.payTwo({ ...CONTINUE, lost: 'dropAfter' });

it.each<[string, () => ReturnType<typeof kill>]>([
	[
		'is retried after n8n had shown nothing of it',
		async () => await bench.retryAfterKill(await kill(), { establishedAt: null }),
	],
	['runs on an n8n that shows nothing of it', async () => await bench.onOldN8n(kill)],
	[
		'began 18 days ago, and is retried after a kill',
		async () => {
			const killed = await bench.payTwo({ ...CONTINUE, ...bench.begunNow });
			bench.clock.advance(18 * DAY);
			return await bench.retryAfterKill(killed);
		},
	],
])('an execution that %s pays references alone', async (_what, run) => {
	const { errors, posts } = await run();

	expect(errors).toMatchObject(NEEDED);
	expect(errors[0]?.description).toMatch(/[Ff]ill in Reference, for example/);
	const sent = bench.paid;
	expect(posts === 0 || sent.length === 2).toBe(true);
	bench.sandbox.reset();
	const referenced = await bench.onOldN8n(
		async () => await bench.run(payReferenced({ duplicateGuard: 'never' }), INVOICES),
	);
	bench.expectPaid([1001, 2002], referenced);
});

it.each([1, 17])(
	'an execution that waited for months pays once, retried %d days later',
	async (days) => {
		const waited = { establishedAt: bench.clock.now() - 90 * DAY };
		const failed = await bench.payTwo({ ...waited, lost: { '20.02': 'dropBefore' } }, ONE_BY_ONE);
		expect(failed.error).toBeDefined();
		bench.clock.advance(days * DAY);
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	},
);

it('an execution that waited for months is not retried another 18 days later', async () => {
	const waited = { establishedAt: bench.clock.now() - 90 * DAY };
	const failed = await bench.payTwo({ ...waited, lost: { '20.02': 'dropBefore' } }, ONE_BY_ONE);
	bench.clock.advance(18 * DAY);
	const { error } = await bench.retry(failed);
	expect(error?.message).toContain('cannot be told from an earlier attempt');
	expect(bench.paid).toEqual([1001]);
});
