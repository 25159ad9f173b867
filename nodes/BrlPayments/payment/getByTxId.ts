import { textField } from '../editor/fields';
import { requireText } from '../../shared/input/text';
import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { simplifyFields } from '../editor/simplify';
import type { ItemOperation } from '../operation';
import { shownPayment } from './fields';

/** GET /v1/payments/txid/{txId} (docs/api.md#get-a-payment-by-transaction-id). */
export const getByTxId: ItemOperation = {
	option: {
		name: 'Get by TxID',
		value: 'getByTxId',
		action: 'Get payment by tx ID',
		description:
			'Retrieve a payment by its transaction ID, which some events carry instead of the ID',
	},
	scope: 'payments:read',
	fields: [
		textField('TxID', 'txId', {
			required: true,
			placeholder: 'e.g. PAY0F8FAD5BD9CB469FA16570867728950E',
			description: 'Transaction ID of the payment',
		}),
		...simplifyFields,
	],
	async execute(call) {
		const txId = requireText(call.parameter('txId'), 'TxID');
		const payment = await call.get(path`/v1/payments/txid/${txId}`, readRecord('payment'));
		return { json: shownPayment(call, payment) };
	},
};
