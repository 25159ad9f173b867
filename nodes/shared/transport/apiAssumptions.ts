/**
 * Names and values that are sent although the description of the service does not show them. All
 * open points, with the signs of a wrong guess and the way out: docs/open-points.md.
 */

/**
 * Query parameters of the list filters, by the name of the field in the editor.
 * Protection: every filter is applied to what came back as well (`filters.ts`).
 *
 * The search by name is not among them. Whether the service distinguishes case and accents is not shown,
 * and a row that it leaves out cannot be seen here: so names are compared here alone.
 */
export const FILTER_PARAMETERS = {
	status: 'status',
	method: 'method',
	currency: 'currency',
	startDate: 'startDate',
	endDate: 'endDate',
	minAmount: 'minAmount',
	maxAmount: 'maxAmount',
	isActive: 'isActive',
} as const;

/**
 * The date that the date filters of lists refer to.
 * Protection: a hint says that rows of another date may be missing.
 */
export const FILTERED_DATE = 'createdAt';

/**
 * Query parameters of receipts and statements.
 * Protection: the content type of a receipt is compared, and Options > Additional Query Parameters overrides
 * them.
 */
export const DOCUMENT_PARAMETERS = {
	format: 'format',
	startDate: 'startDate',
	endDate: 'endDate',
} as const;

/**
 * Body of POST /v1/payments/{paymentId}/simulate.
 * Protection: sandbox keys only, and Options > Body replaces it.
 */
export function simulateBody(status: string): { status: string } {
	return { status };
}
