/** Payouts and what else the tests of money ask for: lists, and the parameters of the node. */
import type { IDataObject, Workflow } from 'n8n-workflow';
import { CPF, EMAIL } from './values';
import { buildWorkflow, CONTINUE, type Parameters } from './workflow';

/** Two payouts that differ in all that identifies them. */
export const TWO: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF },
	{ amount: 20.02, pixKey: EMAIL },
];

/** Withdrawal > Create, with what the items say. */
export const payEach = (options: Parameters = {}, more: Parameters = {}): Parameters => ({
	resource: 'withdrawal',
	operation: 'create',
	amount: '={{ $json.amount }}',
	pixKey: '={{ $json.pixKey }}',
	...more,
	options,
});

/** Payment > Create, by one method. */
export const chargeEach = (method: 'PIX' | 'BOLETO'): Parameters => ({
	resource: 'payment',
	operation: 'create',
	amount: '={{ $json.amount }}',
	methods: [method],
	customer: { name: 'Maria Exemplo', email: EMAIL, document: CPF },
	options: {},
});

/** The reference is the description as well: effects are told apart by it, not by what they look like. */
export const payReferenced = (options: Parameters = {}, more: Parameters = {}): Parameters =>
	payEach(options, {
		reference: '={{ $json.invoice }}',
		description: '={{ $json.invoice }}',
		...more,
	});

/** Two payouts that differ in all that identifies them. */
export const INVOICES: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' },
	{ amount: 20.02, pixKey: EMAIL, invoice: 'NF-2' },
];
/** Each of them has one living withdrawal, see `living`. */
export const BOTH = { 'NF-1': 1, 'NF-2': 1 };
/** The same references, each with another amount. */
export const CORRECTED = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
/** Payouts that look alike: only their references differ. */
export const alike = (...invoices: string[]): IDataObject[] =>
	invoices.map((invoice) => ({ ...INVOICES[0], invoice }));

/** A workflow with a node of its own that pays references. */
export const referenced = (options: Parameters = {}): Workflow =>
	buildWorkflow({ parameters: payReferenced(options), ...CONTINUE });

/** Payment > Refund, of what `paidPayments` returns. */
export const refundEach: Parameters = {
	...{ resource: 'payment', operation: 'refund' },
	...{ paymentId: '={{ $json.id }}', options: { maxConcurrency: 1 } },
};
