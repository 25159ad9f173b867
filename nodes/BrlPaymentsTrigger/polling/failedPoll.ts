import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../shared/client/client';
import { redescribe, type Failure } from '../../shared/failures/failure';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { fetchPage } from './lists';
import { listsFor } from './statusEvents';

/** What the user reads of a failed poll: unlike other executions, it needs no retry. */
export function failedPoll(failure: Failure): Failure {
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
