/** Charges with an External ID: each is created once, by any execution, today or next year. */
import type { IDataObject } from 'n8n-workflow';
import {
	ONCE,
	ORDERS,
	chargeEach,
	chargesOf,
	charging,
	expectTrueCharges,
} from '../support/charges';
import { type Execution } from '../support/execution';
import { type RunSettings, useBench } from '../support/harness';
import { dataTables, restart } from '../support/ledger';
import { BEFORE, FINE, NOW, slowDownTables } from '../support/money';
import { CPF, HOUR, MINUTE } from '../support/values';
import { edit, type Parameters } from '../support/workflow';

const bench = useBench();
const [ONE = {}, TWO = {}] = ORDERS;
const BOLETO = {
	...{ methods: ['BOLETO'], mode: 'headless' },
	customer: { name: 'Maria Silva', document: CPF },
};
const BY_CARD = { methods: ['CARD'], mode: 'hosted' };
const NOT_ONCE = { oncePerExternalId: false };
const WITHOUT_ID = { externalId: '' };
const DOUBTS = ['CHARGE_IN_DOUBT', 'CHARGE_IN_DOUBT'];

/** A workflow charges, with both orders if nothing else is said. */
const charge = async (
	rows: IDataObject[] = ORDERS,
	settings: RunSettings = {},
	more: Parameters = {},
) => await bench.start(charging({}, more), rows, settings);
/** The same by another method, or with other fields. */
const chargeBy = async (more: Parameters) => await charge(ORDERS, {}, more);
/** Another node charges the same amount without an External ID. */
const chargeElsewhere = async (more: Parameters = WITHOUT_ID) =>
	await bench.run(chargeEach(NOT_ONCE, more), [{ amount: 50.02 }]);
/** The items as they leave the error output. */
const withErrors = ({ json }: Execution) =>
	json.map((item, index) => ({ ...ORDERS[index], ...item }));
const expectTrue = (...executions: Execution[]) => expectTrueCharges(bench, ORDERS, ...executions);
/** Each External ID has one charge, and the execution says of each whether an earlier one has created it. */
const expectOnce = (execution: Execution, createdBefore: boolean[], living: object = ONCE) => {
	expect(execution.createdBefore).toEqual(createdBefore);
	expect(chargesOf(bench)).toEqual(living);
	expectTrue(execution);
};
const setStatus = (...statuses: Array<'PAID' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED'>) => {
	for (const { id } of bench.sandbox.books.payments) {
		for (const status of statuses) bench.sandbox.setPaymentStatus(id, status);
	}
};
/** The answers of a run get lost, and so do those of its repetitions. */
const chargeUnseen = async () => {
	await charge(ORDERS, { lost: 'dropAfter' });
	expect(chargesOf(bench)).toEqual(ONCE);
};

it('says that it was created now, and leaves one row in the table', async () => {
	const execution = await charge();

	expectOnce(execution, NOW);
	const rows = dataTables().rows();
	expect(rows).toMatchObject([
		{ reference: 'PED-1', status: 'created', kind: 'charge', amount: 50.02, withdrawalId: null },
		{ reference: 'PED-2', status: 'created', kind: 'charge', amount: 50.02, withdrawalId: null },
	]);
	expect(rows.map(({ paymentId }) => paymentId)).toEqual(execution.ids);
});

