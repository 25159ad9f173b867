/** Check Batch warns of withdrawals of the last days that pay the same, whoever made them. */
import { batchOf, checkReferenced, problemCodes } from '../support/checks';
import type { Execution } from '../support/execution';
import { usePayouts } from '../support/money';
import { INVOICES, payEach, referenced } from '../support/payouts';
import { HOUR } from '../support/values';

const bench = usePayouts();
const NEW = { amount: 30.03, pixKey: 'ana@recipient.example', invoice: 'NF-3' };
/** Of each row, the warnings of equal payouts. */
const warningsOf = ({ json }: Execution) =>
	json.map(({ warnings }) => (warnings as string[]).filter((one) => one.startsWith('R$')));

it.each(['without references', 'by another tool, and with other references'])(
	'paid %s',
	async (how) => {
		const renamed = INVOICES.map((row) => ({ ...row, invoice: `X${row.invoice as string}` }));
		const { ids } = how.startsWith('without')
			? await bench.run(payEach(), INVOICES)
			: await bench.start(referenced(), renamed);
		bench.clock.advance(48 * HOUR);

		const checked = await checkReferenced(bench, [...INVOICES, NEW]);

		const [first, second, third] = warningsOf(checked);
		expect(first).toEqual([
			expect.stringMatching(
				new RegExp(
					`^R\\$ 10,01 went to this PIX key on \\d\\d/\\d\\d/\\d{4} at \\d\\d:\\d\\d \\(${ids[0]}\\)\\. If that was this payout, do not pay it again and record it: Withdrawal > Settle Reference, Paid, with the reference NF-1\\.$`,
				),
			),
		]);
		expect(second?.[0]).toContain(ids[1]);
		expect(third).toEqual([]);
		expect(problemCodes(checked)).toEqual([[], [], []]);
		expect(batchOf(checked)).toMatchObject({ ok: true, newCount: 3 });
		expect(checked.hints.join()).toContain(
			'look at equal payouts of the last days: rows 1 (NF-1), 2',
		);
	},
);

it.each<[string, () => Promise<unknown> | void]>([
	['what the row itself has paid', async () => await bench.start(referenced(), INVOICES)],
	[
		'what is older than six days',
		async () => {
			await bench.run(payEach(), INVOICES);
			bench.clock.advance((6 * 24 + 1) * HOUR);
		},
	],
	[
		'what the bank has refused',
		async () => {
			await bench.run(payEach(), INVOICES);
			bench.bankRefusesAll();
		},
	],
])('no warning of %s', async (_what, before) => {
	await before();
	expect(warningsOf(await checkReferenced(bench, INVOICES))).toEqual([[], []]);
});

it('says that it has not compared where the list cannot be read', async () => {
	bench.sandbox.faults.add({
		...{ kind: 'error', code: 'INTERNAL_ERROR', times: Infinity },
		when: ({ url }) => url.startsWith('/v1/withdrawals?'),
	});

	const checked = await checkReferenced(bench, INVOICES);

	expect(warningsOf(checked)).toEqual([[], []]);
	expect(batchOf(checked)).toMatchObject({ ok: true });
	expect(checked.hints.join()).toContain('may be missing in warnings');
});
