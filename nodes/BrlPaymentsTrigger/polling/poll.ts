import { randomUUID } from 'node:crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../../shared/client/client';
import type { Failure } from '../../shared/failures/failure';
import { InputError } from '../../shared/validation/inputError';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { maskPersonalData } from '../../shared/privacy/value';
import { realRuntime } from '../../shared/concurrency/runtime';
import { readOptions } from '../description/options';
import { isEngineTwo, refuseEngineTwo } from '../receive/engine';
import { failedPoll } from './failedPoll';
import { eventsOfRows, fetchPage, type FoundEvent } from './lists';
import { POLL_MARK, type PollMark } from './recognition';
import { forgetMemory, openMemory, noteAccount, saveMemory, type PollMemory } from './memory';
import { readRecent } from './recentRows';
import { checkPollTimes, readPollSettings } from '../description/receiveBy';
import { listsFor } from './statusEvents';

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
export function blindTo(events: readonly string[]): InputError {
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
