/** The ten fields of a withdrawal that most workflows use. */
export const SIMPLE_WITHDRAWAL_FIELDS = [
	'pixKey',
	'netAmount',
	'status',
	'processedAt',
	'errorMessage',
	'feeAmount',
	'grossAmount',
	'id',
	'txId',
	'createdAt',
];

/** In the order in which people read a payout: whom, how much, whether it was paid. */
export const WITHDRAWAL_COLUMNS = [
	'reference',
	'pixKey',
	'netAmount',
	'status',
	'alreadyPaid',
	'description',
	'feeAmount',
	'grossAmount',
	'id',
	'txId',
];
