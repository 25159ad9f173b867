import { z } from 'zod';
import { PAYMENT_METHODS, PAYMENT_STATUSES, WITHDRAWAL_STATUSES } from '../store/types';
import { textToCents } from '../values/money';
import { brazilianDayBounds, parseIso } from '../values/time';

const wholeNumber = (fallback: string) =>
	z
		.string()
		.regex(/^\d{1,9}$/, 'Must be a whole number')
		.default(fallback)
		.transform(Number);

/** page at least 1, limit 1 to 100; everything else is left for the filter schemas. */
export const listQuery = z
	.object({
		page: wholeNumber('1').pipe(z.number().min(1, 'At least 1')),
		limit: wholeNumber('20').pipe(z.number().min(1, 'At least 1').max(100, 'At most 100')),
	})
	.passthrough();

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const moment = (read: (text: string) => number | null) =>
	z.string().transform((text, context) => {
		const ms = read(text);
		if (ms !== null) return ms;
		context.addIssue({ code: z.ZodIssueCode.custom, message: 'Must be an ISO 8601 date' });
		return z.NEVER;
	});

/** Start of a range: a bare date means the beginning of that Brazilian day. */
const startDate = moment(parseIso);

/** End of a range, inclusive: a bare date means the end of that Brazilian day. */
const endDate = moment((text) =>
	DATE.test(text) ? (brazilianDayBounds(text)?.end ?? null) : parseIso(text),
);

const amount = z
	.string()
	.regex(/^\d{1,12}(\.\d+)?$/, 'Must be an amount in reais')
	.transform(textToCents);

export const paymentFilters = z.object({
	status: z.enum(PAYMENT_STATUSES).optional(),
	method: z.enum(PAYMENT_METHODS).optional(),
	startDate: startDate.optional(),
	endDate: endDate.optional(),
	minAmount: amount.optional(),
	maxAmount: amount.optional(),
});

export const withdrawalFilters = z.object({
	status: z.enum(WITHDRAWAL_STATUSES).optional(),
	method: z.enum(['PIX']).optional(),
	currency: z.enum(['BRL']).optional(),
	startDate: startDate.optional(),
	endDate: endDate.optional(),
});

export const productFilters = z.object({
	search: z.string().optional(),
	isActive: z
		.enum(['true', 'false'])
		.transform((text) => text === 'true')
		.optional(),
});
