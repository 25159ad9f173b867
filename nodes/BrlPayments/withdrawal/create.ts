import { isAgentTool } from '../../shared/n8n/agentTool';
import { InputError } from '../../shared/input/inputError';
import { centsOfAnswer, toReais } from '../../shared/input/money';
import { optionalText } from '../../shared/input/text';
import { MAX_REFERENCE_LENGTH } from '../../shared/input/reference';
import { readCreated } from '../../shared/transport/schemas';
import { moneyNotice, payoutFields, textField } from '../editor/fields';
import type { ItemCall } from '../item';
import type { OrderOperation } from '../operation';
import { duplicateGuardOption } from '../orders/guard';
import { isOfOtherEnvironment, LOOK_UP_SCOPE } from '../orders/accountList';
import { environmentOf } from '../orders/ledger';
import { payoutLimitOptions, toolLimitFields } from '../orders/limits';
import { hasStatus, PAYOUT } from '../orders/payouts';
import {
	documentOfPayout,
	givenPayout,
	parsePayout,
	readReference,
	recipientOfCode,
} from './payout';
import { lookUpWithdrawal } from './recorded';
import { WITHDRAWAL_COLUMNS } from './fields';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** The bound of the API (docs/api.md#limits), in characters. */
const DESCRIPTION_MAX_LENGTH = 500;

const CODE_IDENTIFIER =
	'At least one PIX code contains an identifier for the recipient, such as an order number. The service cannot pass it on, so tell the recipient what was paid.';

/** Whoever approves what an agent asks for would see neither the amount nor the recipient. */
const CODE_FROM_AGENT = new InputError(
	'An agent cannot pay a PIX code (copia e cola)',
	'Check the code with Withdrawal > Check Batch, and pay the PIX key and the amount that it shows.',
);

/** Whoever approves a list that says "test" must not send money, and nobody is paid by one that says "live". */
function checkedElsewhere({ environment }: ItemCall): InputError {
	const isLive = environment === 'production';
	return new InputError(
		`Check Batch has checked this row with a ${environmentOf(!isLive)} key, and this node has a ${environmentOf(isLive)} one`,
		'Choose the same credential in all nodes of the workflow, and run it again.',
	);
}

/** POST /v1/withdrawals (docs/api.md#create-a-withdrawal). */
export const create: OrderOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Pay to PIX key (create withdrawal)',
		description: 'Send money from the balance to a PIX key. This cannot be undone.',
		builderHint: {
			propertyHint:
				'Moves real money with a live key. Check all rows with Withdrawal > Check Batch first, and set Reference.',
		},
	},
	scope: 'withdrawals:write',
	extraScope: {
		scope: LOOK_UP_SCOPE,
		purpose: 'payouts that were made before or are in doubt, which it looks up',
	},
	verificationHint: 'Withdrawal > Get Many, and compare PIX key, amount and time',
	isWrite: true,
	movesMoney: true,
	columns: WITHDRAWAL_COLUMNS,
	identifiedBy: ['reference', 'pixKey', 'amount', 'description'],
	forAgents:
		'Call it once for each requested payment. Amounts are in reais. If it fails, do not call it again: tell the user what the message says.',
	options: [duplicateGuardOption, ...payoutLimitOptions],
	guardedFields: ['amount', 'destination.pixKey', 'destination.recipientDocument'],
	fields: [
		{
			...moneyNotice,
			displayName: `${moneyNotice.displayName} Fill in Reference: each invoice is then paid once, however often you run this.`,
			displayOptions: { hide: { '@tool': [true] } },
		},
		{
			...moneyNotice,
			displayName: `${moneyNotice.displayName} The agent decides whom to pay: set 'Largest Amount' and 'Allowed PIX Keys', and let a person approve each payout.`,
			displayOptions: { show: { '@tool': [true] } },
		},
		...toolLimitFields,
		...payoutFields,
		textField('Reference', 'reference', {
			placeholder: 'e.g. NF-1042',
			hint: 'Each reference is paid once. Without it, running again may pay again.',
			description: `Your own name for this payout, such as the invoice number, up to ${MAX_REFERENCE_LENGTH} characters. It is recognized in every execution of every workflow of this n8n project.`,
			builderHint: {
				propertyHint:
					'Always set it to something unique for each payout, such as the invoice number, so that no repetition pays again.',
			},
		}),
		textField('Description', 'description', {
			placeholder: 'e.g. Invoice 1042',
			description: 'Note for yourself, up to 500 characters. The recipient does not see it.',
		}),
	],
	prepare(call) {
		const { batchEnvironment: checkedIn = call.environment } = call.inputJson ?? {};
		if (checkedIn !== call.environment) throw checkedElsewhere(call);
		const reference = readReference(call);
		const payout = parsePayout(givenPayout(call));
		const description = optionalText(
			call.parameter('description', ''),
			'Description',
			DESCRIPTION_MAX_LENGTH,
		);
		const { amount, pixKey, code } = payout;
		if (code && isAgentTool(call.context)) throw CODE_FROM_AGENT;
		if (code?.txId !== undefined) call.hint(CODE_IDENTIFIER);
		const document = documentOfPayout(payout);
		return {
			path: '/v1/withdrawals',
			body: {
				amount: toReais(amount),
				destination: omitUndefined({ pixKey: pixKey.value, recipientDocument: document }),
				...omitUndefined({ description }),
			},
			// A document says who holds the key; it never changes who receives the money.
			identity: { amount, pixKey: pixKey.value },
			read: readCreated(
				'withdrawal',
				// Of a record that differs, nobody knows whose it is: then the outcome is unknown.
				(record) =>
					centsOfAnswer(record.netAmount) === amount &&
					hasStatus(record) &&
					!isOfOtherEnvironment(record, call.environment),
			),
			reference,
			echo: omitUndefined({ pixKey: pixKey.value, ...recipientOfCode(payout), description }),
			payout: { cents: amount, pixKey },
			current: async (id) => await lookUpWithdrawal(call, id),
		};
	},
	hasReferences: ({ reference = '' }) => reference !== '',
	kind: PAYOUT,
};
