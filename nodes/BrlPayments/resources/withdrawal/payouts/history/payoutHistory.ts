import { InputError } from '../../../../../shared/validation/inputError';
import { toFailure } from '../../../../../shared/failures/itemError';
import { readPage, type ApiRecord, type Page } from '../../../../../shared/transport/schemas';
import { MAX_PAGE_SIZE } from '../../../../../shared/lists/pagination';
import type { Scope } from '../../../../../shared/failures/scopes';
import type { Failure } from '../../../../../shared/failures/failure';
import { ItemCall } from '../../../../execution/itemCall';
import type { OrderRun } from '../../../../execution/orderRun';
import { WithdrawalHistory, type Excerpt } from './withdrawalHistory';

/** The scope that an API key requires to look up payouts. */
export const LOOK_UP_SCOPE: Scope = 'withdrawals:read';

export type Reading = Excerpt | { readonly failure: Failure };

/** The list of withdrawals as one run of the node reads it: once, and not again after it failed. */
export class PayoutHistory {
	private readonly list: WithdrawalHistory;
	private failed: Failure | undefined;

	constructor({ run }: OrderRun) {
		const call = new ItemCall(run, 0);
		this.list = new WithdrawalHistory(
			async (page) =>
				checkWhole(
					await call.lookUp<Page>('/v1/withdrawals', readPage('withdrawals'), LOOK_UP_SCOPE, {
						page,
						limit: MAX_PAGE_SIZE,
					}),
				),
			() => call.now(),
		);
	}

	/** See `WithdrawalHistory.until`; a failure is returned. */
	async until(
		since: number,
		isEnough: (rows: readonly ApiRecord[]) => boolean = () => false,
	): Promise<Reading> {
		if (this.failed) return { failure: this.failed };
		try {
			return await this.list.until(since, isEnough);
		} catch (error) {
			this.failed = toFailure(error);
			return { failure: this.failed };
		}
	}
}

/** @throws InputError for a page that a proxy has cached or changed: payouts may be missing in it */
function checkWhole(page: Page): Page {
	if (page.cachedBy !== undefined) {
		throw new InputError(
			`The list of withdrawals came from a cache (${page.cachedBy}), so payouts may be missing in it`,
			'Ask the administrator of the proxy between n8n and the service to turn off caching for it.',
		);
	}
	// Each list of the service says how many rows there are (docs/api.md#pagination).
	if (page.total === undefined) {
		throw new InputError(
			'The list of withdrawals does not say how many there are, so payouts may be missing in it',
			'Run this again later. If it stays like this, ask the administrator of the proxy between n8n and the service what it does with the responses.',
		);
	}
	return page;
}
