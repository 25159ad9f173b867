import type { IDataObject } from 'n8n-workflow';
import type { ItemOutcome } from '../../../nodes/BrlPayments/items';
import type { ItemResult } from '../../../nodes/BrlPayments/draft';
import type { RunFacts } from '../../../nodes/BrlPayments/report';
import type { Failure } from '../../../nodes/shared/failures/failure';

export type Outcome = ItemOutcome<ItemResult[]>;

export const done = (json: IDataObject = {}): Outcome => ({ state: 'done', result: [{ json }] });
export const paidBefore = (id: string) => done({ id, alreadyPaid: true });
export const notStarted: Outcome = { state: 'notStarted' };
export const failed = (effect: Failure['effect'], changed: Partial<Failure> = {}): Outcome => ({
	state: 'failed',
	failure: {
		code: 'X',
		message: '',
		description: '',
		httpStatus: null,
		retryable: false,
		effect,
		...changed,
	},
});
export const toDuplicate = (...withdrawalIds: string[]) =>
	failed('none', { code: 'POSSIBLE_DUPLICATE', withdrawalIds });

/** A batch of payouts that a trigger started, sent for the first time. */
export const about = (changed: Partial<RunFacts> = {}): RunFacts => ({
	kind: 'payout',
	isCancelled: false,
	...changed,
});
