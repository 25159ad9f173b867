/** The ten fields of a payment that most workflows use. */
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
