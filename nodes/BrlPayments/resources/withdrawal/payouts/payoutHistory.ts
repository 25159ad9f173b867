import { InputError } from '../../../../shared/validation/inputError';
import { failureOf } from '../../../../shared/failures/itemError';
import { readPage, type ApiRecord, type Page } from '../../../../shared/transport/schemas';
import { MAX_PAGE_SIZE } from '../../../../shared/lists/pagination';
import type { Scope } from '../../../../shared/failures/scopes';
import type { Failure } from '../../../../shared/failures/failure';
import { ItemCall } from '../../../execution/itemCall';
import type { OrderRun } from '../../../execution/orderRun';
import { WithdrawalHistory, type Excerpt } from './withdrawalHistory';

/** What the key has to be allowed for looking up payouts. */
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
				checkFresh(
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
			this.failed = failureOf(error);
			return { failure: this.failed };
		}
	}
}

/** @throws InputError for a page out of a cache: payouts may be missing in it */
function checkFresh(page: Page): Page {
	if (page.age === undefined) return page;
	throw new InputError(
		`The list of withdrawals came from a cache, ${page.age} seconds old, so payouts may be missing in it`,
		'Ask whoever runs the proxy between n8n and the service to switch off caching for it.',
	);
}
