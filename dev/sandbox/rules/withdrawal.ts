import type { AccountSettings } from '../settings/account';
import type { ErrorCode } from '../errors';
import { brazilianHour } from '../values/time';
import { parseTaxDocument, readPixKey } from './pixKey';

export interface Destination {
	/** The creditor document that goes to the network. */
	document: string;
}

/** Format rules of the destination (Recipient document rules): a code, or what they resolved to. */
export function resolveDestination(
	pixKeyText: string,
	recipientDocument: string | undefined,
	ownTaxId: string | null,
): ErrorCode | Destination {
	const pixKey = readPixKey(pixKeyText);
	if (!pixKey) return 'INVALID_PIX_KEY';
	if (recipientDocument !== undefined) {
		const parsed = parseTaxDocument(recipientDocument);
		if (!parsed) return 'INVALID_RECIPIENT_DOCUMENT';
		if (pixKey.document !== null && pixKey.document !== parsed.value) {
			return 'RECIPIENT_DOCUMENT_MISMATCH';
		}
		return { document: parsed.value };
	}
	if (pixKey.document !== null) return { document: pixKey.document };
	if (ownTaxId === null) return 'CREDITOR_DOCUMENT_UNAVAILABLE';
	const own = parseTaxDocument(ownTaxId);
	return own ? { document: own.value } : 'CREDITOR_DOCUMENT_UNREADABLE';
}

/**
 * Net amount below which no account may go, even with a smaller minimum of its own (Withdrawal
 * limits).
 */
const PLATFORM_MINIMUM_CENTS = 1_000;

/**
 * The window that counts at `now` (epoch ms). Daytime is `dayStartHour` up to, not including,
 * `dayEndHour`, in Brazilian time. `usedCents` is the one counter of the Brazilian day,
 * so at night `remaining` can be zero although the night itself consumed nothing.
 */
export function withdrawalLimits(settings: AccountSettings, usedCents: number, now: number) {
	const hour = brazilianHour(now);
	const isNightTime = hour < settings.dayStartHour || hour >= settings.dayEndHour;
	const currentLimitCents = isNightTime ? settings.nightLimitCents : settings.dayLimitCents;
	return {
		currentLimitCents,
		usedCents,
		remainingCents: Math.max(0, currentLimitCents - usedCents),
		isNightTime,
		minCents: Math.max(PLATFORM_MINIMUM_CENTS, settings.minWithdrawalCents),
	};
}

/**
 * The money rules of POST /v1/withdrawals, in centavos. `availableCents` is null where no balance is
 * checked (sandbox money is fake). Returns the first rule that is broken, or null.
 */
export function judgeAmount(
	settings: AccountSettings,
	amountCents: number,
	usedCents: number,
	availableCents: number | null,
	now: number,
): ErrorCode | null {
	const limits = withdrawalLimits(settings, usedCents, now);
	const grossCents = amountCents + settings.feeCents;
	if (amountCents < limits.minCents) return 'WITHDRAWAL_BELOW_MINIMUM';
	if (amountCents < settings.providerMinCents) return 'WITHDRAWAL_BELOW_PROVIDER_MINIMUM';
	const { perTransactionLimitCents: cap, providerMaxCents: ceiling } = settings;
	if (
		(cap !== null && grossCents > cap) ||
		(ceiling !== null && amountCents > ceiling) ||
		grossCents > limits.remainingCents
	) {
		return 'WITHDRAWAL_LIMIT_EXCEEDED';
	}
	if (availableCents !== null && grossCents > availableCents) return 'INSUFFICIENT_BALANCE';
	return null;
}
