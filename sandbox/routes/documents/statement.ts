import { z } from 'zod';
import { statementHtml, statementText, type Statement } from '../../documents/statement';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { brazilianDayBounds, daysBetween } from '../../time';
import type { World } from '../../world';

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

/** GET /v1/documents/statements: `{content}`, from the real-money ledger (Documents). */
export const getStatement = operation({
	method: 'GET',
	path: '/v1/documents/statements',
	scopes: ['documents:read'],
	query: statementQuery,
	handle({ world, key, query }) {
		const statement = build(
			world,
			key.environment === 'PRODUCTION',
			query.startDate,
			query.endDate,
		);
		const render = query.format === 'html' ? statementHtml : statementText;
		return json(200, { content: render(statement) });
	},
});

function build(world: World, real: boolean, startDate: string, endDate: string): Statement {
	const empty = { startDate, endDate, openingCents: 0, closingCents: 0, entries: [] };
	const start = brazilianDayBounds(startDate)?.start ?? 0;
	const end = brazilianDayBounds(endDate)?.end ?? 0;
	if (!real) return empty;
	const { account } = world;
	const { ledger } = world.store;
	// Counted back from today's total, so that a balance set by hand stays consistent.
	const total =
		account.balanceCents + account.frozenCents + account.heldCents + account.reservedCents;
	const entries = ledger.between(start, end);
	const closingCents = total - ledger.sumAfter(end);
	const moved = entries.reduce((sum, entry) => sum + entry.amountCents, 0);
	return { startDate, endDate, openingCents: closingCents - moved, closingCents, entries };
}
