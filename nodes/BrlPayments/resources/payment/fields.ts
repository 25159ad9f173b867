/** The ten fields of a payment that most workflows use. `methodData` holds what a payer needs to pay. */
export const SIMPLE_PAYMENT_FIELDS = [
	'id',
	'txId',
	'status',
	'amount',
	'netAmount',
	'paymentMethod',
	'methodData',
	'createdAt',
	'paidAt',
	'payer',
];
