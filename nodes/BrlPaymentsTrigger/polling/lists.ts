import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../../shared/client/client';
import { realRuntime } from '../../shared/concurrency/runtime';
import { MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import { getLatestAt, getCreatedAt, RowCollector } from '../../shared/lists/rowCollector';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import { InputError } from '../../shared/input/inputError';
import { toText } from '../../shared/input/text';
import { EVENTS, eventOfStatus, isSelected, type ResourceType } from '../events';
import { textAt, toIdentities, toItem, type TriggerItem } from '../item';
import type { ListedEvent } from './memory';

/** The lists in which the selected events show. @throws InputError if none does */
export function listsFor(selected: readonly string[]): ResourceType[] {
	const shown = Object.entries(EVENTS)
		.filter(([event, { listed }]) => listed !== undefined && isSelected(event, selected))
		.map(([, { resourceType }]) => resourceType);
	if (shown.length > 0) return [...new Set(shown)];
	throw new InputError(
		`Polling cannot detect ${selected.join(', ') || 'any event: none is selected'}`,
		"Select other events, or set 'Receive By' to Webhook.",
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
	return await client.request<Page>({
		...{ method: 'GET', kind: 'read', path, scope, timeoutMs: TIMEOUT_MS },
		query: { page, limit: MAX_PAGE_SIZE },
		read: readPage(plural),
		isImpatient: true,
	});
}

export interface FoundEvent extends ListedEvent {
	readonly item: TriggerItem;
}

/** The events that rows of a list stand for, as webhooks would have brought them. @param now epoch ms */
export function eventsOfRows(
	type: ResourceType,
	rows: readonly ApiRecord[],
	selected: readonly string[],
	now: number,
): FoundEvent[] {
	return rows.flatMap((row) => {
		// What it went through before is not reported: a shop that ships goods on PAYMENT_PAID must not do so
		// for a payment that is refunded.
		const event = eventOfStatus(type, toText(row.status));
		if (event === null) return [];
		const body = row as IDataObject;
		// In a list, `id` is certainly the resource. The delivery ID is the same every time.
		const id = textAt(body, 'id');
		const part = body.status === 'PARTIAL_REFUND' ? '-PARTIAL' : '';
		const deliveryId = `poll-${event}${part}-${id ?? textAt(body, 'txId') ?? 'unknown'}`;
		const delivered = toItem({ event, deliveryId, body }, now, now);
		const item: TriggerItem = { ...delivered, source: 'polling', [`${type}Id`]: id };
		return {
			item,
			identities: toIdentities(item),
			createdAt: getCreatedAt(row),
			changedAt: getLatestAt(row),
			isSelected: isSelected(event, selected),
		};
	});
}

/** A poll reads at most this many pages of one list: 2,000 rows. The next poll continues where it stopped. */
const MAX_PAGES = 20;

/**
 * Reads the rows of a list since a point in time. Only `page` and `limit` are sent, so the first page is
 * read each time, and then what an earlier poll has left over. New rows push others onto later pages,
 * never onto earlier ones, so continuing at the same page misses none.
 *
 * @param since epoch ms by the clock of this n8n
 * @param resumeAt `nextPage` of the poll before
 * @returns `nextPage` is 1 if the list was read as far back as wanted. `clockLead`: how far the clock of the
 * service is ahead of this one, milliseconds. `error`: what ended the reading early
 */
export async function readRecent(
	client: ApiClient,
	type: ResourceType,
	since: number,
	resumeAt: number,
) {
	const collector = new RowCollector(() => realRuntime.now());
	const result = (nextPage: number, error?: unknown) => {
		const { clockLead } = collector;
		return { rows: collector.rowsSince(since), nextPage, clockLead, error };
	};
	let page = 1;
	for (let read = 0; read < MAX_PAGES; read += 1) {
		try {
			collector.take(await fetchPage(client, type, page), page);
		} catch (error) {
			return result(Math.max(page, resumeAt), error);
		}
		if (collector.isAtEnd || collector.isPast(since)) return result(1);
		page = page === 1 ? Math.max(2, resumeAt) : page + 1;
	}
	return result(page);
}
