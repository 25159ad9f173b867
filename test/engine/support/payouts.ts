import type { IDataObject } from 'n8n-workflow';
import { CPF, EMAIL } from './values';
import type { Parameters } from './workflow';

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
	options: options as never,
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
