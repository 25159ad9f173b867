import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { ApiFailure } from '../../../api/failure';
import { lookUpSince, type LookUpReason } from '../../../api/idempotency/lookUp';
import { FILTER_PARAMETERS } from '../../../api/openPoints';
import { MAX_PAGE_SIZE } from '../../../api/pagination';
import { Queue } from '../../../api/queue';
import { readPage, type Page } from '../../../api/schemas';
import type { Scope } from '../../../api/scopes';
import { failureOf } from '../../itemError';
import type { Guard, ItemCall } from '../../itemCall';
import { duplicateFound, findDuplicates } from './duplicates';
import type { Payout } from './payout';
import { RecentWithdrawals } from './recentWithdrawals';

/** What the key has to be allowed for the look-up. */
export const LOOK_UP_SCOPE: Scope = 'withdrawals:read';

export const duplicateGuardOption: INodeProperties = {
	displayName: 'Duplicate Guard',
	name: 'duplicateGuard',
	type: 'boolean',
	default: false,
	description:
		'Whether to look for withdrawals of the last 24 hours with the same PIX key and amount first, and to stop with their IDs instead of paying again. Needs the scope withdrawals:read. Always on as a tool of an agent, in sub-workflows without Idempotency Key, and where a retried execution has lost all trace of its first attempt.',
};

/** From the look-up to the answer of the server: of two equal payouts the second has to find the first. */
const equalPayouts = new Queue();

/** What one run of the node has read so far; a run is over when n8n lets go of its context. */
const readInRun = new WeakMap<IExecuteFunctions, Map<LookUpReason, Recent>>();

interface Recent {
	readonly since: number;
	readonly withdrawals: RecentWithdrawals;
}

/** Looks for withdrawals that pay the same, right before one is made. */
export function duplicateGuard(call: ItemCall, payout: Payout): Guard {
	return {
		isWanted: call.option<boolean>('duplicateGuard') === true,
		async pass(reason, send) {
			return await equalPayouts.run(`${payout.amount} ${payout.pixKey.value}`, async () => {
				const { since, withdrawals } = recentOf(call, reason);
				const duplicates = findDuplicates(await read(withdrawals, reason), payout, since);
				if (duplicates.length > 0) throw duplicateFound(duplicates, payout, reason);
				return await send();
			});
		},
	};
}

function recentOf(call: ItemCall, reason: LookUpReason): Recent {
	const ofRun = readInRun.get(call.context) ?? new Map<LookUpReason, Recent>();
	readInRun.set(call.context, ofRun);
	const known = ofRun.get(reason);
	if (known) return known;

	const since = lookUpSince(reason, call.now());
	const query = { [FILTER_PARAMETERS.startDate]: new Date(since).toISOString() };
	const withdrawals = new RecentWithdrawals(
		async (page) =>
			await call.lookUp<Page>(
				'/v1/withdrawals',
				readPage('withdrawals'),
				{ ...query, page, limit: MAX_PAGE_SIZE },
				LOOK_UP_SCOPE,
			),
	);
	const recent = { since, withdrawals };
	ofRun.set(reason, recent);
	return recent;
}

/** @throws ApiFailure that says what was being done when it failed */
async function read(withdrawals: RecentWithdrawals, reason: LookUpReason) {
	return await withdrawals.refresh().catch((error: unknown) => {
		const failure = failureOf(error);
		throw new ApiFailure({
			...failure,
			message: `Nothing was paid, because the look for duplicates failed: ${failure.message}`,
			effect: reason === 'wanted' ? 'none' : 'unknown',
		});
	});
}
