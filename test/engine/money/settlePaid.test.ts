/** A person says which withdrawal has paid a reference that was never sent: what was paid before is imported. */
import { dataTables } from '../support/ledger';
import { useMoney } from '../support/money';
import { CORRECTED, INVOICES, MISMATCHES, referenced, rowsOf } from '../support/references';
import { UUID } from '../support/values';

const bench = useMoney();
const [ONE = {}, TWO = {}] = INVOICES;
/** Another tool has paid both. */
const payElsewhere = async (): Promise<string[]> => await bench.payElsewhere(INVOICES);

it('is recorded with what the withdrawal has paid, and not paid again', async () => {
	const [first, second] = await payElsewhere();

	const settled = await bench.settle('NF-1', 'paid', first);
	await bench.settle('NF-2', 'paid', second);

	expect(settled).toMatchObject({ reference: 'NF-1', status: 'paid', withdrawalId: first });
	const [row] = dataTables().rows();
	expect(row).toMatchObject({ amount: 10.01, content: expect.stringMatching(/^1001-\w+-\w+\.$/) });
	expect(row?.pixKey).toContain('*');
	const run = await bench.pay();
	expect(run.json).toMatchObject([first, second].map((id) => ({ id, alreadyPaid: true })));
	expect(run.posts).toBe(0);
	expect(bench.paid).toEqual([1001, 2002]);
	expect(await bench.getReference('NF-1')).toMatchObject({ status: 'paid', withdrawalId: first });
});

it('keeps its content: another amount under that reference is refused', async () => {
	const [first, second] = await payElsewhere();
	await bench.settle('NF-1', 'paid', first);
	await bench.settle('NF-2', 'paid', second);

	expect((await bench.pay(CORRECTED)).codes).toEqual(MISMATCHES);
	expect(bench.paid).toEqual([1001, 2002]);
});

it.each<[string, () => Promise<string>, RegExp]>([
	['cannot be read', async () => UUID, /could not be read/],
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

	expect(error?.message).toContain('nothing about it is in doubt');
	expect(rowsOf('NF-1')).toEqual([]);
});

it('a reference that was refused is not settled: the error says what to do if it was paid by other means', async () => {
	bench.refuseNext(Infinity, 'INSUFFICIENT_BALANCE');
	await bench.pay();
	bench.sandbox.faults.clear();
	const [first] = await payElsewhere();

	const { error } = await bench.settle('NF-1', 'paid', first);

	expect(error?.description).toContain('If you have paid it by other means since it was refused');
});

it.each(['after', 'while'])(
	'is refused where a run pays the reference meanwhile, %s',
	async (when) => {
		const [first] = await payElsewhere();
		let runs = 0;
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || runs > 0) return;
			runs += 1;
			if (when === 'after') await bench.start(referenced(), [ONE]);
			else dataTables().addRow({ ...SENDING, sentAt: new Date(bench.clock.now()).toISOString() });
		};

		const { error } = await bench.settle('NF-1', 'paid', first);

		expect(runs).toBe(1);
		expect(error?.message).toContain('a run of the workflow is sending it now');
		expect(rowsOf('NF-1').map(({ status }) => status)).toEqual([
			when === 'after' ? 'paid' : 'sending',
		]);
		expect(
			dataTables()
				.rows()
				.map(({ withdrawalId }) => withdrawalId),
		).not.toContain(first);
	},
);

const SENDING = {
	...{ reference: 'NF-1', status: 'sending', environment: 'test', kind: 'payout', generation: 0 },
	...{ amount: 10.01, pixKey: null, withdrawalId: null, paymentId: null, apiKey: 'a', run: 'r' },
	...{ content: '1001-a-b.c', workflow: null, execution: null, details: null },
};

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
