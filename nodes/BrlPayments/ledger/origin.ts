import { toText } from '../../shared/validation/text';
import type { Environment } from '../../shared/client/connection';
import type { Order } from '../../shared/orders/order';
import type { ApiRecord } from '../../shared/transport/schemas';

/**
 * Allowed between the booking of a withdrawal and the response that shows it, beyond the time of the
 * request. The header `Date` counts in seconds.
 */
const SLACK_MS = 1_500;
/** The same if the service does not say what time it is: its clock and that of n8n differ. */
const SLACK_OF_CLOCKS_MS = 10_000;

/**
 * Whether a response is the stored one of an earlier payout: the withdrawal was made before this
 * run sent it for the first time. Its age is taken from the service's clock alone, if that shows.
 *
 * @param date when the service responded, by its own clock, epoch ms; undefined if it does not say
 * @param now epoch ms
 */
export function isReplayed(
	{ createdAt }: ApiRecord,
	{ firstSentInRunAt }: Pick<Order, 'firstSentInRunAt'>,
	date: number | undefined,
	now: number,
): boolean {
	const madeAt = Date.parse(toText(createdAt));
	if (Number.isNaN(madeAt) || firstSentInRunAt === undefined) return false;
	const ageMs = (date ?? now) - madeAt;
	const slackMs = date === undefined ? SLACK_OF_CLOCKS_MS : SLACK_MS;
	return ageMs > now - firstSentInRunAt + slackMs;
}

/**
 * Whether a withdrawal was made before this run sent it for the first time, or since.
 * @param date when the service responded, by its own clock, epoch ms; undefined if it does not say
 * @returns undefined if the service does not show by its own clock how old it is
 */
export function whenMade(
	withdrawal: ApiRecord,
	order: Pick<Order, 'firstSentInRunAt'>,
	date: number | undefined,
	now: number,
): 'before' | 'since' | undefined {
	if (isReplayed(withdrawal, order, date, now)) return 'before';
	const isDated = date !== undefined && !Number.isNaN(Date.parse(toText(withdrawal.createdAt)));
	return isDated ? 'since' : undefined;
}

/** Whether a record contradicts the API key: a cache has mixed up test and live. */
export function isOfOtherEnvironment({ isSandbox }: ApiRecord, environment: Environment): boolean {
	return typeof isSandbox === 'boolean' && isSandbox !== (environment === 'sandbox');
}

/**
 * What was named longer ago is in the ledger by now, and shows its age. Nobody who has corrected the table
 * has to wait longer.
 */
const REMEMBERED_MS = 60_000;

/**
 * For which order the service has named each withdrawal, in this process, newest last. Something on the
 * way that mixes up answers names one for two orders, and only one of them was paid by it.
 */
export const namedWithdrawals = new Map<string, { readonly order: string; readonly at: number }>();

/**
 * Notes that an answer has named a withdrawal for an order.
 * @param order names it among all that this process sends
 * @param now epoch ms
 * @returns whether it was named before, as the answers to two retries at once name it for both, and the other
 * order that it was named for, if there is one
 */
export function claimWithdrawal(
	withdrawalId: string,
	order: string,
	now: number,
): { readonly wasNamed: boolean; readonly others: readonly string[] } {
	for (const [id, { at }] of namedWithdrawals) {
		if (now - at < REMEMBERED_MS) break;
		namedWithdrawals.delete(id);
	}
	const named = namedWithdrawals.get(withdrawalId);
	if (named === undefined) namedWithdrawals.set(withdrawalId, { order, at: now });
	const isOther = named !== undefined && named.order !== order;
	return { wasNamed: named !== undefined, others: isOther ? [named.order] : [] };
}
