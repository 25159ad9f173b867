/** Charges with an External ID: the lines C1 to C9 of docs/never-paid-twice.md that end with an error. */
import { chargesOf, charging, enterInTable, ONCE, ORDERS } from '../support/charges';
import type { EngineHarness } from '../support/harness';
import { dataTables } from '../support/ledger';
import { HOUR, MINUTE } from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';
import { changeOptions } from '../support/workflow';
import { runInto, type Situation, waitAsTold } from './situation';

const [ONE = {}, TWO = {}] = ORDERS;
const BOLETO = {
	...{ methods: ['BOLETO'], mode: 'headless' },
	customer: { name: 'Maria Silva', document: CPF },
};

/** The first attempts get no answer, before or after the service has created the charges. */
async function leaveOpen(bench: EngineHarness, kind: 'dropBefore' | 'dropAfter'): Promise<void> {
	await bench.start(charging(), ORDERS, { lost: kind });
}

const ALL: Situation[] = [
	{
		code: 'EXTERNAL_ID_MISMATCH',
		line: 'C4',
		when: 'the amount is corrected back',
		says: ['Otherwise correct the amount.'],
		async bringAbout(bench) {
			await bench.start(charging(), ORDERS);
			const wrong = [{ ...ONE, amount: 1 }, TWO];
			return await runInto(bench, charging(), wrong, undefined, ORDERS);
		},
	},
	{
		code: 'EXTERNAL_ID_MISMATCH',
		when: 'two rows have one External ID: one gets its own',
		says: ['Correct the row, or give it its own External ID.'],
		bringAbout: async (bench) =>
			await runInto(bench, charging(), [ONE, { ...ONE, amount: 1 }], undefined, ORDERS),
	},
	{
		code: 'CHARGE_EXPIRED',
		line: 'C6',
		when: 'another External ID is charged',
		says: ['To charge again, use another External ID, for example with -2 at the end.'],
		async bringAbout(bench) {
			await bench.start(charging({}, BOLETO), ORDERS);
			for (const { id } of bench.sandbox.books.payments) {
				bench.sandbox.setPaymentStatus(id, 'EXPIRED');
			}
			const again = ORDERS.map((row) => ({ ...row, order: `${row.order as string}-2` }));
			return await runInto(bench, charging({}, BOLETO), ORDERS, undefined, again);
		},
		check: (bench) => expect(chargesOf(bench)).toEqual({ 'PED-1-2': 1, 'PED-2-2': 1 }),
	},
	{
		code: 'CHARGE_IN_DOUBT',
		line: 'C7',
		when: 'the list shows what looks alike, and a person enters which payment it is',
		says: [
			'look for a row with the reference "PED-1" and the status in doubt. If the charge exists, set its status to created and its paymentId to the ID of the payment, and run the workflow again. If it does not, set its status to not created, and run the workflow again 5 minutes later.',
		],
		async bringAbout(bench) {
			await leaveOpen(bench, 'dropAfter');
			bench.clock.advance(25 * HOUR);
			return await runInto(bench, charging(), ORDERS, () => {
				bench.clock.advance(MINUTE);
				for (const { id, externalId } of bench.sandbox.books.payments) {
					enterInTable(externalId ?? '', 'in doubt', { status: 'created', paymentId: id });
				}
			});
		},
	},
	{
		code: 'CHARGE_IN_DOUBT',
		line: 'C3',
		when: 'a changed charge may still arrive: it is run again at the time that the error names',
		says: ['Run the workflow again after 20', 'the External ID is recognized, and charged once.'],
		async bringAbout(bench) {
			await leaveOpen(bench, 'dropAfter');
			const changed = ORDERS.map((row) => ({ ...row, amount: 70.02 }));
			return await runInto(bench, charging(), changed, (failed) => waitAsTold(bench, failed));
		},
		// They exist with the first amount, and nobody knows whose they are.
		stillFails: ['CHARGE_IN_DOUBT', 'CHARGE_IN_DOUBT'],
	},
	{
		code: 'CHARGE_IN_DOUBT',
		when: 'it was sent with another API key: a person enters that it was not created',
		says: ['at least 5 minutes after the last attempt', 'and the status sending'],
		async bringAbout(bench) {
			await leaveOpen(bench, 'dropBefore');
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX' });
			const notCreated = () => {
				bench.clock.advance(5 * MINUTE);
				for (const { order } of ORDERS) {
					enterInTable(order as string, 'sending', { status: 'not created' });
				}
			};
			const settings = { credential: { apiKey } };
			return await runInto(bench, charging(), ORDERS, notCreated, ORDERS, settings);
		},
	},
	{
		code: 'LEDGER_UNAVAILABLE',
		line: 'C9',
		when: 'the table was deleted: the option is turned off for now',
		says: [
			'look for each External ID in the list of payments first, then turn off Options > Once per External ID: each run then charges every item, also what was charged before.',
		],
		async bringAbout(bench) {
			const workflow = charging();
			await bench.start(workflow, [TWO]);
			dataTables().remove();
			restart();
			return await runInto(bench, workflow, [ONE], () =>
				changeOptions(workflow, { oncePerExternalId: false }),
			);
		},
	},
];

/** Each External ID has one charge in the end, if nothing else is said. */
export const SITUATIONS = ALL.map((one): Situation => ({
	check: (bench) => expect(chargesOf(bench)).toEqual(ONCE),
	...one,
}));
