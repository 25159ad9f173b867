/** What a person does between a failure and the next attempt, in a real n8n: the books show each payout once. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../dev/n8n/paths';
import type { WorkflowDefinition } from '../../dev/n8n/rest/rest';
import { waitFor } from '../../dev/n8n/process/waitFor';
import {
	MANUAL,
	manualStart,
	node,
	payEachItem,
	webhookStart,
	buildWorkflow,
} from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

const WITHDRAWALS = { method: 'POST', path: '/v1/withdrawals', times: Infinity } as const;
const itIfTraced = isN8nFrom('2.20') ? it : it.skip;
const itWithTables = isN8nFrom('2.3') ? it : it.skip;

/** Different references in each test: n8n's table remembers them. */
const makeInvoices = (count: number, prefix: string): Payout[] =>
	makePayouts(count).map((payout, index) => ({ ...payout, invoice: `${prefix}-${index}` }));
const payByReference = () => payEachItem({}, {}, { reference: '={{ $json.invoice }}' });

const expectEachOnce = (owed: readonly Payout[]): void =>
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(owed));

const paidBefore = (execution: Parameters<typeof getItems>[0]) =>
	getItems(execution, 'Pay').map(({ json }) => json.alreadyPaid);

/** The workflow with other parameters of one of its nodes. */
const edited = (
	workflow: WorkflowDefinition,
	name: string,
	parameters: INodeParameters,
): WorkflowDefinition => ({
	...workflow,
	nodes: workflow.nodes.map((each): INode =>
		each.name === name ? { ...each, parameters: { ...each.parameters, ...parameters } } : each,
	),
});

/** Starts a workflow, and kills n8n as soon as four payouts are booked. Returns the execution. */
async function killWhilePaying(workflowId: string, path: string, items: IDataObject[]) {
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'delay', ms: 300 });
	const executionId = await world.trigger(workflowId, path, { items });
	await waitFor(() => world.sandbox.books.withdrawals.length >= 4, {
		what: 'four payouts',
		pollMs: 5,
	});
	await world.n8n.kill9();
	await world.startN8n();
	world.sandbox.faults.clear();
	return executionId;
}

it('follows the error, fills in Recipient Document, and retries with the saved workflow', async () => {
	const payouts = makePayouts(6);
	const found = world.sandbox.faults.add({
		...{ ...WITHDRAWALS, kind: 'dropBefore' },
		when: ({ rawBody }) => rawBody.includes(payouts[5]!.pixKey),
	});
	const workflow = buildWorkflow('Document', [...manualStart(payouts), payEachItem()]);
	const { id } = await world.client.createWorkflow(workflow);
	const failed = await world.client.runToEnd(id, MANUAL);
	expect(failed.status).toBe('error');
	found();
	const recipientDocument = '529.982.247-25';
	await world.client.updateWorkflow(id, edited(workflow, 'Pay', { recipientDocument }));

	const retried = await world.client.retryExecution(failed, true);

	expect(retried.status).toBe('success');
	expectEachOnce(payouts);
});

itIfTraced('retries after a kill, with a list that has lost its first rows', async () => {
	const path = 'by-hand-crash';
	const many = makePayouts(30);
	const workflow = buildWorkflow(path, [
		...webhookStart(path),
		node('Unpaid', 'limit', 1, { maxItems: 30 }),
		payEachItem(),
	]);
	const workflowId = await world.listen(workflow);
	const executionId = await killWhilePaying(workflowId, path, many);
	const crashed = await world.client.waitForExecution(executionId);
	// The person takes the rows out that were paid: the last rows of the list are left.
	const left = edited(workflow, 'Unpaid', { maxItems: 20, keep: 'lastItems' });
	await world.client.updateWorkflow(workflowId, left);

	const retried = await world.client.retryExecution(crashed, true);

	expect(retried.status).toBe('success');
	const books = booked(world.sandbox.books.withdrawals);
	expect(books).toEqual([...new Set(books)]);
	expect(books).toEqual(expect.arrayContaining(intended(many.slice(10))));
});

itWithTables(
	'presses Execute again: with references it ends green, and pays what was missing',
	async () => {
		const invoices = makeInvoices(6, 'NF');
		const first = buildWorkflow('References', [
			...manualStart(invoices.slice(0, 5)),
			payByReference(),
		]);
		const { id } = await world.client.createWorkflow(first);
		await world.client.runToEnd(id, MANUAL);
		const { parameters } = manualStart([...invoices].reverse())[1]!;
		await world.client.updateWorkflow(id, edited(first, 'List', parameters));

		const second = await world.client.runToEnd(id, MANUAL);

		expect(second.status).toBe('success');
		expect(paidBefore(second)).toEqual([false, ...Array(5).fill(true)]);
		expectEachOnce(invoices);
	},
);

itWithTables('runs the list again after a kill: each reference is paid once', async () => {
	const path = 'by-hand-references';
	const many = makeInvoices(30, 'K');
	const workflow = buildWorkflow(path, [...webhookStart(path), payByReference()]);
	const workflowId = await world.listen(workflow);
	await killWhilePaying(workflowId, path, many);
	const runAgain = async (items: IDataObject[]) =>
		await world.client.waitForExecution(await world.trigger(workflowId, path, { items }));

	const second = await runAgain([...many].reverse());

	expect(second.status).toBe('success');
	expect(getItems(second, 'Pay')).toHaveLength(many.length);
	expectEachOnce(many);
	expect(paidBefore(await runAgain(many))).toEqual(many.map(() => true));
	expectEachOnce(many);
});
