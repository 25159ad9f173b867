import { toText } from '../../shared/validation/text';
import type { ApiRecord } from '../../shared/transport/schemas';
import { isSelected, type ResourceType } from '../events/events';

/**
 * The event that a webhook sends when a resource takes a status. A status that is missing here has
 * no event that the API names. That MED_FROZEN stands for MED_RECEIVED is an assumption: the
 * interface names both, and shows no other trace of a MED in a list.
 */
const EVENT_OF_STATUS: Readonly<Record<ResourceType, Readonly<Record<string, string>>>> = {
	payment: {
		PAID: 'PAYMENT_PAID',
		CONFIRMED: 'PAYMENT_CONFIRMED',
		EXPIRED: 'PAYMENT_EXPIRED',
		CANCELLED: 'PAYMENT_CANCELLED',
		REFUNDED: 'PAYMENT_REFUNDED',
		CHARGEBACK: 'PAYMENT_CHARGEBACK',
		MED_FROZEN: 'MED_RECEIVED',
	},
	withdrawal: { COMPLETED: 'WITHDRAWAL_SENT', FAILED: 'WITHDRAWAL_FAILED' },
};

/**
 * The event that the status of a listed payment or withdrawal stands for. What it went through before
 * is not reported: a shop that ships goods on PAYMENT_PAID must not do so for a payment that is refunded.
 * @returns null if its status stands for none
 */
export function eventOfRow(type: ResourceType, row: ApiRecord): string | null {
	const events = EVENT_OF_STATUS[type];
	const status = toText(row.status);
	return Object.hasOwn(events, status) ? (events[status] ?? null) : null;
}

/** The lists in which the selected events show. */
export function listsFor(selected: readonly string[]): ResourceType[] {
	return (['payment', 'withdrawal'] as const).filter((type) =>
		Object.values(EVENT_OF_STATUS[type]).some((event) => isSelected(event, selected)),
	);
}
