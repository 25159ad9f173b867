import { found } from '../../errors';
import { json } from '../../http/answer';
import { isWithin, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentWithdrawal } from '../../http/present';
import { withdrawalLimits } from '../../rules/withdrawal';
import { withdrawalIdParams } from '../../schemas/common';
import { listQuery, withdrawalFilters } from '../../schemas/lists';
import { centsToReais } from '../../values/money';

/** GET /v1/withdrawals/{withdrawalId} (docs/api.md#get-a-withdrawal). */
export const getWithdrawal = operation('GET /v1/withdrawals/:withdrawalId', {
	scopes: ['withdrawals:read'],
	params: withdrawalIdParams,
	handle({ world, key, params }) {
		const row = world.store.withdrawals.get(key.environment, params.withdrawalId);
		const withdrawal = found(row, 'withdrawal');
		return json(200, { withdrawal: presentWithdrawal(withdrawal) });
	},
});

/** GET /v1/withdrawals/limits: not enveloped (Withdrawal limits). */
export const getWithdrawalLimits = operation('GET /v1/withdrawals/limits', {
	scopes: ['withdrawals:read'],
	handle({ world: { account, store }, key, now }) {
		const limits = withdrawalLimits(account, store.getUsedOnDay(key.environment, now), now);
		const cap = account.perTransactionLimitCents;
		return json(200, {
			currentLimit: centsToReais(limits.currentLimitCents),
			used: centsToReais(limits.usedCents),
			remaining: centsToReais(limits.remainingCents),
			isNightTime: limits.isNightTime,
			fee: centsToReais(account.feeCents),
			dayStartHour: account.dayStartHour,
			dayEndHour: account.dayEndHour,
			minAmount: centsToReais(limits.minCents),
			perTransactionLimit: cap === null ? null : centsToReais(cap),
		});
	},
});

/** GET /v1/withdrawals (docs/api.md#list-withdrawals). */
export const listWithdrawals = operation('GET /v1/withdrawals', {
	scopes: ['withdrawals:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world.dialect, withdrawalFilters, query);
		const rows = world.store.withdrawals.newestFirst(
			key.environment,
			(row) =>
				(filters.status === undefined || row.status === filters.status) &&
				isWithin(world.dialect, row, filters),
		);
		return page(world.dialect, 'withdrawals', rows, query, presentWithdrawal);
	},
});
