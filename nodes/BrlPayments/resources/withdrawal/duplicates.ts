import { ApiFailure } from '../../../api/failure';
import type { LookUp, LookUpReason } from '../../../api/idempotency/lookUp';
import { centsOfAnswer, formatReais } from '../../../api/input/money';
import { parsePixKey } from '../../../api/input/pixKey';
import { textOf } from '../../../api/input/text';
import type { ApiRecord } from '../../../api/schemas';
import type { Payout } from './payout';

/** States in which the recipient receives nothing ("Withdrawal status values"). */
const UNPAID = new Set<unknown>(['FAILED', 'CANCELLED']);

/**
 * The withdrawals that pay what is about to be paid: the same net amount to the same PIX key. Where
 * a row does not show enough to tell, it counts as one: a question too many is better than paying twice.
 *
 * @param since milliseconds since 1970; the server may ignore the filter that asks for it
 */
export function findDuplicates(
	rows: readonly ApiRecord[],
	{ amount, pixKey }: Pick<Payout, 'amount' | 'pixKey'>,
	since: number,
): ApiRecord[] {
	return rows.filter(
		(row) =>
			!UNPAID.has(row.status) &&
			centsOfAnswer(row.netAmount) === amount &&
			isSameKey(textOf(row.pixKey), pixKey.value) &&
			isSince(row.createdAt, since),
	);
}

function isSameKey(shown: string, wanted: string): boolean {
	return shown === '' || canonical(shown) === wanted;
}

/** As the PIX directory keeps it: the service may show a key with the punctuation it was sent with. */
function canonical(shown: string): string {
	try {
		return parsePixKey(shown).value;
	} catch {
		return shown.toLowerCase();
	}
}

function isSince(createdAt: unknown, since: number): boolean {
	const moment = Date.parse(String(createdAt));
	return Number.isNaN(moment) || moment >= since;
}

/** Stops an item because the same was paid already. */
export function duplicateFound(
	duplicates: readonly ApiRecord[],
	{ amount }: Pick<Payout, 'amount'>,
	{ reason, days }: Pick<LookUp, 'reason' | 'days'>,
): ApiFailure {
	const ids = duplicates.map(({ id }) => textOf(id));
	const period = days === 1 ? '24 hours' : `${days} days`;
	const found = ids.length === 1 ? 'There is a withdrawal' : `There are ${ids.length} withdrawals`;
	return new ApiFailure({
		code: 'POSSIBLE_DUPLICATE',
		message: `${found} of ${formatReais(amount)} to this PIX key from the last ${period}, so it was not paid again`,
		description: `${ids.length === 1 ? 'Its ID' : 'Their IDs'}: ${ids.join(', ')}. Nothing was sent. ${WHAT_NOW[reason]}`,
		httpStatus: null,
		retryable: false,
		// Where the first attempt of this very item can't be told from another payout, it may be its effect.
		effect: reason === 'wanted' ? 'none' : 'unknown',
		withdrawalIds: ids,
	});
}

const WHAT_NOW: Record<LookUpReason, string> = {
	wantedInRetry:
		'It may be what an earlier attempt of this very item paid. If it is not, and this one is to be paid as well, switch off Options > Duplicate Guard for this item.',
	wanted: 'If it is to be paid once more, switch off Options > Duplicate Guard for this item.',
	subExecution:
		'This workflow was called by another one. When that one is retried, nothing tells a repetition from a new payment. If this is a new one, enter an Idempotency Key in Options that differs per payment, such as the invoice number.',
	agentTool:
		'Tell so whoever asked for it. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it. If it is to be paid once more, pay it in a workflow without an agent.',
	retriedWithoutTrace:
		'This is a retried execution, and it may have been its first attempt that paid. If it was not, switch on Options > Allow Retry After 24 Hours and retry again.',
};
