import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { ApiFailure } from '../../../api/failure';
import type { LookUp } from '../../../api/idempotency/lookUp';
import { FILTER_PARAMETERS } from '../../../api/openPoints';
import { MAX_PAGE_SIZE } from '../../../api/pagination';
import { OneAtATime } from '../../../api/oneAtATime';
import { readPage, type Page } from '../../../api/schemas';
import type { Scope } from '../../../api/scopes';
import { failureOf } from '../../../api/itemError';
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
const equalPayouts = new OneAtATime();

/** By the moment they begin with, milliseconds since 1970. */
type Lists = Map<number, RecentWithdrawals>;

/** What one run of the node has read so far; a run is over when n8n lets go of its context. */
const readInRun = new WeakMap<IExecuteFunctions, Lists>();

/** Items that look back to different moments of one hour share a list that begins with the hour. */
const HOUR_MS = 60 * 60 * 1000;

/** Looks for withdrawals that pay the same, right before one is made. */
export function duplicateGuard(call: ItemCall, payout: Payout): Guard {
	return {
		isWanted: call.option<boolean>('duplicateGuard') === true,
		async pass(lookUp, send) {
			return await equalPayouts.run(`${payout.amount} ${payout.pixKey.value}`, async () => {
				const rows = await read(recentOf(call, lookUp), lookUp);
				const duplicates = findDuplicates(rows, payout, lookUp.since);
				if (duplicates.length > 0) throw duplicateFound(duplicates, payout, lookUp);
				return await send();
			});
		},
	};
}

function recentOf(call: ItemCall, { since }: LookUp): RecentWithdrawals {
	const ofRun: Lists = readInRun.get(call.context) ?? new Map<number, RecentWithdrawals>();
	readInRun.set(call.context, ofRun);
	const beginning = Math.floor(since / HOUR_MS) * HOUR_MS;
	const known = ofRun.get(beginning);
	if (known) return known;

	const query = { [FILTER_PARAMETERS.startDate]: new Date(beginning).toISOString() };
	const withdrawals = new RecentWithdrawals(
		async (page) =>
			await call.lookUp<Page>(
				'/v1/withdrawals',
				readPage('withdrawals'),
				{ ...query, page, limit: MAX_PAGE_SIZE },
				LOOK_UP_SCOPE,
			),
	);
	ofRun.set(beginning, withdrawals);
	return withdrawals;
}

/** @throws ApiFailure that says what was being done when it failed */
async function read(withdrawals: RecentWithdrawals, { reason }: LookUp) {
	return await withdrawals.refresh().catch((error: unknown) => {
		const failure = failureOf(error);
		throw new ApiFailure({
			...failure,
			message: `Nothing was paid, because the look for duplicates failed: ${failure.message}`,
			effect: reason === 'wanted' ? 'none' : 'unknown',
		});
	});
}
