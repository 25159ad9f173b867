import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../../shared/client/client';
import { MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import { getLatestAt, getCreatedAt } from '../../shared/lists/rowMoment';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import { isSelected, type ResourceType } from '../events/events';
import { describeDelivery, textAt, type TriggerOutput } from '../events/output';
import type { ListedEvent } from './knownEvents';
import { toIdentities } from './recognition';
import { eventOfRow } from './statusEvents';

const TIMEOUT_MS = 10_000;

const LISTS = {
	payment: { path: '/v1/payments', plural: 'payments', scope: 'payments:read' },
	withdrawal: { path: '/v1/withdrawals', plural: 'withdrawals', scope: 'withdrawals:read' },
} as const;

/** One page of a list, newest first if the service sorts so. A poll does not wait for long. */
export async function fetchPage(
	client: ApiClient,
	type: ResourceType,
	page: number,
): Promise<Page> {
	const { path, plural, scope } = LISTS[type];
	return await client.call<Page>({
		...{ method: 'GET', kind: 'read', path, scope, timeoutMs: TIMEOUT_MS },
		query: { page, limit: MAX_PAGE_SIZE },
		read: readPage(plural),
		isImpatient: true,
	});
}

export interface FoundEvent extends ListedEvent {
	readonly output: TriggerOutput;
}

/**
 * The events that rows of a list stand for, as a webhook would have brought them.
 * @param now epoch ms
 */
export function eventsOfRows(
	type: ResourceType,
	rows: readonly ApiRecord[],
	selected: readonly string[],
	now: number,
): FoundEvent[] {
	return rows.flatMap((row) => {
		const event = eventOfRow(type, row);
		if (event === null) return [];
		const output = toOutput(type, event, row, now);
		return {
			output,
			identities: toIdentities(output),
			createdAt: getCreatedAt(row),
			changedAt: getLatestAt(row),
			isSelected: isSelected(event, selected),
		};
	});
}

/** The delivery ID is the same every time the event is found. */
function toOutput(type: ResourceType, event: string, row: ApiRecord, now: number): TriggerOutput {
	const body = row as IDataObject;
	// In a list, `id` is certainly the resource.
	const id = textAt(body, 'id');
	const deliveryId = `poll-${event}-${id ?? textAt(body, 'txId') ?? 'unknown'}`;
	return {
		...describeDelivery({ event, deliveryId, body }, now, now),
		source: 'polling',
		paymentId: type === 'payment' ? id : null,
		withdrawalId: type === 'withdrawal' ? id : null,
	};
}
