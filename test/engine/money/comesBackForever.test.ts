import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';
import { type Parameters } from '../support/workflow';

const bench = useBench();
const HOUR = 60 * 60_000;
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });
const booked = () => bench.sandbox.books.withdrawals;
const namesPaid = () => booked().map(({ description }) => description);
const errorsOf = ({ json }: Execution) => json.map(({ error }) => error as IDataObject | undefined);
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
const loseAll = (kind: 'dropAfter' | 'dropBefore') =>
	bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind });

/** adoptedKey.ts lastTriedAt: now; texts.ts inDoubt leaves out firstSentAt. */
it.each(['dropBefore', 'dropAfter'] as const)(
	'an item that comes back with its error a day later settles, or names a person: %s',
	async (kind) => {
		const clear = loseAll(kind);
		const failed = await bench.run(payNamed(), alike('A'), { ...begun(), ...CONTINUE });
		clear();
		let [error] = errorsOf(failed);
		bench.clock.advance(25 * HOUR);
		const waits: unknown[] = [];
		// What the error says: "shows for sure after …". Its execution succeeded, so n8n offers no Retry.
		for (let runs = 1; runs <= 3 && error !== undefined; runs += 1) {
			const again = await bench.run(payNamed(), [{ ...alike('A')[0], error }], {
				...begun(),
				...CONTINUE,
			});
			[error] = errorsOf(again);
			waits.push(error?.retryable);
			bench.clock.advance(10 * 60_000);
		}

		expect(waits).not.toEqual([true, true, true]);
		expect(namesPaid()).toEqual(['A']);
	},
);
