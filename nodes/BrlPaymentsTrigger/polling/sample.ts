import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../../shared/client/client';
import { realRuntime } from '../../shared/concurrency/runtime';
import type { TriggerOutput } from '../events/output';
import { eventsOfRows, fetchPage, type FoundEvent } from './lists';
import { blindTo } from './poll';
import { listsFor } from './statusEvents';

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
