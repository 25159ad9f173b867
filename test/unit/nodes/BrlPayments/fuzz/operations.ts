import type { IDataObject } from 'n8n-workflow';

const UUID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const PAYMENT = { paymentId: UUID };
const PAYOUT = { pixKey: 'maria@recipient.example', recipientDocument: '' };
const LIST = { returnAll: true, limit: 7, filters: {} };
const WAIT = { statuses: ['PAID', 'COMPLETED'], timeout: 20 };
const BY_ID = { productId: { mode: 'id', value: UUID } };
const BY_EXTERNAL_ID = { productId: { mode: 'externalId', value: 'plan-monthly' } };
const FILTERS = {
	...LIST,
	filters: { status: 'PAID', startDate: '2026-01-01', endDate: '2026-12-31', minAmount: '1' },
};

/** Valid parameters of every operation, some in several ways; amounts, and what follows in a reference, are the item's own. */
export const OPERATIONS: ReadonlyArray<readonly [string, string, IDataObject]> = [
	['apiKey', 'get', {}],
	['balance', 'get', {}],
	['customer', 'delete', { customerId: 'cus_maria' }],
	['customer', 'get', { customerId: 'cus_maria' }],
	['customer', 'getByExternalId', { externalId: 'maria/1' }],
	['document', 'getReceipt', { ...PAYMENT, format: 'text' }],
	['document', 'getStatement', { startDate: '2026-03-01', endDate: '2026-03-31', format: 'html' }],
	['payment', 'create', { chargeBy: 'amount', methods: ['PIX'], mode: 'hosted' }],
	[
		'payment',
		'create',
		{ chargeBy: 'product', ...BY_EXTERNAL_ID, methods: ['PIX'], mode: 'hosted' },
	],
	['payment', 'create', { chargeBy: 'amount', methods: ['BOLETO'], mode: 'headless' }],
	['payment', 'getPixQrCode', { ...PAYMENT, binaryPropertyName: 'data' }],
	['payment', 'downloadBoleto', { ...PAYMENT, binaryPropertyName: 'data' }],
	['payment', 'get', PAYMENT],
	['payment', 'getAll', LIST],
	['payment', 'getAll', { ...FILTERS, returnAll: false }],
	['payment', 'getByTxId', { txId: 'PAY0F8FAD5BD9CB469FA16570867728950E' }],
	['payment', 'refund', PAYMENT],
	['payment', 'simulate', { ...PAYMENT, status: 'PAID' }],
	['payment', 'waitForStatus', { ...PAYMENT, ...WAIT, simplify: false }],
	['product', 'create', { name: 'Plan' }],
	['product', 'delete', BY_ID],
	['product', 'deleteImage', BY_EXTERNAL_ID],
	['product', 'getAll', { ...LIST, filters: { search: 'plan', isActive: true } }],
	['product', 'getByExternalId', { externalId: 'plan-monthly' }],
	['product', 'uploadImage', { ...BY_ID, binaryPropertyName: 'data' }],
	['withdrawal', 'checkBatch', PAYOUT],
	['withdrawal', 'checkBatch', { ...PAYOUT, reference: 'NF' }],
	['withdrawal', 'create', PAYOUT],
	['withdrawal', 'create', { ...PAYOUT, reference: 'NF' }],
	['withdrawal', 'get', { withdrawalId: UUID }],
	['withdrawal', 'getByReference', { reference: 'NF' }],
	['withdrawal', 'getAll', FILTERS],
	['withdrawal', 'getLimits', {}],
	['withdrawal', 'settleReference', { reference: 'NF', outcome: 'paid', withdrawalId: UUID }],
	['withdrawal', 'settleReference', { reference: 'NF', outcome: 'notPaid' }],
	['withdrawal', 'waitForStatus', { withdrawalId: UUID, ...WAIT, simplify: true }],
];
