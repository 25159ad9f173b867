/** A person says which withdrawal has paid a reference that was never sent: what was paid before is imported. */
import { omit } from 'lodash';
import { dataTables } from '../support/ledger';
import { rowsOf, usePayouts } from '../support/money';
import { INVOICES, payEach, referenced } from '../support/payouts';
import { CPF, HOUR } from '../support/values';
import { CONTINUE } from '../support/workflow';

const bench = usePayouts();
const [ONE = {}, TWO = {}] = INVOICES;
/** Another tool has paid both. */
const payElsewhere = async (): Promise<string[]> => await bench.payElsewhere(INVOICES);

it('is recorded with what the withdrawal has paid, and not paid again', async () => {
	const [first, second] = await payElsewhere();

	const settled = await bench.settle('NF-1', 'paid', first);
	await bench.settle('NF-2', 'paid', second);

	expect(settled).toMatchObject({ reference: 'NF-1', status: 'paid', withdrawalId: first });
	const [row] = dataTables().rows();
	expect(row).toMatchObject({ amount: 10.01, content: expect.stringMatching(/^1001-/) });
	expect(row?.pixKey).toContain('*');
	const run = await bench.pay();
	expect(run.json).toMatchObject([first, second].map((id) => ({ id, alreadyPaid: true })));
	expect(run.posts).toBe(0);
	expect(bench.paid).toEqual([1001, 2002]);
	expect(await bench.getReference('NF-1')).toMatchObject({ status: 'paid', withdrawalId: first });
});

it('is said to be new, in case that the list writes it in another way', async () => {
	const { json } = await bench.pay();
	const settle = async (reference: string, withdrawalId: string) => {
		const parameters = { operation: 'settleReference', reference, outcome: 'paid', withdrawalId };
		return await bench.run({ resource: 'withdrawal', ...parameters, options: {} }, [{}]);
	};
	const [elsewhere = ''] = await payElsewhere();

	expect((await settle('nf-1', elsewhere)).hints).toEqual([
		expect.stringContaining('never sent this reference'),
	]);
	expect((await settle('NF-2', json[1]!.id)).hints).toEqual([]);
});

it('is refused for all items of a run that name one withdrawal', async () => {
	const [id = ''] = await payElsewhere();
	const parameters = {
		...{ resource: 'withdrawal', operation: 'settleReference', reference: '={{ $json.invoice }}' },
		...{ outcome: 'paid', withdrawalId: id, options: {} },
	};

	const { codes } = await bench.run(parameters, INVOICES, CONTINUE);

	expect(codes).toContain('NOT_SETTLED');
	expect(rowsOf().length).toBeLessThan(2);
});

it.each<[string, Parameters<typeof bench.strike>[1]]>([
	['was refused', { kind: 'error', code: 'INSUFFICIENT_BALANCE' }],
	['never arrived', { kind: 'dropBefore' }],
])('of an equal row is not taken for an automatic name whose payout %s', async (_, fault) => {
	const rows = ['one', 'two'].map((line) => ({ amount: 10.01, pixKey: CPF, line }));
	bench.strike('two', fault);
	const parameters = payEach({ maxConcurrency: 1 }, { description: '={{ $json.line }}' });
	const first = await bench.run(parameters, rows, { ...CONTINUE, ...bench.begunNow });
	bench.clock.advance(HOUR);
	const { id } = first.json[0] as { id: string };
	const { order } = (first.json[1] as { error: { order: { name: string } } }).error;

	const { error } = await bench.settle(order.name, 'paid', id);

	expect(error).toMatchObject({ code: 'NOT_SETTLED' });
	expect(bench.paid).toEqual([1001]);
});

