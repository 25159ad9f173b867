/** What people do with references and with the table that remembers them, in a real n8n. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { getItems, type Execution } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, manualStart } from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const WITHDRAWALS = { method: 'POST', path: '/v1/withdrawals' } as const;

let rows: Array<Payout & { invoice: string }> = [];
let files = 0;
beforeEach(() => {
	// n8n's table remembers the references of the tests before.
	files += 1;
	rows = makePayouts(2).map((payout, index) => ({ ...payout, invoice: `R${files}-${index}` }));
});

const operation = (name: string, parameters: INodeParameters): INode =>
	brlPayments('Node', 'withdrawal', name, { ...parameters, options: {} }, CONTINUE);

const runNode = async (items: IDataObject[], node: INode): Promise<Execution> =>
	await world.run(buildWorkflow('References', [...manualStart(items), node]));

const PAY = operation('create', {
	...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' },
	reference: '={{ $json.invoice }}',
});
const payAll = async (): Promise<IDataObject[]> =>
	getItems(await runNode(rows, PAY), 'Node').map(({ json }) => json);

const getByReference = async (): Promise<IDataObject[]> => {
	const get = operation('getByReference', { reference: '={{ $json.invoice }}' });
	return getItems(await runNode(rows, get), 'Node').map(({ json }) => json);
};

const settle = async (
	row: IDataObject,
	outcome: 'paid' | 'notPaid',
	withdrawalId = '',
): Promise<IDataObject> => {
	const node = operation('settleReference', {
		reference: '={{ $json.invoice }}',
		outcome,
		...(outcome === 'paid' ? { withdrawalId } : {}),
	});
	return getItems(await runNode([row], node), 'Node')[0]!.json;
};

const codes = (items: IDataObject[]) =>
	items.map(({ error }) => (error as IDataObject | undefined)?.code);

/** Where n8n's editor reaches the table that remembers references. */
async function ledgerPath(): Promise<string> {
	const { data } = await world.client.request<{
		data: Array<{ id: string; projectId: string; name: string }>;
	}>('GET', '/rest/data-tables-global');
	const { id, projectId } = data.find(({ name }) => name === 'BRL Payouts')!;
	return `/rest/projects/${projectId}/data-tables/${id}`;
}

const loseAll = () =>
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'dropBefore', times: Infinity });

it('shows what is known of each reference, before and after it was paid', async () => {
	expect((await getByReference()).map(({ status }) => status)).toEqual([
		'never sent',
		'never sent',
	]);

	const paid = await payAll();

	expect(paid.map(({ alreadyPaid }) => alreadyPaid)).toEqual([false, false]);
	expect(await getByReference()).toMatchObject(
		paid.map(({ id }, index) => ({
			...{ reference: rows[index]!.invoice, status: 'paid', withdrawalId: id },
			withdrawal: { id },
			history: [{ status: 'paid', withdrawalId: id }],
		})),
	);
});

it('is in doubt with the key of another account, and settled by a person who has looked it up', async () => {
	const findAnswers = loseAll();
	expect(codes(await payAll())).toEqual(['TIMEOUT', 'TIMEOUT'].map(() => expect.any(String)));
	findAnswers();
	await world.useKey(world.sandbox.createKey({ environment: 'PRODUCTION' }));
	expect(codes(await payAll())).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
	expect(booked(world.sandbox.books.withdrawals)).toEqual([]);
	// Found in the dashboard, as paid by hand.
	const { amount, pixKey } = rows[0]!;
	const amountCents = Math.round(Number(amount.replace(',', '.')) * 100);
	const { id } = world.sandbox.payByOtherTool({
		...{ pixKey, amountCents, environment: 'PRODUCTION' },
	});

	expect(await settle(rows[0]!, 'paid', id)).toMatchObject({ status: 'paid', withdrawalId: id });
	expect(codes([await settle(rows[1]!, 'paid', id)])).toEqual(['NOT_SETTLED']);

	const [first, second] = await payAll();
	expect(first).toMatchObject({ id, alreadyPaid: true });
	expect(codes([second!])).toEqual(['PAYOUT_IN_DOUBT']);
	await world.useKey(world.sandbox.keys.live);
	expect(codes(await payAll())).toEqual([undefined, undefined]);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});

it('does what a person writes into the table', async () => {
	const [first] = await payAll();
	const path = `${await ledgerPath()}/rows`;
	const filters = [{ columnName: 'reference', condition: 'eq', value: rows[0]!.invoice }];
	const write = async (status: string) =>
		await world.client.request('PATCH', path, {
			...{ filter: { type: 'and', filters }, data: { status } },
		});
	// A slip of the pen, which nothing can make sense of.
	await write('payed');
	expect(codes(await payAll())).toEqual(['PAYOUT_IN_DOUBT', undefined]);
	await write('paid');
	expect((await payAll())[0]).toMatchObject({ id: first!.id, alreadyPaid: true });
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});

it('refuses every reference once the table that the node has used was deleted', async () => {
	const before = await payAll();
	await world.client.request('DELETE', await ledgerPath());

	// The same node: its workflow is saved, as people's are.
	const workflow = await world.client.createWorkflow(
		buildWorkflow('Deleted', [...manualStart(rows), PAY]),
	);
	const run = async () =>
		getItems(await world.client.runToEnd(workflow.id, 'Start'), 'Node').map(({ json }) => json);
	const paid = await run();
	// A node that never knew the table creates it: the service still knows the keys.
	expect(paid.map((item) => item.id)).toEqual(before.map((item) => item.id));
	await world.client.request('DELETE', await ledgerPath());

	expect(codes(await run())).toEqual(['REFERENCES_UNAVAILABLE', 'REFERENCES_UNAVAILABLE']);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});
