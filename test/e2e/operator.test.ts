/** What those who run n8n see of payouts: its log, its list of executions, and its error workflow. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

import { getItems, type Execution } from '../../dev/n8n/rest/executionData';
import { repositoryRoot } from '../../dev/n8n/paths';
import type { WorkflowDefinition } from '../../dev/n8n/rest/rest';
import {
	buildWorkflow,
	connectInLine,
	loopWorkflow,
	node,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { booked, intended, makePayouts } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld({ N8N_LOG_LEVEL: 'info', N8N_LOG_FORMAT: 'json' });

const CONTINUE = { onError: 'continueRegularOutput' } as const;
/** The nodes that going-live.md offers to copy. */
async function nodesOfDocs(): Promise<INode[]> {
	const page = await readFile(join(repositoryRoot, 'docs', 'going-live.md'), 'utf8');
	const [, json = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
	return (JSON.parse(json) as { nodes: INode[] }).nodes;
}

const loseAllAnswers = () =>
	world.sandbox.faults.add({
		kind: 'dropAfter',
		method: 'POST',
		path: '/v1/withdrawals',
		times: Infinity,
	});

/** Each payout in doubt was tried for some seconds, and few at a time. */
const PATIENCE_MS = 600_000;

let runs = 0;
/** A webhook, what is built behind it, and what n8n has of the execution in the end. */
async function runWorkflow(
	build: (start: INode[]) => WorkflowDefinition,
	payouts: IDataObject[] = makePayouts(2),
	more: IWorkflowSettings = {},
): Promise<Execution> {
	runs += 1;
	const path = `operator-${runs}`;
	const { settings, ...rest } = build(webhookStart(path));
	const id = await world.listen({ ...rest, settings: { ...settings, ...more } });
	const executionId = await world.trigger(id, path, { items: payouts });
	return await world.client.waitForExecution(executionId, PATIENCE_MS);
}

const inLine = (...nodes: INode[]) => {
	return (start: INode[]) => buildWorkflow('Operator', [...start, ...nodes]);
};

/** n8n stores it shortly after it has listed the execution as ended. */
async function readCustomData({ id }: Execution): Promise<unknown> {
	return await waitFor(
		async () => {
			const { customData } = (await world.client.getExecution(id)) as { customData?: object };
			return Object.keys(customData ?? {}).length > 0 && customData;
		},
		{ what: 'the custom data of the execution' },
	);
}

type LogLine = { level: string; message: string; metadata: Record<string, unknown> };

/** What the node has written to n8n's log about an execution or a workflow. */
async function linesAbout(id: string): Promise<LogLine[]> {
	const text = await readFile(world.n8n.logFile, 'utf8');
	return text
		.split('\n')
		.filter((line) => line.startsWith('{') && line.includes('BRL Payments withdrawal.create'))
		.map((line) => JSON.parse(line) as LogLine)
		.filter(({ metadata }) => [metadata.executionId, metadata.workflowId].includes(id));
}

it('stores the counts with the execution, and n8n without a license ignores a filter by them', async () => {
	const execution = await runWorkflow(inLine(payEachItem(CONTINUE)));

	expect(execution.status).toBe('success');
	expect(await readCustomData(execution)).toMatchObject({
		brlpay_paid: '2',
		brlpay_result: 'paid',
	});
	// As going-live.md says: n8n filters by them only with a license.
	const metadata = [{ key: 'brlpay_result', value: 'in doubt', exactMatch: true }];
	const filter = encodeURIComponent(
		JSON.stringify({ workflowId: execution.workflowId, metadata, status: ['success'] }),
	);
	const { results } = await world.client.request<{ results: Array<{ id: string }> }>(
		'GET',
		`/rest/executions?filter=${filter}`,
	);
	expect(results.map(({ id }) => id)).toEqual([execution.id]);
});

it('stores how far the payouts were when a person stops the execution', async () => {
	const isSecond = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes('stopped-2@');
	world.sandbox.faults.add({ kind: 'delay', ms: 60_000, times: Infinity, when: isSecond });
	const payouts = [1, 2, 3].map((number) => ({
		...{ amount: 10 + number, pixKey: `stopped-${number}@supplier.example` },
		reference: `stopped ${number}`,
	}));
	const pay = payEachItem({}, { maxConcurrency: 1 }, { reference: '={{ $json.reference }}' });
	const path = 'operator-stopped';
	const id = await world.listen(buildWorkflow('Operator', [...webhookStart(path), pay]));
	const executionId = await world.trigger(id, path, { items: payouts });
	await waitFor(async () => await Promise.resolve(world.sandbox.requests.some(isSecond)), {
		what: 'the second payout at the service',
	});

	await world.client.request('POST', `/rest/executions/${executionId}/stop`, {});
	const stopped = await world.client.waitForExecution(executionId, PATIENCE_MS);
	world.sandbox.faults.clear();

	expect(stopped.status).toBe('canceled');
	expect(await readCustomData(stopped)).toMatchObject({
		brlpay_paid: '1',
		brlpay_in_doubt: '1',
		brlpay_not_started: '1',
		brlpay_result: 'in doubt',
	});
});

describe('with On Error = Continue and payouts in doubt', () => {
	it('n8n says success, so output, log and custom data say it, and nothing that a row says', async () => {
		loseAllAnswers();
		const execution = await runWorkflow(inLine(payEachItem(CONTINUE)));

		expect(execution.status).toBe('success');
		const { workflowId } = execution;
		const place = `, in execution ${execution.id} of workflow ${workflowId}`;
		const lines = await linesAbout(execution.id);
		expect(lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
			`info: BRL Payments withdrawal.create: 0 paid (0.00 BRL), 0 paid before, 2 in doubt, 0 refused, 0 not started${place}`,
			`warn: BRL Payments withdrawal.create: row 1 is in doubt (CONNECTION_LOST)${place}`,
			`warn: BRL Payments withdrawal.create: row 2 is in doubt (CONNECTION_LOST)${place}`,
		]);
		expect(lines[0]!.metadata).toMatchObject({ workflowId, node: 'Pay', inDoubt: 2, total: 0 });
		const secrets = [world.sandbox.keys.live, ...makePayouts(2).map(({ pixKey }) => pixKey)];
		for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
		expect(await readCustomData(execution)).toMatchObject({
			brlpay_in_doubt: '2',
			brlpay_result: 'in doubt',
		});
		const [{ hints }] = execution.data.resultData.runData!.Pay as unknown as [
			{ hints: Array<{ message: string }> },
		];
		const messages = hints.map(({ message }) => message).join('\n');
		expect(messages).toContain('lists this execution as successful');
		expect(messages).toContain(
			`{{ $("Pay").isExecuted && $("Pay").all().some(({ json }) => json.error?.effect ===`,
		);
	});

	it(
		'an If and a Stop and Error let it fail, after the report, and call the error workflow',
		async () => {
			const payouts = makePayouts(4);
			loseAllAnswers();
			const alarm = await world.listen(
				buildWorkflow('Alarm', [node('Error', 'errorTrigger', 1), node('Tell', 'noOp', 1)]),
			);
			const report = node('Report', 'noOp', 1);
			const workflow = inLine(payEachItem(CONTINUE), report, ...(await nodesOfDocs()));
			const execution = await runWorkflow(workflow, payouts, { errorWorkflow: alarm });

			expect(execution.status).toBe('error');
			expect(execution.data.resultData.error?.message).toContain('Do not run the list again');
			const reported = getItems(execution, 'Report').map(({ json }) => json.error);
			expect(reported).toEqual(
				payouts.map(() => expect.objectContaining({ effect: 'unknown' }) as unknown),
			);
			expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
			const { hints = [] } = execution.data.resultData.runData!.Pay![0] as { hints?: unknown[] };
			expect(JSON.stringify(hints)).not.toContain('lists this execution as successful');
			await waitFor(async () => (await world.client.listExecutionsOfAllModes(alarm)).length === 1, {
				what: 'the error workflow to run',
			});
		},
		2 * PATIENCE_MS,
	);

	it('behind a loop, the same nodes see every round', async () => {
		const payouts = makePayouts(2);
		const end = JSON.parse(
			JSON.stringify(await nodesOfDocs()).replaceAll("$('Pay')", "$('Loop')"),
		) as INode[];
		const build = (start: INode[]) => {
			const { nodes, connections, ...rest } = loopWorkflow('Loop', start, 1, payEachItem(CONTINUE));
			const behind = connectInLine([nodes.at(-1)!, ...end]);
			return {
				...rest,
				nodes: [...nodes, ...end],
				connections: { ...connections, ...behind },
			};
		};
		expect((await runWorkflow(build, payouts)).status).toBe('success');

		world.sandbox.faults.add({
			kind: 'dropAfter',
			method: 'POST',
			path: '/v1/withdrawals',
			times: Infinity,
			when: ({ rawBody }) => rawBody.includes(payouts[0]!.pixKey),
		});
		const open = await runWorkflow(
			(start) => loopWorkflow('Loop', start, 1, payEachItem(CONTINUE)),
			payouts,
		);
		const execution = await runWorkflow(build, payouts);

		const [{ hints }] = open.data.resultData.runData!.Pay as unknown as [{ hints: unknown[] }];
		expect(JSON.stringify(hints)).toContain('end the output done of Loop with an If node');
		expect(execution.data.resultData.error?.message).toContain('Do not run the list again');
		const [first, second] = execution.data.resultData.runData!.Pay!.map(
			({ data }) => data?.main?.[0]?.[0]?.json,
		);
		expect(first).toMatchObject({ error: { effect: 'unknown' } });
		expect(second).not.toHaveProperty('error');
	});
});

