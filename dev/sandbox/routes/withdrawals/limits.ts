import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { centsToReais } from '../../values/money';
import { withdrawalLimits } from '../../rules/limits';

/** GET /v1/withdrawals/limits: not enveloped (Withdrawal limits). */
export const getWithdrawalLimits = operation({
	method: 'GET',
	path: '/v1/withdrawals/limits',
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
