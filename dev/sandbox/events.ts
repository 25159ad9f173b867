import { EventEmitter } from 'node:events';
import type {
	Payment,
	PaymentStatus,
	Refund,
	RefundStatus,
	Withdrawal,
	WithdrawalStatus,
} from './store/types';

export interface StateChanges {
	/** `from` is null at creation. */
	payment: [change: { payment: Payment; from: PaymentStatus | null; to: PaymentStatus }];
	withdrawal: [change: { withdrawal: Withdrawal; to: WithdrawalStatus }];
	refund: [change: { refund: Refund; to: RefundStatus }];
}

/** The seam for webhooks: one event per change of state, creation included. */
export class StateEvents extends EventEmitter<StateChanges> {}