describe('if successful executions are not saved', () => {
	const FORGETS = { saveDataSuccessExecution: 'none' } as const;
	it('the log and the table remain, and by its references the list can be run again', async () => {
		const stop = loseAllAnswers();
		const path = 'operator-forgets';
		const pay = payEachItem(CONTINUE, {}, { reference: '={{ $json.invoice }}' });
		const { settings, ...rest } = buildWorkflow(path, [...webhookStart(path), pay]);
		const workflowId = await world.listen({ ...rest, settings: { ...settings, ...FORGETS } });
		const payouts = makePayouts(2).map((one, index) => ({ ...one, invoice: `FO-${index}` }));

		const executionId = await world.trigger(workflowId, path, { items: payouts });
		await waitFor(async () => (await world.client.listExecutions(workflowId)).length === 0, {
			what: 'the execution to be forgotten',
		});
		const levels = (await linesAbout(executionId)).map(({ level }) => level);
		expect(levels).toEqual(['info', 'warn', 'warn']);

		stop();
		await fetch(`${world.webhookUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items: payouts }),
		});
		// It may be forgotten before it was seen in the list.
		const lines = await waitFor(
			async () => {
				const all = await linesAbout(workflowId);
				return all.length > levels.length && all.slice(levels.length);
			},
			{ what: 'the second run to be logged', timeoutMs: 60_000 },
		);
		expect(lines[0]!.message).toContain(': 0 paid (0.00 BRL), 2 paid before,');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});
});
