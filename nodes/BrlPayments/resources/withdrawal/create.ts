import { toReais } from '../../../api/input/money';
import { optionalText } from '../../../api/input/text';
import { readRecord } from '../../../api/schemas';
import { moneyNotice } from '../../fields/moneyNotice';
import { payoutFields } from '../../fields/payout';
import type { ItemOperation } from '../../operation';
import { duplicateGuard, duplicateGuardOption, LOOK_UP_SCOPE } from './duplicateGuard';
import { parsePayout } from './payout';

/** The interface's bound ("Limits"), in characters. */
const DESCRIPTION_MAX_LENGTH = 500;

/** POST /v1/withdrawals ("Withdrawals"). */
export const create: ItemOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create withdrawal',
		description: 'Send money from the balance to a PIX key. It cannot be undone.',
	},
	scope: 'withdrawals:write',
	extraScope: {
		scope: LOOK_UP_SCOPE,
		purpose: 'the Duplicate Guard, which is always on as a tool of an agent',
	},
	isKeyed: true,
	whereItShows: 'Withdrawal > Get Many, by PIX key and amount',
	isWrite: true,
	movesMoney: true,
	forAgents:
		'Call it once for each payment that was asked for. Amounts are in reais. After an error do not call it again: tell the user what the error says.',
	options: [duplicateGuardOption],
	fields: [
		moneyNotice,
		...payoutFields,
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			default: '',
			placeholder: 'e.g. Invoice 1042',
			description: 'A note for yourself, at most 500 characters. The recipient does not see it.',
		},
	],
	async execute(call) {
		const payout = parsePayout({
			amount: call.parameter('amount'),
			pixKey: call.parameter('pixKey'),
			recipientDocument: call.parameter('recipientDocument', ''),
		});
		const description = optionalText(
			call.parameter('description', ''),
			'Description',
			DESCRIPTION_MAX_LENGTH,
		);
		const { amount, pixKey, document } = payout;
		const withdrawal = await call.post(
			'/v1/withdrawals',
			{
				amount: toReais(amount),
				destination: {
					pixKey: pixKey.value,
					...(document === undefined ? {} : { recipientDocument: document.value }),
				},
				...(description === undefined ? {} : { description }),
			},
			{ amount, pixKey: pixKey.value, document: document?.value },
			readRecord('withdrawal'),
			{ guard: duplicateGuard(call, payout) },
		);
		return { json: withdrawal };
	},
};