describe.each([
	['at once', 0],
	['the next day', 25],
	['next year', 365 * 24],
])('run again %s', (_when, hours) => {
	it.each([
		['its PIX code', { methods: ['PIX'], mode: 'headless' }, 'pixCode'],
		['its link', { methods: ['PIX'], mode: 'hosted' }, 'checkoutUrl'],
		['its boleto line', BOLETO, 'boletoLine'],
	])('returns each charge as it is now, with %s', async (_what, more, field) => {
		const first = await chargeBy(more);
		bench.clock.advance(hours * HOUR);
		restart();
		setStatus('PAID');

		const again = await chargeBy(more);

		expect(again.posts).toBe(0);
		expect(again.ids).toEqual(first.ids);
		expect(again.createdBefore).toEqual(BEFORE);
		expect(again.json).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }]);
		for (const [index, item] of again.json.entries()) {
			expect(item[field]).toMatch(/./);
			expect(item[field]).toBe(first.json[index]?.[field]);
		}
	});

	it('finds out what became of charges whose answers were lost', async () => {
		await chargeUnseen();
		bench.clock.advance(hours * HOUR);
		restart();

		const again = await charge();

		expect(chargesOf(bench)).toEqual(ONCE);
		expectTrue(again);
		// After the life of the key, only a list could tell, and it shows what looks alike.
		expect(again.codes).toEqual(hours < 24 ? FINE : DOUBTS);
	});

	it('does not pretend to know how a charge is that it cannot read', async () => {
		await chargeUnseen();
		bench.clock.advance(hours * HOUR);
		setStatus('PAID');

		const { json } = await charge(ORDERS, {
			credential: { apiKey: bench.keyWith('payments:write') },
		});

		for (const { error, status, alreadyCreated } of json) {
			if (error === undefined) expect([status, alreadyCreated]).toEqual(['UNKNOWN', true]);
		}
		expect(chargesOf(bench)).toEqual(ONCE);
	});
});

describe('an External ID that several customers have, such as a month', () => {
	const byDocument = { customer: { name: 'Somebody', document: '={{ $json.cpf }}' } };
	const ANA = { ...ONE, cpf: CPF };
	const BIA = { ...ONE, cpf: '111.444.777-35' };

	it.each([
		['in another execution', [[ANA], [BIA]]],
		['in one execution', [[ANA, BIA]]],
	])('is refused for the second one, %s', async (_where, lists) => {
		const executions: Execution[] = [];
		for (const list of lists) executions.push(await charge(list, {}, byDocument));

		expect(executions.flatMap(({ codes }) => codes)).toEqual([undefined, 'EXTERNAL_ID_MISMATCH']);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
	});

	it('and its answer got lost: the second one is not sent the charge of the first', async () => {
		await charge([ANA], { lost: 'dropAfter' }, byDocument);

		const { codes } = await charge([BIA], {}, byDocument);

		expect(codes).toEqual(['CHARGE_IN_DOUBT']);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
	});

	it.each([
		['for the same customer', byDocument, byDocument],
		['without a document from now on', byDocument, {}],
		['with a document from now on', {}, byDocument],
	])('is the same charge %s', async (_whose, before, now) => {
		await charge([ANA], {}, before);

		const again = await charge([ANA], {}, now);

		expect(again.createdBefore).toEqual([true]);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
	});
});

it.each<[string, () => void]>([
	['all goes well', () => undefined],
	['the first answer of each is lost', () => void bench.lose('dropAfter', undefined, 2)],
	['requests are lost', () => void bench.lose('dropBefore', undefined, 3)],
	['the table is slow', slowDownTables],
])('two executions at once create each charge once: %s', async (_how, happen) => {
	happen();

	const runs = await Promise.all([charge(), charge()]);

	expectTrue(...runs);
	for (const count of Object.values(chargesOf(bench))) expect(count).toBe(1);
	const last = await charge();
	expect(last.codes).toEqual(FINE);
	expect(chargesOf(bench)).toEqual(ONCE);
	expectTrue(...runs, last);
});

it('is not created again under another External ID that a retry makes of the row', async () => {
	const killed = await charge();
	edit(killed, { externalId: '={{ $json.order }}/2026' });

	const again = await bench.retryAfterKill(killed);

	expect(again.codes).toEqual(['ROWS_CHANGED', 'ROWS_CHANGED']);
	expect(again.errors[0]?.message).toContain('was charged as "PED-1" by an earlier attempt');
	expect(chargesOf(bench)).toEqual(ONCE);
});

