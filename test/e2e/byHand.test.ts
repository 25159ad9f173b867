/** What a person does between a failure and the next attempt, in a real n8n: the books show each payout once. */
import type { INode, INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';
import {
	brlPayments,
	connectInLine,
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

const WITHDRAWALS = { method: 'POST', path: '/v1/withdrawals' } as const;
const itIfTraced = isN8nFrom('2.20') ? it : it.skip;
const itWithTables = isN8nFrom('2.3') ? it : it.skip;
let payouts: Payout[] = [];
let invoices: Payout[] = [];
beforeEach(() => {
	payouts = makePayouts(6);
	invoices = payouts.map((payout, index) => ({ ...payout, invoice: `NF-${index + 1}` }));
});
const BY_REFERENCE = { reference: '={{ $json.invoice }}' };

const pay = (more: INodeParameters = {}, extras = {}): INode =>
	brlPayments(
		'Pay',
		'withdrawal',
		'create',
		{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}', ...more, options: {} },
		extras,
	);

const lose = (pixKey: string) =>
	world.sandbox.faults.add({
		...WITHDRAWALS,
		kind: 'dropBefore',
		times: Infinity,
		when: ({ rawBody }) => rawBody.includes(pixKey),
	});

const expectEachOnce = (owed: readonly Payout[] = payouts): void =>
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(owed));

it('follows the error, fills in Recipient Document, and retries with the saved workflow', async () => {
	const found = lose(payouts[5]!.pixKey);
	const nodes = [...manualStart(payouts), pay()];
	const workflow = buildWorkflow('Document', nodes);
	const { id } = await world.client.createWorkflow(workflow);
	const failed = await world.client.runToEnd(id, MANUAL);
	expect(failed.status).toBe('error');
	found();
	const edited = nodes.map((each) =>
		each.name === 'Pay'
			? { ...each, parameters: { ...each.parameters, recipientDocument: '529.982.247-25' } }
			: each,
	);
	await world.client.updateWorkflow(id, { ...workflow, nodes: edited });

	const retried = await world.client.retryExecution(failed, true);

	expect(retried.status).toBe('success');
	expectEachOnce();
});

it('wires the error output back into the node', async () => {
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'dropAfter', times: payouts.length * 5 });
	const nodes = [
		...manualStart(payouts),
		pay({}, { onError: 'continueErrorOutput' }),
		node('Paid', 'noOp', 1),
	];
	const connections = connectInLine(nodes);
	const [paid = []] = connections.Pay?.main ?? [];
	connections.Pay = { main: [paid, [{ node: 'Pay', type: 'main', index: 0 }]] };
	const execution = await world.run({ ...buildWorkflow('Wired back', nodes), connections });

	expect(execution.status).toBe('success');
	expect(getItems(execution, 'Paid').length).toBeGreaterThan(0);
	expectEachOnce();
});

itIfTraced('retries after a kill, with a list that has lost its first rows', async () => {
	const path = 'by-hand-crash';
	const many = makePayouts(30);
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'delay', ms: 300, times: Infinity });
	const nodes = [
		...webhookStart(path),
		node('Unpaid', 'limit', 1, { maxItems: 30 }),
		payEachItem(),
	];
	const workflow = buildWorkflow(path, nodes);
	const workflowId = await world.listen(workflow);
	const executionId = await world.trigger(workflowId, path, { items: many });
	await waitFor(() => world.sandbox.books.withdrawals.length >= 4, {
		what: 'four payouts',
		pollMs: 5,
	});
	await world.n8n.kill9();
	await world.startN8n();
	world.sandbox.faults.clear();
	const crashed = await world.client.waitForExecution(executionId);
	// The person takes the rows out that were paid: the last rows of the list are left.
	const left = nodes.map((each) =>
		each.name === 'Unpaid' ? { ...each, parameters: { maxItems: 20, keep: 'lastItems' } } : each,
	);
	await world.client.updateWorkflow(workflowId, { ...workflow, nodes: left });

	const retried = await world.client.retryExecution(crashed, true);

	expect(retried.status).toBe('success');
	const books = booked(world.sandbox.books.withdrawals);
	expect(books).toEqual([...new Set(books)]);
	expect(books).toEqual(expect.arrayContaining(intended(many.slice(10))));
});

describe('the second press of Execute', () => {
	it('pays nobody again with a live key, and tries all others', async () => {
		await world.run(buildWorkflow('First press', [...manualStart(payouts.slice(0, 5)), pay()]));

		const second = await world.run(buildWorkflow('Second press', [...manualStart(payouts), pay()]));

		expect(second.status).toBe('error');
		const told = second.data.resultData.error?.description ?? '';
		for (const { id } of world.sandbox.books.withdrawals) expect(told).toContain(id);
		expectEachOnce();
	});

	itWithTables('ends green with references, and pays what was missing', async () => {
		const first = buildWorkflow('References', [
			...manualStart(invoices.slice(0, 5)),
			pay(BY_REFERENCE),
		]);
		const { id } = await world.client.createWorkflow(first);
		await world.client.runToEnd(id, MANUAL);
		const corrected = first.nodes.map((each) =>
			each.name === 'List'
				? { ...each, parameters: manualStart([...invoices].reverse())[1]!.parameters }
				: each,
		);
		await world.client.updateWorkflow(id, { ...first, nodes: corrected });

		const second = await world.client.runToEnd(id, MANUAL);

		expect(second.status).toBe('success');
		expect(getItems(second, 'Pay').map(({ json }) => json.alreadyPaid)).toEqual([
			false,
			...Array(5).fill(true),
		]);
		expectEachOnce();
	});
});

itWithTables('runs the list again after a kill: each reference is paid once', async () => {
	const path = 'by-hand-references';
	// n8n's table remembers the references of the tests before.
	const many = makePayouts(30).map((payout, index) => ({ ...payout, invoice: `K-${index}` }));
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'delay', ms: 300, times: Infinity });
	const workflowId = await world.listen(
		buildWorkflow(path, [...webhookStart(path), pay(BY_REFERENCE)]),
	);
	await world.trigger(workflowId, path, { items: many });
	await waitFor(() => world.sandbox.books.withdrawals.length >= 4, {
		what: 'four payouts',
		pollMs: 5,
	});
	await world.n8n.kill9();
	await world.startN8n();
	world.sandbox.faults.clear();

	const again = await world.trigger(workflowId, path, { items: [...many].reverse() });
	const execution = await world.client.waitForExecution(again);

	expect(execution.status).toBe('success');
	expect(getItems(execution, 'Pay')).toHaveLength(many.length);
	expectEachOnce(many);
	const third = await world.client.waitForExecution(
		await world.trigger(workflowId, path, { items: many }),
	);
	expect(getItems(third, 'Pay').every(({ json }) => json.alreadyPaid === true)).toBe(true);
	expectEachOnce(many);
});
