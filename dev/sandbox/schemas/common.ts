import { z } from 'zod';
import { reaisToCents } from '../values/money';

/** A JSON number in reais, a positive multiple of 0.01 -> integer centavos. */
export const reais = z
	.number({ message: 'Must be a number in reais' })
	.transform((value, context) => {
		const cents = reaisToCents(value);
		if (cents !== null && cents > 0) return cents;
		context.addIssue({
			code: z.ZodIssueCode.custom,
			message: 'Must be greater than zero and a multiple of 0.01',
		});
		return z.NEVER;
	});

export const uuid = z.string().uuid('Must be a UUID');

/** `externalId` as a path parameter: at most 100 characters (docs/api.md#limits). */
export const externalIdParams = z.object({
	externalId: z.string().min(1).max(100, 'At most 100 characters'),
});

export const paymentIdParams = z.object({ paymentId: uuid });
export const productIdParams = z.object({ productId: uuid });
export const withdrawalIdParams = z.object({ withdrawalId: uuid });
export const customerIdParams = z.object({
	customerId: z.string().regex(/^cus_[A-Za-z0-9_-]+$/, 'Must have the form cus_<slug>'),
});