describe('what looks alike', () => {
	beforeEach(async () => void (await charge(ORDERS, { lost: 'dropBefore' })));

	it('is never taken for the charge, and is named if nobody can tell', async () => {
		bench.clock.advance(25 * HOUR);
		const { ids } = await chargeElsewhere();
		bench.clock.advance(10 * MINUTE);

		const { errors } = await charge();

		const doubt = { code: 'CHARGE_IN_DOUBT', effect: 'unknown', paymentIds: ids };
		expect(errors).toMatchObject([doubt, doubt]);
	});

	it('is left out if it is known to be the charge of another External ID', async () => {
		bench.clock.advance(25 * HOUR);
		await charge([{ amount: 50.02, order: 'PED-3' }]);
		bench.clock.advance(10 * MINUTE);
		expectOnce(await charge(), NOW, { ...ONCE, 'PED-3': 1 });
	});
});

it('takes no payment of another amount for its own that the service has just made for somebody', async () => {
	await bench.run(chargeEach(NOT_ONCE, BY_CARD), [{ amount: 31, order: 'PED-1' }]);

	const { errors } = await charge([{ amount: 32, order: 'PED-1' }], {}, BY_CARD);

	expect(errors).toMatchObject([{ effect: 'unknown' }]);
});

it('takes back an item that it has failed itself, wired back from its error output', async () => {
	const execution = await charge(withErrors(await charge(ORDERS, { lost: 'dropAfter' })));

	expect(execution.codes).toEqual(FINE);
	expect(chargesOf(bench)).toEqual(ONCE);
	expectTrue(execution);
});

it('in doubt, for which a person has entered the payment of another one: neither passes for charged', async () => {
	await chargeUnseen();
	bench.clock.advance(25 * HOUR);
	restart();
	expect((await charge()).codes).toEqual(DOUBTS);
	const paymentId = bench.sandbox.books.payments[0]!.id;
	for (const { id } of dataTables().rows()) {
		dataTables().editRow(id, { status: 'created', paymentId });
	}

	expect((await charge()).codes).toEqual(DOUBTS);
	expect(chargesOf(bench)).toEqual(ONCE);
});

it.each(['CANCELLED', 'EXPIRED'] as const)(
	'is created anew, once, if it has ended without a boleto: %s',
	async (status) => {
		bench.assume('repeatedExternalId');
		const first = await charge();
		setStatus(status);

		const again = await charge();
		const third = await charge();

		expect(again.createdBefore).toEqual(NOW);
		expect(again.ids).not.toEqual(first.ids);
		expect(third.ids).toEqual(again.ids);
		expect(chargesOf(bench)).toEqual(ONCE);
	},
);

it('is one charge for two items of one run', async () => {
	expect((await charge([ONE, ONE])).createdBefore).toEqual([false, true]);
	expect(chargesOf(bench)).toEqual({ 'PED-1': 1 });
});

it('by card is returned under whatever key it is asked for: the service finds the earlier payment itself', async () => {
	const first = await chargeBy(BY_CARD);
	for (const { id } of dataTables().rows()) dataTables().deleteRow(id);
	bench.clock.advance(25 * HOUR);

	const again = await chargeBy(BY_CARD);

	expect(again.ids).toEqual(first.ids);
	expectOnce(again, BEFORE);
});

describe('not once', () => {
	it('if the option is off: each run charges', async () => {
		bench.assume('repeatedExternalId');
		const workflow = charging(NOT_ONCE);
		await bench.start(workflow, ORDERS);
		const again = await bench.start(workflow, ORDERS);

		expect(again.json.map((item) => 'alreadyCreated' in item)).toEqual([false, false]);
		expect(chargesOf(bench)).toEqual({ 'PED-1': 2, 'PED-2': 2 });
	});

	it('if no External ID was given', async () => {
		await chargeBy(WITHOUT_ID);
		await chargeBy(WITHOUT_ID);
		expect(bench.sandbox.books.payments).toHaveLength(4);
		expect(dataTables().has()).toBe(false);
	});

	it('is refused if an expression for the External ID returns nothing', async () => {
		const { errors } = await charge([{ amount: 1 }, TWO]);
		expect(errors[0]?.message).toContain('External ID is empty in this row');
		expect(chargesOf(bench)).toEqual({ 'PED-2': 1 });
	});
});
