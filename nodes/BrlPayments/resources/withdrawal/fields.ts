/** The ten fields of a withdrawal that most workflows use. */
export const SIMPLE_WITHDRAWAL_FIELDS = [
	'id',
	'txId',
	'status',
	'grossAmount',
	'feeAmount',
	'netAmount',
	'pixKey',
	'createdAt',
	'processedAt',
	'errorMessage',
];
