import { textField, moneyNotice } from '../editor/fields';
import { parseReais, toReais } from '../../shared/input/money';
import { optionalText } from '../../shared/input/text';
import { path } from '../../shared/transport/path';
import { readCreated } from '../../shared/transport/schemas';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import type { OrderOperation } from '../operation';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** POST /v1/payments/{paymentId}/refund (docs/api.md#refund-a-payment). */
export const refund: OrderOperation = {
	option: {
		name: 'Refund',
		value: 'refund',
		action: 'Refund payment',
		description: 'Refund a payment to the payer in full. This cannot be undone.',
	},
	scope: 'payments:refund',
	verificationHint: 'Payment > Get, and look at the status',
	isWrite: true,
	movesMoney: true,
	forAgents:
		'Call it once for each requested refund. If it fails, do not call it again: tell the user what the message says.',
	guardedFields: ['amount'],
	fields: [
		moneyNotice,
		paymentIdField,
		textField('Amount', 'amount', {
			placeholder: 'e.g. 1.234,56',
			description:
				'Leave empty for a full refund, the only kind available. An amount in reais other than the full one is refused.',
		}),
		textField('Reason', 'reason', {
			placeholder: 'e.g. Order cancelled by the customer',
			description: 'Why the payment is refunded. The service stores it with the refund.',
		}),
	],
	async prepare(call) {
		const paymentId = await chosenPaymentId(call);
		const text = optionalText(call.parameter('amount', ''), 'Amount');
		const cents = text === undefined ? undefined : parseReais(call.parameter('amount'));
		const reason = optionalText(call.parameter('reason', ''), 'Reason');
		return {
			path: path`/v1/payments/${paymentId}/refund`,
			body: omitUndefined({
				amount: cents === undefined ? undefined : toReais(cents),
				reason,
			}),
			identity: { paymentId, amount: cents },
			read: readCreated('refund'),
		};
	},
};
