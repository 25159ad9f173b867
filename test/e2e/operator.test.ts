/** What those who run n8n see of payouts: its log, its list of executions, and its error workflow. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, IWorkflowSettings } from 'n8n-workflow';

import { repositoryRoot } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { getItems, getRuns, type Execution } from '../../dev/n8n/rest/executionData';
import type { WorkflowDefinition } from '../../dev/n8n/rest/rest';
import {
	buildWorkflow,
	connectInLine,
	loopWorkflow,
	node,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';
import { booked, intended, loseAnswers, makeInvoices, makePayouts } from './support/payouts';

const world = useWorld({ N8N_LOG_LEVEL: 'info', N8N_LOG_FORMAT: 'json' });

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const REFERENCE = { reference: '={{ $json.invoice }}' };

/** Each payout in doubt was tried for some seconds, and few at a time. */
const PATIENCE_MS = 600_000;

/** The nodes that going-live.md offers to copy. */
async function nodesOfDocs(): Promise<INode[]> {
	const page = await readFile(join(repositoryRoot, 'docs', 'going-live.md'), 'utf8');
	const [, json = ''] = /```json\n([^`]+)```/.exec(page) ?? [];
	return (JSON.parse(json) as { nodes: INode[] }).nodes;
}

let runs = 0;
/** A webhook, and what is built behind it: listens, and is sent these items. */
async function start(
	build: (start: INode[]) => WorkflowDefinition,
	items: IDataObject[],
	more: IWorkflowSettings = {},
) {
	const path = `operator-${(runs += 1)}`;
	const { settings, ...rest } = build(webhookStart(path));
	const workflowId = await world.listen({ ...rest, settings: { ...settings, ...more } });
	const executionId = await world.trigger(workflowId, path, { items });
	return { path, workflowId, executionId };
}

/** {@link start}, and what n8n has of the execution in the end. */
async function runWorkflow(...given: Parameters<typeof start>): Promise<Execution> {
	const { executionId } = await start(...given);
	return await world.client.waitForExecution(executionId, PATIENCE_MS);
}

const inLine =
	(...nodes: INode[]) =>
	(before: INode[]) =>
		buildWorkflow('Operator', [...before, ...nodes]);

const hintsOf = (execution: Execution): string => {
	const [{ hints = [] }] = getRuns(execution, 'Pay') as unknown as [
		{ hints?: Array<{ message: string }> },
	];
	return hints.map(({ message }) => message).join('\n');
};

interface LogLine {
	level: string;
	message: string;
	metadata: Record<string, unknown>;
}

/** What the node has written to n8n's log about an execution or a workflow. */
async function linesAbout(id: string): Promise<LogLine[]> {
	const text = await readFile(world.n8n.logFile, 'utf8');
	return text
		.split('\n')
		.filter((line) => line.startsWith('{') && line.includes('BRL Payments withdrawal.create'))
		.map((line) => JSON.parse(line) as LogLine)
		.filter(({ metadata }) => [metadata.executionId, metadata.workflowId].includes(id));
}

describe('with On Error = Continue and payouts in doubt', () => {
	it('n8n says success, so output and log say it, and nothing that a row says', async () => {
		loseAnswers(world);
		const payouts = makePayouts(2);
		const execution = await runWorkflow(inLine(payEachItem(CONTINUE)), payouts);

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
		const secrets = [world.sandbox.keys.live, ...payouts.map(({ pixKey }) => pixKey)];
		for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
		expect(hintsOf(execution)).toContain('lists this execution as successful');
		expect(hintsOf(execution)).toContain("{{ $json.error?.effect === 'unknown' }}");
	});

	it(
		'an If and a Stop and Error let it fail, after the report, and call the error workflow',
		async () => {
			const payouts = makePayouts(4);
			loseAnswers(world);
			const alarm = await world.listen(
				buildWorkflow('Alarm', [node('Error', 'errorTrigger', 1), node('Tell', 'noOp', 1)]),
			);
			const report = node('Report', 'noOp', 1);
			const workflow = inLine(payEachItem(CONTINUE), report, ...(await nodesOfDocs()));
			const execution = await runWorkflow(workflow, payouts, { errorWorkflow: alarm });

			expect(execution.status).toBe('error');
			expect(execution.data.resultData.error?.message).toContain('Do not run the list again');
			const reported = getItems(execution, 'Report').map(({ json }) => json);
			expect(reported).toMatchObject(payouts.map(() => ({ error: { effect: 'unknown' } })));
			expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
			expect(hintsOf(execution)).not.toContain('lists this execution as successful');
			await waitFor(async () => (await world.client.listExecutionsOfAllModes(alarm)).length === 1, {
				what: 'the error workflow to run',
			});
		},
		2 * PATIENCE_MS,
	);

	it('behind a loop, the same nodes see every round', async () => {
		const payouts = makePayouts(2);
		const text = JSON.stringify(await nodesOfDocs()).replaceAll("$('Pay')", "$('Loop')");
		const end = JSON.parse(text) as INode[];
		const open = (before: INode[]) => loopWorkflow('Loop', before, 1, payEachItem(CONTINUE));
		const ended = (before: INode[]) => {
			const { nodes, connections, ...rest } = open(before);
			const behind = connectInLine([nodes.at(-1)!, ...end]);
			const all = { ...connections, ...behind };
			return { ...rest, nodes: [...nodes, ...end], connections: all };
		};
		expect((await runWorkflow(ended, payouts)).status).toBe('success');

		loseAnswers(world, payouts[0]!.pixKey);
		const advised = hintsOf(await runWorkflow(open, payouts));
		const execution = await runWorkflow(ended, payouts);

		expect(advised).toContain('end the output done of Loop with an If node');
		expect(execution.data.resultData.error?.message).toContain('Do not run the list again');
		const [first, second] = getItems(execution, 'Pay').map(({ json }) => json);
		expect(first).toMatchObject({ error: { effect: 'unknown' } });
		expect(second).not.toHaveProperty('error');
	});
});

it('the log and the table remain if successful executions are not saved: the list can be run again', async () => {
	const stop = loseAnswers(world);
	const pay = payEachItem(CONTINUE, {}, REFERENCE);
	const payouts = makeInvoices(['FO-1', 'FO-2']);

	const { path, workflowId, executionId } = await start(inLine(pay), payouts, {
		saveDataSuccessExecution: 'none',
	});
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
