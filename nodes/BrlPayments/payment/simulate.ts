import { InputError } from '../../shared/input/inputError';
import { parseObject } from '../../shared/input/text';
import { simulateBody } from '../../shared/transport/apiAssumptions';
import { path } from '../../shared/transport/path';
import { readAnything } from '../../shared/transport/schemas';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import type { ItemOperation } from '../operation';
import { additionalBodyFields } from '../editor/options';

/** POST /v1/payments/{paymentId}/simulate (docs/api.md#simulate-an-outcome), for sandbox keys. */
export const simulate: ItemOperation = {
	option: {
		name: 'Simulate',
		value: 'simulate',
		action: 'Simulate outcome of test payment',
		description: 'Force the outcome of a test payment. Works with test keys only.',
	},
	scope: null,
	isWrite: true,
	fields: [
		{
			displayName:
				'Works with test keys only, for payments created with a test key. No money moves.',
			name: 'sandboxNotice',
			type: 'notice',
			default: '',
		},
		paymentIdField,
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			default: 'PAID',
			options: [
				{ name: 'Cancelled', value: 'CANCELLED' },
				{ name: 'Expired', value: 'EXPIRED' },
				{ name: 'Paid', value: 'PAID' },
				{ name: 'Refunded', value: 'REFUNDED' },
			],
			description: 'Status to simulate',
		},
	],
	options: [
		additionalBodyFields,
		{
			displayName: 'Body',
			name: 'body',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. {"status": "PAID"}',
			description:
				'Request body to send instead of the status, if the service expects something else',
		},
	],
	async execute(call) {
		if (call.environment !== 'sandbox') {
			throw new InputError(
				'Simulate works with test keys only, and this is a live key',
				'Nothing was sent. Choose a credential with a test key.',
			);
		}
		const paymentId = await chosenPaymentId(call);
		const status = call.parameter<string>('status');
		// Neither whether it takes a key is documented, nor what it does with a repetition.
		const answer = await call.once(
			path`/v1/payments/${paymentId}/simulate`,
			readAnything('payment'),
			call.completed(parseObject(call.option('body'), 'Body') ?? simulateBody(status)),
		);
		return { json: { id: paymentId, ...answer } };
	},
};
