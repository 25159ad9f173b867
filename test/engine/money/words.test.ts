import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CPF, EMAIL } from '../support/values';
import { type Parameters } from '../support/workflow';

const bench = useBench();
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });
const errorsOf = ({ json }: Execution) => json.map(({ error }) => error as IDataObject | undefined);
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
const strike = (name: string, fault: object) =>
	bench.sandbox.faults.add({
		...{ method: 'POST', times: Infinity },
		when: ({ rawBody }) => rawBody.includes(`"${name}"`),
		...(fault as { kind: 'dropAfter' }),
	});

/** runSummaryText.ts, guard.ts duplicateFound */
const guarded = payNamed({ duplicateGuard: 'always' });

it('does not say that every item is paid where the withdrawals are those of others', async () => {
	for (const pixKey of [CPF, EMAIL]) bench.sandbox.seed.withdrawal({ pixKey, amountCents: 5000 });

	const rows = [...alike('one'), { amount: 50, pixKey: EMAIL, name: 'two' }];
	const { error } = await bench.run(guarded, rows, begun());

	expect(error?.description).not.toContain('Every item is paid');
	expect(error?.description).not.toContain('had been paid before');
});

it('does not claim `effect: none` where the withdrawal may be that of the item itself, after a kill', async () => {
	const killed = await bench.run(guarded, alike('one'), { ...begun(), ...CONTINUE });

	const retried = await bench.retryAfterKill(killed);

	expect(errorsOf(retried)[0]).toMatchObject({ code: 'POSSIBLE_DUPLICATE', effect: 'unknown' });
});

it('does not say "paid now" of what an own key shows again within seconds', async () => {
	const own = payNamed({ idempotencyKey: '={{ "key-" + $json.name }}' });
	await bench.run(own, alike('A'), begun());
	strike('B', { kind: 'error', code: 'INSUFFICIENT_BALANCE' });

	const { error } = await bench.run(own, alike('A', 'B'), begun());

	expect(error?.description).not.toContain('1 of 2 items were paid now');
});
