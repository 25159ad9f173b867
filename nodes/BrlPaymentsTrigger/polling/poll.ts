import { randomUUID } from 'node:crypto';
import {
	type INodeExecutionData,
	type IPollFunctions,
	type IExecuteFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { ApiClient } from '../../shared/client/client';
import { type Failure, redescribe } from '../../shared/failures/failure';
import { InputError } from '../../shared/validation/inputError';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { maskPersonalData } from '../../shared/privacy/value';
import { realRuntime } from '../../shared/concurrency/runtime';
import { readOptions, checkPollTimes, readPollSettings } from '../description/options';
import { isEngineTwo, refuseEngineTwo } from '../receive/delivery';
import { eventsOfRows, fetchPage, type FoundEvent, readRecent, listsFor } from './lists';
import { POLL_MARK, type PollMark } from '../deduplication/persistentDedup';
import { forgetMemory, openMemory, noteAccount, saveMemory, type PollMemory } from './memory';
import type { TriggerOutput } from '../events/output';

/**
 * Looks for payments and withdrawals that have changed. n8n calls it at each poll time and at each
 * activation, also of a node that receives by webhook only.
 *
 * It never throws, except on Engine 2.0: at an activation, an error would undo the publication. A
 * failure becomes an item that `execute` turns into a failed execution, once until a poll has
 * succeeded.
 * @returns what starts an execution; null for nothing
 */
export async function pollForEvents(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const parameter = (name: string, fallback: unknown) => context.getNodeParameter(name, fallback);
	let memory: PollMemory | undefined;
	try {
		const settings = readPollSettings(parameter);
		if (settings.receiveBy === 'webhook') {
			forgetMemory(context);
			return null;
		}
		refuseEngineTwo(context);
		checkPollTimes(parameter);
		memory = openMemory(context);
		if (memory.isBusy) return null;
		memory.isBusy = true;
		try {
			return await poll(context, memory, settings.lookBackMs);
		} finally {
			memory.isBusy = false;
			saveMemory(context, memory);
		}
	} catch (error) {
		const failure = toFailure(error);
		// On Engine 2.0, the item would enter the workflow instead.
		if (isEngineTwo(context)) throw toNodeError(failure, context.getNode(), 0);
		return reportFailure(context, memory, failure);
	}
}

async function poll(
	context: IPollFunctions,
	memory: PollMemory,
	lookBackMs: number,
): Promise<INodeExecutionData[][] | null> {
	const { events, maskPersonalData: isMasked } = readOptions((name, fallback) =>
		context.getNodeParameter(name, fallback),
	);
	const types = listsFor(events);
	if (types.length === 0) throw blindTo(events);
	memory.polls += 1;
	// A rate limit that ends the reading of a list must not always end that of the same one.
	if (memory.polls % 2 === 0) types.reverse();
	const client = await ApiClient.open(context);
	noteAccount(memory, client.connection);

	const news: FoundEvent[] = [];
	const failures: Failure[] = [];
	for (const type of types) {
		const list = memory.lists[type];
		const now = realRuntime.now();
		const since = now - lookBackMs;
		const reading = await readRecent(
			async (page) => await fetchPage(client, type, page),
			since,
			list.nextPage,
			() => realRuntime.now(),
		);
		const isWhole = reading.error === undefined && reading.nextPage === 1;
		if (reading.error !== undefined) failures.push(toFailure(reading.error));
		if (!isWhole) list.noteUnread(now);
		const found = eventsOfRows(type, reading.rows, events, now);
		news.push(...list.takeNews(found, now, reading.clockLead, context));
		list.nextPage = reading.nextPage;
		if (isWhole) list.finishReading(since, now);
	}

	const failure = failures.find(({ httpStatus }) => httpStatus !== 429);
	if (failures.length === 0) memory.hasReportedFailure = false;
	// Events first: an execution that fails would take them along.
	if (news.length === 0) return failure ? reportFailure(context, memory, failure) : null;
	const emission = randomUUID();
	return [
		news.map(({ output, identities }) => ({
			json: {
				...output,
				body: isMasked ? maskPersonalData(output.body) : output.body,
				[POLL_MARK]: { identities: [...identities], emission },
			},
		})),
	];
}

/** @returns what a user can do if no list shows any of the selected events */
function blindTo(events: readonly string[]): InputError {
	return new InputError(
		`Polling cannot detect ${events.join(', ') || 'any event: none is selected'}`,
		'Select other events, or set Receive By to Webhook.',
	);
}

function reportFailure(
	context: IPollFunctions,
	memory: PollMemory | undefined,
	failure: Failure,
): INodeExecutionData[][] | null {
	context.logger.warn(`BRL Payments Trigger could not poll: ${failure.message}`);
	if (memory?.hasReportedFailure) return null;
	if (memory) memory.hasReportedFailure = true;
	const mark: PollMark = { failure: failedPoll(failure) };
	return [[{ json: { [POLL_MARK]: { ...mark } } }]];
}

/** What the user reads of a failed poll: unlike other executions, it needs no retry. */
function failedPoll(failure: Failure): Failure {
	const description = failure.retryable
		? 'The trigger tries again at the next poll time and then catches up as far as Look Back reaches. Nothing is lost, and there is nothing to retry.'
		: `${failure.description} The trigger continues at the next poll time.`;
	return redescribe(failure, description);
}

/**
 * The execution of a poll that failed: it fails. A person who retries it wants to know whether
 * polling works again, so the retry calls the service.
 * @throws NodeApiError or NodeOperationError if it does not work
 */
export async function executeFailedPoll(
	context: IExecuteFunctions,
	failure: Failure,
	events: readonly string[],
): Promise<void> {
	const fail = (why: Failure) => toNodeError(why, context.getNode(), 0);
	if (context.getMode() !== 'retry') throw fail(failure);
	try {
		const client = await ApiClient.open(context);
		for (const type of listsFor(events)) await fetchPage(client, type, 1);
	} catch (error) {
		throw fail(failedPoll(toFailure(error)));
	}
}

/**
 * For Execute Step in the editor, which calls no poll: the newest payment or withdrawal that shows one
 * of the selected events, as the event that it would have been.
 * @throws NodeOperationError when there is none; InputError, ApiFailure
 */
export async function fetchSample(
	context: IExecuteFunctions,
	events: readonly string[],
): Promise<TriggerOutput> {
	const types = listsFor(events);
	if (types.length === 0) throw blindTo(events);
	const client = await ApiClient.open(context);
	const found: FoundEvent[] = [];
	for (const type of types) {
		const { rows } = await fetchPage(client, type, 1);
		const listed = eventsOfRows(type, rows, events, realRuntime.now());
		found.push(...listed.filter(({ isSelected }) => isSelected));
	}
	const [newest] = found.sort((one, other) => other.createdAt - one.createdAt);
	if (newest) return newest.output;
	throw new NodeOperationError(
		context.getNode(),
		'No recent payment or withdrawal shows a selected event',
		{
			description:
				'Create one first, or select other events. With a test key: use Payment > Create, wait 5 seconds, and try again.',
		},
	);
}
