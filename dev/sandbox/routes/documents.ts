import { sumBy } from 'lodash';
import { z } from 'zod';
import { receipt } from '../documents/receipt';
import { render } from '../documents/render';
import { ServiceError } from '../errors';
import { json, text } from '../http/answer';
import { operation } from '../http/operation';
import { paymentIdParams } from '../schemas/common';
import { formatBrl } from '../values/money';
import { brazilianDateTime, brazilianDayBounds, daysBetween } from '../values/time';
import type { World } from '../world';
import { findPayment } from './payments/read';

/** GET /v1/documents/payments/{paymentId}/receipt: the document itself (docs/api.md#get-a-receipt). */
export const getReceipt = operation('GET /v1/documents/payments/:paymentId/receipt', {
	scopes: ['documents:read'],
	params: paymentIdParams,
	query: z.object({ format: z.enum(['html', 'text']).default('html') }),
	handle({ world, key, params, query }) {
		const payment = findPayment(world, key.environment, params.paymentId);
		if (payment.status !== 'PAID' && payment.status !== 'REFUNDED') {
			throw new ServiceError('RECEIPT_NOT_AVAILABLE');
		}
		const mediaType = query.format === 'html' ? 'text/html' : 'text/plain';
		return text(200, mediaType, receipt(payment, query.format));
	},
});

const MAX_DAYS = 90;

const day = z
	.string({ required_error: 'Required' })
	.regex(/^\d{4}-\d{2}-\d{2}$/, 'Must be YYYY-MM-DD')
	.refine((text) => brazilianDayBounds(text) !== null, 'There is no such day');

const statementQuery = z
	.object({
		startDate: day,
		endDate: day,
		format: z.enum(['html', 'text']).default('html'),
	})
	.superRefine(({ startDate, endDate }, context) => {
		const days = daysBetween(startDate, endDate);
		const message =
			days < 0 ? 'Must not be before startDate' : days > MAX_DAYS ? 'At most 90 days' : null;
		if (message) context.addIssue({ code: z.ZodIssueCode.custom, path: ['endDate'], message });
	});

/** GET /v1/documents/statements: `{content}`, from the real-money ledger (docs/api.md#get-a-statement). */
export const getStatement = operation('GET /v1/documents/statements', {
	scopes: ['documents:read'],
	query: statementQuery,
	handle({ world, key, query: { startDate, endDate, format } }) {
		const isReal = key.environment === 'PRODUCTION';
		const { openingCents, entries, closingCents } = isReal
			? readLedger(world, startDate, endDate)
			: { openingCents: 0, entries: [], closingCents: 0 };
		const content = render(format, 'Extrato', [
			`Período: ${startDate} a ${endDate}`,
			`Saldo inicial: ${formatBrl(openingCents)}`,
			...entries.map(({ at, kind, reference, amountCents }) =>
				[brazilianDateTime(at), kind, reference, formatBrl(amountCents)].join('  '),
			),
			`Saldo final: ${formatBrl(closingCents)}`,
		]);
		return json(200, { content });
	},
});

/** The movements of these Brazilian days, both inclusive. */
function readLedger({ account, store }: World, startDate: string, endDate: string) {
	const start = brazilianDayBounds(startDate)?.start ?? 0;
	const end = brazilianDayBounds(endDate)?.end ?? 0;
	const entries = store.ledger.filter(({ at }) => at >= start && at <= end);
	const later = store.ledger.filter(({ at }) => at > end);
	// Counted back from today's total, so that a balance set by hand stays consistent.
	const total =
		account.balanceCents + account.frozenCents + account.heldCents + account.reservedCents;
	const closingCents = total - sumBy(later, 'amountCents');
	const openingCents = closingCents - sumBy(entries, 'amountCents');
	return { openingCents, entries, closingCents };
}
