import type { INodePropertyOptions } from 'n8n-workflow';

/** Statuses of a payment (docs/api.md#payment-states), in alphabetical order as the editor lists them. */
export const PAYMENT_STATUSES: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'CANCELLED' },
	{ name: 'Chargeback', value: 'CHARGEBACK' },
	{ name: 'Confirmed', value: 'CONFIRMED' },
	{ name: 'Expired', value: 'EXPIRED' },
	{ name: 'MED Frozen', value: 'MED_FROZEN' },
	{ name: 'New', value: 'NEW' },
	{ name: 'Paid', value: 'PAID' },
	{ name: 'Partial Refund', value: 'PARTIAL_REFUND' },
	{ name: 'Pending Method Selection', value: 'PENDING_METHOD_SELECTION' },
	{ name: 'Processing', value: 'PROCESSING' },
	{ name: 'Refunded', value: 'REFUNDED' },
];

/** Statuses of a withdrawal (docs/api.md#withdrawal-states). */
export const WITHDRAWAL_STATUSES: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'CANCELLED' },
	{ name: 'Completed', value: 'COMPLETED' },
	{ name: 'Failed', value: 'FAILED' },
	{ name: 'Pending', value: 'PENDING' },
	{ name: 'Processing', value: 'PROCESSING' },
];

export const PAYMENT_METHODS: INodePropertyOptions[] = [
	{ name: 'Boleto', value: 'BOLETO' },
	{ name: 'Card', value: 'CARD' },
	{ name: 'PIX', value: 'PIX' },
];
