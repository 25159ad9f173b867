/** Charges with an External ID that end with an error. */
import { chargesOf, charging, enterInTable, ONCE, ORDERS } from '../support/charges';
import type { EngineHarness } from '../support/harness';
import { dataTables, restart } from '../support/ledger';
import { CPF, HOUR, MINUTE } from '../support/values';
import { runInto, scene, type Situation, waitAsTold } from './situation';

const [ONE = {}, TWO = {}] = ORDERS;
const BOLETO = {
	...{ methods: ['BOLETO'], mode: 'headless' },
	customer: { name: 'Maria Silva', document: CPF },
};
const BY_CARD = { methods: ['CARD'], mode: 'hosted' };
/** The same orders under other External IDs. */
const ANEW = ORDERS.map((row) => ({ ...row, order: `${row.order as string}-2` }));
const ONCE_ANEW = { 'PED-1-2': 1, 'PED-2-2': 1 };

/** The first attempts get no answer, before or after the service has created the charges. */
async function leaveOpen(bench: EngineHarness, kind: 'dropBefore' | 'dropAfter'): Promise<void> {
	await bench.start(charging(), ORDERS, { lost: kind });
}

const ALL: Situation[] = [
	{
		code: 'EXTERNAL_ID_MISMATCH',
		when: 'the amount is corrected back',
		says: ['If the row is wrong, correct it.'],
		async bringAbout(bench) {
			await bench.start(charging(), ORDERS);
			const wrong = [{ ...ONE, amount: 1 }, TWO];
			return await runInto(bench, charging(), wrong, undefined, ORDERS);
		},
	},
	{
		code: 'EXTERNAL_ID_MISMATCH',
		when: 'the earlier charge was wrong, and is cancelled',
		says: ['cancel it in the dashboard, then run the workflow again'],
		async bringAbout(bench) {
			await bench.start(charging(), [{ ...ONE, amount: 1 }, TWO]);
			return await runInto(bench, charging(), ORDERS, () => {
				const [wrong] = bench.sandbox.books.payments;
				bench.sandbox.setPaymentStatus(wrong!.id, 'CANCELLED');
			});
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
		when: 'another External ID is charged',
		says: ['To charge again, use another External ID, for example with -2 at the end.'],
		async bringAbout(bench) {
			await bench.start(charging({}, BOLETO), ORDERS);
			for (const { id } of bench.sandbox.books.payments) {
				bench.sandbox.setPaymentStatus(id, 'EXPIRED');
			}
			return await runInto(bench, charging({}, BOLETO), ORDERS, undefined, ANEW);
		},
		check: (bench) => expect(chargesOf(bench)).toEqual(ONCE_ANEW),
	},
	{
		code: 'EXISTING_PAYMENT',
		when: 'by card, and cancelled: another External ID is charged',
		says: ['To charge again, use another External ID, for example with -2 at the end.'],
		async bringAbout(bench) {
			await bench.start(charging({}, BY_CARD), ORDERS);
			for (const { id } of bench.sandbox.books.payments) {
				bench.sandbox.setPaymentStatus(id, 'CANCELLED');
			}
			return await runInto(bench, charging({}, BY_CARD), ORDERS, undefined, ANEW);
		},
		check: (bench) => expect(chargesOf(bench)).toEqual(ONCE_ANEW),
	},
	{
		code: 'CHARGE_IN_DOUBT',
		when: 'the list shows what looks alike, and a person enters which payment it is',
		says: [
			'find the row with the reference "PED-1" and the status sending. If the charge exists, set its status to created and its paymentId to the ID of the payment. If it does not, set its status to not created, at least five minutes after the last attempt. Then run the workflow again.',
		],
		async bringAbout(bench) {
			await leaveOpen(bench, 'dropAfter');
			bench.clock.advance(25 * HOUR);
			return await runInto(bench, charging(), ORDERS, () => {
				bench.clock.advance(MINUTE);
				for (const { id, externalId } of bench.sandbox.books.payments) {
					enterInTable(externalId ?? '', 'sending', { status: 'created', paymentId: id });
				}
			});
		},
	},
	{
		code: 'CHARGE_IN_DOUBT',
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
		says: ['at least five minutes after the last attempt', 'and the status sending'],
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
		when: 'the table was deleted: another node begins a new one, with what was not charged',
		says: [
			'To start over on purpose, replace this node with a new one, and remove all rows that were paid from the list.',
		],
		async bringAbout(bench) {
			const workflow = charging();
			await bench.start(workflow, [TWO]);
			dataTables().remove();
			restart();
			const failed = await bench.start(workflow, ORDERS);
			return scene(failed, async () => await bench.start(charging(), [ONE]));
		},
	},
];

/** Each External ID has one charge in the end, if nothing else is said. */
export const SITUATIONS = ALL.map((one): Situation => ({
	check: (bench) => expect(chargesOf(bench)).toEqual(ONCE),
	...one,
}));
