import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { ApiClient } from '../../shared/client/client';
import { realRuntime } from '../../shared/concurrency/runtime';
import { type Failure, joinParts, redescribe } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import { maskPersonalData } from '../../shared/privacy/value';
import { InputError } from '../../shared/input/inputError';
import { checkPollTimes, readOptions, readReceiveBy, type TriggerOptions } from '../description';
import { POLL_MARK, type PollMark, type TriggerItem } from '../item';
import { eventsOfRows, fetchPage, listsFor, readRecent, type FoundEvent } from './lists';
import { forgetMemory, listsOf, openMemory, saveMemory, type PollMemory } from './memory';

/**
 * Looks for payments and withdrawals that have changed. n8n calls it at each poll time and at each
 * activation, also of a node that receives by webhook only.
 *
 * It throws on Engine 2.0 only, which undoes the publication. A failure becomes an item that `execute`
 * turns into a failed execution, once until a poll has succeeded.
 * @returns what starts an execution; null for nothing
 */
export async function pollForEvents(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	refuseEngineTwo(context);
	const parameter = (name: string, fallback: unknown) => context.getNodeParameter(name, fallback);
	let memory: PollMemory | undefined;
	try {
		// n8n polls once even if nothing is polled. The other settings are about deliveries then.
		if (readReceiveBy(parameter) === 'webhook') {
			forgetMemory(context);
			return null;
		}
		checkPollTimes(parameter);
		memory = openMemory(context);
		if (memory.isBusy) return null;
		memory.isBusy = true;
		try {
			return await poll(context, memory, readOptions(parameter));
		} finally {
			memory.isBusy = false;
			saveMemory(context, memory);
		}
	} catch (error) {
		return reportFailure(context, memory, toFailure(error));
	}
}

/** n8n's Engine 2.0 never calls `execute`: an event that comes again would take effect again. */
function refuseEngineTwo(context: IPollFunctions): void {
	// Absent in old versions, which have one engine only.
	const old: Partial<Pick<IPollFunctions, 'getWorkflowSettings'>> = context;
	if (old.getWorkflowSettings?.().engineType !== 'v2') return;
	throw new NodeOperationError(
		context.getNode(),
		'This workflow runs on Engine 2.0 of n8n, where repeated events cannot be recognized',
		{ description: 'Remove "engineType" from the settings of the workflow.' },
	);
}

async function poll(
	context: IPollFunctions,
	memory: PollMemory,
	{ events, lookBackMs, maskPersonalData: isMasked }: TriggerOptions,
): Promise<INodeExecutionData[][] | null> {
	const types = listsFor(events);
	const client = await ApiClient.open(context);
	const lists = listsOf(memory, client.connection);

	const news: FoundEvent[] = [];
	const failures: Failure[] = [];
	for (const type of types) {
		const list = lists[type];
		const now = realRuntime.now();
		const since = now - lookBackMs;
		const { nextPage, error, ...read } = await readRecent(client, type, since, list.nextPage);
		const isWhole = error === undefined && nextPage === 1;
		if (error !== undefined) failures.push(toFailure(error));
		if (!isWhole) list.watchFrom(now);
		const found = eventsOfRows(type, read.rows, events, now);
		news.push(...list.takeNews(found, now, read.clockLead, context));
		list.nextPage = nextPage;
		if (isWhole) list.finishReading(since, now);
	}

	const failure = failures.find(({ httpStatus }) => httpStatus !== 429);
	if (failures.length === 0) memory.hasReportedFailure = false;
	// Events first: an execution that fails would take them along.
	if (news.length === 0) return failure ? reportFailure(context, memory, failure) : null;
	const run = randomUUID();
	return [
		news.map(({ item, identities }) => ({
			json: {
				...item,
				body: isMasked ? maskPersonalData(item.body) : item.body,
				[POLL_MARK]: { identities: [...identities], run },
			},
		})),
	];
}

/** The execution that it starts fails, and says that, unlike others, it needs no retry. */
function reportFailure(
	context: IPollFunctions,
	memory: PollMemory | undefined,
	failure: Failure,
): INodeExecutionData[][] | null {
	context.logger.warn(`BRL Payments Trigger could not poll: ${failure.message}`);
	if (memory?.hasReportedFailure) return null;
	if (memory) memory.hasReportedFailure = true;
	const description = failure.retryable
		? "The trigger tries again at the next poll time and then catches up as far as 'Look Back' reaches. Nothing is lost, and there is nothing to retry."
		: // There is no execution to retry.
			`${failure.parts ? joinParts({ ...failure.parts, again: undefined }) : failure.description} The trigger continues at the next poll time.`;
	const mark: PollMark = { failure: redescribe(failure, description) };
	return [[{ json: { [POLL_MARK]: { ...mark } } }]];
}

/**
 * For Execute Step in the editor, which calls no poll: the newest payment or withdrawal that shows one
 * of the selected events, as the event that it would have been.
 * @throws InputError when there is none; ApiFailure
 */
export async function fetchSample(
	context: IExecuteFunctions,
	events: readonly string[],
): Promise<TriggerItem> {
	const types = listsFor(events);
	const client = await ApiClient.open(context);
	const found: FoundEvent[] = [];
	for (const type of types) {
		const { rows } = await fetchPage(client, type, 1);
		const listed = eventsOfRows(type, rows, events, realRuntime.now());
		found.push(...listed.filter(({ isSelected }) => isSelected));
	}
	const [newest] = found.sort((one, other) => other.createdAt - one.createdAt);
	if (newest) return newest.item;
	throw new InputError(
		'No recent payment or withdrawal shows a selected event',
		'Create one first, or select other events. With a test key: use Payment > Create, wait 5 seconds, and try again.',
	);
}
