import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../../shared/client/client';
import { MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import { getLatestAt, getCreatedAt, RowCollector } from '../../shared/lists/rowCollector';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import { EVENTS, eventOfStatus, isSelected, type ResourceType } from '../events/events';
import { describeDelivery, textAt, type TriggerOutput } from '../events/output';
import type { ListedEvent } from './memory';
import { toIdentities } from '../deduplication/persistentDedup';
import { toText } from '../../shared/validation/text';

/**
 * The event that the status of a listed payment or withdrawal stands for. What it went through before
 * is not reported: a shop that ships goods on PAYMENT_PAID must not do so for a payment that is refunded.
 * @returns null if its status stands for none
 */
export function eventOfRow(type: ResourceType, row: ApiRecord): string | null {
	return eventOfStatus(type, toText(row.status));
}

/** The lists in which the selected events show. */
export function listsFor(selected: readonly string[]): ResourceType[] {
	return (['payment', 'withdrawal'] as const).filter((type) =>
		Object.entries(EVENTS).some(
			([event, { resourceType, listed }]) =>
				resourceType === type && listed !== undefined && isSelected(event, selected),
		),
	);
}

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
	const part = textAt(body, 'status') === 'PARTIAL_REFUND' ? '-PARTIAL' : '';
	const deliveryId = `poll-${event}${part}-${id ?? textAt(body, 'txId') ?? 'unknown'}`;
	return {
		...describeDelivery({ event, deliveryId, body }, now, now),
		source: 'polling',
		paymentId: type === 'payment' ? id : null,
		withdrawalId: type === 'withdrawal' ? id : null,
	};
}

/**
 * A poll reads at most this many pages of one list: 2,000 rows. The next poll continues where it
 * stopped.
 */
export const MAX_PAGES = 20;

interface PolledRows {
	readonly rows: readonly ApiRecord[];
	/** The page to continue with at the next poll; 1 if the list was read as far back as wanted. */
	readonly nextPage: number;
	/** How far the clock of the service is ahead of this one, in milliseconds. */
	readonly clockLead: number;
	/** What ended the reading early; what was read before it is in `rows`. */
	readonly error?: unknown;
}

/**
 * Reads the rows of a list since a point in time. Only `page` and `limit` are sent, so the first
 * page is read each time, and then what an earlier poll has left over.
 *
 * New rows push others onto later pages, never onto earlier ones, so continuing at the same page
 * misses none.
 *
 * @param fetchPage page numbers begin with 1
 * @param since epoch ms by the clock of this n8n
 * @param resumeAt `nextPage` of the poll before
 */
export async function readRecent(
	fetchPage: (page: number) => Promise<Page>,
	since: number,
	resumeAt: number,
	now: () => number,
): Promise<PolledRows> {
	const collector = new RowCollector(now);
	const reading = (nextPage: number): PolledRows => ({
		rows: collector.rowsSince(since),
		nextPage,
		clockLead: collector.clockLead,
	});
	let number = 1;
	for (let read = 0; read < MAX_PAGES; read += 1) {
		try {
			collector.take(await fetchPage(number), number);
		} catch (error) {
			return { ...reading(Math.max(number, resumeAt)), error };
		}
		if (collector.isAtEnd || collector.isPast(since)) return reading(1);
		number = number === 1 ? Math.max(2, resumeAt) : number + 1;
	}
	return reading(number);
}
