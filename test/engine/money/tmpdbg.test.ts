import { useMoney } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { EDIT_NODE } from '../support/nodeTypes';
import { RETRY_ON_FAIL } from '../support/workflow';
import { CPF, EMAIL } from '../support/values';
import { appendFileSync, rmSync } from 'node:fs';
const bench = useMoney();
const say = (what: string, x: unknown) => appendFileSync('/tmp/tb-dbg.txt', `\n### ${what}\n${typeof x === 'string' ? x : JSON.stringify(x, null, 1)}\n`);
beforeAll(() => rmSync('/tmp/tb-dbg.txt', { force: true }));
it('loop equal', async () => {
	const run = await bench.run(payEach(), [{ amount: 50, pixKey: CPF }, { amount: 50, pixKey: CPF }], { isLooped: true });
	say('loop equal', [bench.paid, run.error?.message, run.error?.description]);
	const retried = await bench.retry(run);
	say('retry', [bench.paid, retried.error?.message, retried.error?.description]);
});
it('roof', async () => {
	bench.lose('dropAfter', undefined, 5);
	let n = 0;
	void n;
	const run = await bench.run(payEach({ maxConcurrency: 1 }, { amount: '={{ $json.amount + $runIndex + Math.floor(Math.random()*1000)/100 }}' }), TWO, { extras: RETRY_ON_FAIL });
	say('roof', [bench.paid, run.error?.message, run.error?.description, run.json]);
});
it.each(['dropAfter', 'dropBefore'] as const)('comeback %s', async (kind) => {
	bench.lose(kind, undefined, 10);
	const run = await bench.run(payEach(), TWO, { extras: { onError: 'continueErrorOutput' }, wiredBackBy: EDIT_NODE });
	say('comeback ' + kind, [bench.paid, run.error?.message, run.getRuns().map((r) => r.data?.main?.map((x) => x?.map((i) => i.json)))]);
});
it('sub', async () => {
	const ctx = { mode: 'integrated', parentExecutionId: '7' } as const;
	const a = await bench.run(payEach(), TWO, ctx);
	say('sub', [bench.paid, a.error?.message, a.error?.description, a.data.executionData?.runtimeData]);
	const b = await bench.run(payEach(), TWO, { ...ctx, parentExecutionId: '8' });
	say('sub again', [bench.paid, b.error?.message, b.error?.description]);
});
it('late reference', async () => {
	await bench.run(payEach(), TWO, { lost: { '20.02': 'dropBefore' } , extras: {onError: 'continueRegularOutput'}});
	const b = await bench.run(payEach({}, { reference: '={{ "NF-" + $json.amount }}' }), TWO);
	say('late', [bench.paid, b.error?.message, b.error?.description]);
	void EMAIL;
});
it('event', async () => {
});