it.each<[string, () => Promise<string>, RegExp]>([
	[
		'has failed',
		async () => {
			const [id] = await payElsewhere();
			bench.bankRefusesAll();
			return id!;
		},
		/the bank refused this withdrawal/,
	],
	[
		'is that of a reference that was paid',
		async () => (await bench.pay([TWO])).ids[0]!,
		/has this withdrawal for another reference \(NF-2\)/,
	],
	[
		'was entered for another reference',
		async () => {
			const [id] = await payElsewhere();
			await bench.settle('NF-9', 'paid', id);
			return id!;
		},
		/has this withdrawal for another reference \(NF-9\)/,
	],
])('is refused where the withdrawal %s', async (_what, toId, why) => {
	const { error } = await bench.settle('NF-1', 'paid', await toId());

	expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
	expect(error?.message).toMatch(why);
	expect(rowsOf('NF-1')).toEqual([]);
});

it('an automatic name without rows is not known: it may have been forgotten', async () => {
	const [first] = await payElsewhere();
	const name = 'auto-0123456789abcdef';

	expect(await bench.getReference(name)).toMatchObject({ reference: name, status: 'not known' });
	for (const outcome of ['paid', 'notPaid'] as const) {
		const { error } = await bench.settle(name, outcome, first);
		expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
		expect(error?.message).toContain('automatic names are kept for 20 days');
	}
	expect(dataTables().rows()).toEqual([]);
});

it('Not Paid has nothing to say of it', async () => {
	const { error } = await bench.settle('NF-1', 'notPaid');

	expect(error?.message).toContain('n8n has never sent it, so nothing about it is in doubt');
	// To run the workflow would pay what was paid in another way.
	expect(error?.description).toContain('choose Paid and enter its ID');
	expect(error?.description.toLowerCase()).not.toContain('run the workflow');
	expect(rowsOf('NF-1')).toEqual([]);
});

it.each([
	['has paid', 'paid', 'nothing about it is in doubt'],
	['is sending', 'sending', 'a request of this payout may still arrive'],
])('is refused where a run %s the reference meanwhile', async (_what, status, why) => {
	await bench.pay([{ ...ONE, invoice: 'NF-8' }, TWO]);
	const [first] = await payElsewhere();
	const row = omit(dataTables().rows()[0], 'id', 'createdAt', 'updatedAt');
	let runs = 0;
	dataTables().onStep = async (operation) => {
		if (operation !== 'insert' || runs > 0) return;
		runs += 1;
		const own = { ...row, reference: 'NF-1', sentAt: new Date(bench.clock.now()).toISOString() };
		if (status === 'paid') await bench.pay([ONE]);
		else dataTables().addRow({ ...own, status, withdrawalId: null });
	};

	const { error } = await bench.settle('NF-1', 'paid', first);

	expect(runs).toBe(1);
	expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
	expect(error?.message).toContain(why);
	expect(rowsOf('NF-1')).toMatchObject([{ status }]);
	expect(JSON.stringify(dataTables().rows())).not.toContain(first);
});

describe('Get by Reference with a key of the other environment', () => {
	const LIVE = () => ({ credential: bench.liveCredential });

	it.each([
		['live', 'test', LIVE, () => ({})],
		['test', 'live', () => ({}), LIVE],
	] as const)('paid with a %s key, asked with a %s key', async (paidWith, askedWith, pay, ask) => {
		await bench.pay(INVOICES, pay());
		const day = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo' });

		const found = await bench.getReference('NF-2', ask());

		expect(found).toMatchObject({
			...{ status: 'other environment', environment: askedWith, withdrawal: null, history: [] },
			message: `NF-2 was paid with a ${paidWith} key on ${day.format(bench.clock.now())}. This credential has a ${askedWith} key.`,
		});
		expect(await bench.getReference('NF-2', pay())).toMatchObject({ status: 'paid' });
		expect(await bench.getReference('NF-9', ask())).toMatchObject({ status: 'never sent' });
	});

	it('does not call paid what got no answer', async () => {
		await bench.payUnseen(referenced());

		const { message } = await bench.getReference('NF-1', LIVE());

		expect(message).toMatch(/^NF-1 was sent with a test key on /);
	});

	it('says what is known with its own key, if something is', async () => {
		await bench.pay(INVOICES, LIVE());
		await bench.pay();

		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'paid', environment: 'test' });
		expect(bench.living).toEqual({ 'NF-1': 2, 'NF-2': 2 });
	});
});
