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
	payment: [
		change: { payment: Payment; from: PaymentStatus | null; to: PaymentStatus; at: number },
	];
	withdrawal: [
		change: {
			withdrawal: Withdrawal;
			from: WithdrawalStatus | null;
			to: WithdrawalStatus;
			at: number;
		},
	];
	refund: [change: { refund: Refund; from: RefundStatus | null; to: RefundStatus; at: number }];
}

/** The seam for webhooks: one event per change of state, `from` null at creation. */
export class StateEvents extends EventEmitter<StateChanges> {}
