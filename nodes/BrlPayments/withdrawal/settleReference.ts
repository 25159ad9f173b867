import { ApiFailure } from '../../shared/failures/failure';
import { maskText } from '../../shared/privacy/text';
import type { ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import { maskPixKey } from '../../shared/privacy/value';
import { centsOfAnswer, toReais } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import { parseUuid } from '../../shared/validation/uuid';
import { referenceField, textField } from '../fields/definitions';
import type { ItemCall } from '../execution/itemCall';
import type { ItemOperation } from '../execution/operation';
import {
	hidesContent,
	looksLikeOneOf,
	searchList,
	toContent,
	isFailed,
	pixKeysShown,
} from '../payouts/samePayout';
import { CLOCKS_DIFFER_MS, LOOK_UP_SCOPE, AccountHistory } from '../ledger/accountHistory';
import {
	claimantsOf,
	toCells,
	withoutOthers,
	type Cells,
	type StoredCells,
} from '../ledger/ledger';
import {
	doubtful,
	findPaid,
	ruledOut,
	settle,
	type Listed,
	type NewRow,
	type Settlement,
	type Word,
} from '../ledger/protocol';
import { readRecorded, readWithdrawal, type Recorded } from '../payouts/recorded';
import { inLedger } from '../ledger/readRows';

type Refused = Extract<Settlement, { isAccepted: false }>;

/** A person's word on a payout that nobody else can know about; moves no money. */
export const settleReference: ItemOperation = {
	option: {
		name: 'Settle Reference',
		value: 'settleReference',
		action: 'Settle reference in doubt',
		description:
			'Say whether a payout in doubt was made, or which withdrawal has paid a reference, after you looked it up at the service. Moves no money.',
	},
	scope: LOOK_UP_SCOPE,
	isWrite: true,
	fields: [
		referenceField,
		{
			displayName: 'Outcome',
			name: 'outcome',
			type: 'options',
			default: 'paid',
			options: [
				{
					name: 'Not Paid',
					value: 'notPaid',
					description: 'None of the withdrawals that the error named is this payout',
				},
				{ name: 'Paid', value: 'paid', description: 'The withdrawal below is this payout' },
			],
			description: 'What you found when you looked the payout up at the service',
		},
		textField('Withdrawal ID', 'withdrawalId', {
			required: true,
			placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
			displayOptions: { show: { outcome: ['paid'] } },
			description: 'ID of the withdrawal that is this payout',
		}),
	],
	async execute(call) {
		const recorded = await readRecorded(call);
		const word = await readWord(call, recorded);
		const settlement = settle(recorded.rows, word);
		const cells = settlement.record.map((row) => toOwnCells(call, recorded, row, word));
		if (cells.length > 0) await inLedger(recorded.store.record(cells, []));
		if (!settlement.isAccepted) throw refuse(recorded.reference, settlement);
		if (word.outcome === 'paid') await takeBackIfOthers(call, recorded, word.id);
		else await refuseIfPaid(call);
		const { reference, status, withdrawalId, environment, sentAt, generation } = cells[0] as Cells;
		return { json: { reference, status, withdrawalId, environment, sentAt, generation } };
	},
};

/** With what people read of a withdrawal in the table. */
type OwnWord = Word & { readonly shown?: Pick<Cells, 'amount' | 'pixKey'> };

async function readWord(call: ItemCall, recorded: Recorded): Promise<OwnWord> {
	const outcome = call.parameter<string>('outcome');
	if (outcome === 'notPaid') return { outcome, list: await readList(call, recorded) };
	if (outcome !== 'paid') {
		throw new InputError('Outcome must be Paid or Not Paid', 'Choose one of them in Outcome.');
	}
	const id = parseUuid(call.parameter('withdrawalId'), 'Withdrawal ID');
	const found = await readWithdrawal(call, id);
	// Of a reference that was never sent, the withdrawal alone shows how much was paid.
	const isReadable = recorded.rows.length > 0 || centsOfAnswer(found?.netAmount) !== null;
	const withdrawal = isReadable ? found : undefined;
	const owners = await inLedger(recorded.store.findWithdrawals([id]));
	return {
		outcome,
		id,
		withdrawal: withdrawal && {
			content: sentContent(call, recorded, withdrawal),
			isLiving: !isFailed(withdrawal),
		},
		owners: claimantsOf(owners, id, recorded.reference, ['paid']),
		...(withdrawal && { shown: toShown(withdrawal) }),
	};
}

function toShown({ netAmount, pixKey }: ApiRecord): Pick<Cells, 'amount' | 'pixKey'> {
	const cents = centsOfAnswer(netAmount);
	return { amount: cents === null ? null : toReais(cents), pixKey: maskPixKey(toText(pixKey)) };
}

/**
 * Two people may enter one withdrawal for two references at the same time, and a run may send a reference that
 * nothing was known of: neither finds the other's row before both are written.
 */
async function takeBackIfOthers(call: ItemCall, recorded: Recorded, id: string): Promise<void> {
	const { reference, cells, store } = recorded;
	const named = await inLedger(store.findWithdrawals([id]));
	const owners = claimantsOf(named, id, reference, ['paid']);
	const isNew = (row: StoredCells) => !cells.some(({ id: known }) => known === row.id);
	const written = named.filter((row) => row.reference === reference && isNew(row));
	const now = recorded.rows.length > 0 ? [] : (await readRecorded(call)).cells;
	const isSent = now.some((row) => isNew(row) && !written.some((own) => own.id === row.id));
	if (owners.length === 0 && !isSent) return;
	await inLedger(store.withdraw(written.map((row) => row.id)));
	const because = isSent ? 'beingSent' : 'otherOrder';
	throw refuse(reference, { isAccepted: false, because, ids: owners, record: [] });
}

/** Somebody else may have said at the same time what paid it, and that counts. */
async function refuseIfPaid(call: ItemCall): Promise<void> {
	const { reference, rows } = await readRecorded(call);
	const paid = findPaid(rows);
	if (paid === undefined) return;
	const ids = [paid.withdrawalId ?? ''];
	throw refuse(reference, { isAccepted: false, because: 'paid', ids, record: [] });
}

/** What the list shows of the payouts that may be the one in doubt. */
async function readList(call: ItemCall, recorded: Recorded): Promise<Listed> {
	const { rows, reference, store } = recorded;
	const wanted = doubtful(rows);
	if (wanted === undefined) return { isComplete: false };
	const [since, until] = [wanted.since - CLOCKS_DIFFER_MS, wanted.until + CLOCKS_DIFFER_MS];
	const reading = await new AccountHistory(call).since(since, -Infinity, until);
	const out = ruledOut(rows);
	const looks = looksLikeOneOf(wanted.contents, call.context.getInstanceId());
	const finding = searchList(reading, looks, (id) => out.has(id));
	if (finding.state === 'unreadable') return { isComplete: false };
	if (finding.state === 'absent') return { isComplete: true, candidates: [] };
	const owners = await inLedger(store.findWithdrawals(finding.ids));
	return { isComplete: true, candidates: withoutOthers(finding.ids, owners, reference) };
}

/**
 * The content that the order was sent with and that a withdrawal has; empty if it has none of them. If nothing
 * was sent, its own; empty if it does not show clearly whom it paid.
 */
function sentContent(call: ItemCall, { rows }: Recorded, withdrawal: ApiRecord): string {
	const cents = centsOfAnswer(withdrawal.netAmount);
	if (cents === null) return '';
	const salt = call.context.getInstanceId();
	const contents = pixKeysShown(withdrawal).map((key) => toContent(cents, key, salt));
	if (rows.length === 0) return hidesContent(withdrawal) ? '' : (contents[0] ?? '');
	return contents.find((one) => rows.some(({ content }) => content === one)) ?? '';
}

/** A person's word names no run, and what it is about in words only. */
function toOwnCells(
	call: ItemCall,
	{ reference, environment, cells }: Recorded,
	row: NewRow,
	{ shown }: OwnWord,
): Cells {
	const { context } = call;
	const { amount = null, pixKey = null } = cells[0] ?? shown ?? {};
	// What the node saw in the list is no person's word: a row without a run would rule it out.
	const run = row.status === 'in doubt' ? context.getExecutionId() : '';
	return {
		reference,
		amount,
		pixKey,
		environment,
		workflow: context.getWorkflow().id ?? null,
		execution: context.getExecutionId(),
		...toCells(row, { run, apiKey: call.keyPrefix, content: '', body: '' }, call.now()),
	};
}

function refuse(reference: string, { because, ids }: Refused): ApiFailure {
	const [what, remedy] = REASONS[because];
	const named = ids.length === 0 ? '' : ` (${ids.map(maskText).join(', ')})`;
	const withdrawalIds = because === 'newCandidates' ? ids : [];
	return new ApiFailure({
		code: 'NOT_SETTLED',
		message: `The reference "${maskText(reference)}" was not settled: ${what}${named}`,
		description: remedy,
		retryable: because === 'listUnreadable' || because === 'unreadable',
		effect: 'none',
		reference,
		concernsItemOnly: true,
		...(withdrawalIds.length === 0 ? {} : { withdrawalIds }),
	});
}

const LOOK_THEM_UP =
	'Look at these withdrawals too. If one of them is this payout, choose Paid and enter its ID. If none is, choose Not Paid once more.';
const REASONS: Record<Refused['because'], readonly [string, string]> = {
	paid: [
		'the table BRL Payouts says that it was paid',
		'Look that withdrawal up with the credential that paid it. If it did not pay this reference, open the table under Data tables and change Status of its row to not paid. Then run the workflow again.',
	],
	nothingInDoubt: [
		'nothing about it is in doubt',
		'Run the workflow: it pays the reference if it was not paid. If you have paid it by other means since it was refused, remove it from the list instead. Withdrawal > Get by Reference shows what is known.',
	],
	beingSent: [
		'a run of the workflow is sending it now',
		'Wait until that run has ended. Then look at Withdrawal > Get by Reference.',
	],
	listUnreadable: [
		'the list of withdrawals could not be read completely',
		'Check that the API key in the credential is valid and has the scope withdrawals:read. If it has, try again in a minute: payouts were made while the list was read, or something between n8n and the service has changed it.',
	],
	newCandidates: ['the list shows withdrawals that no error has named yet', LOOK_THEM_UP],
	unreadable: [
		'the withdrawal could not be read',
		'Check the ID and the credential: the API key requires the scope withdrawals:read and has to belong to the account that paid.',
	],
	notLiving: [
		'the bank refused this withdrawal, so it paid nobody',
		'Check the ID. If another withdrawal is this payout, enter its ID. Choose Not Paid only if none of the withdrawals that the error named is this payout: the next run then pays the reference.',
	],
	otherContent: [
		'the withdrawal has an amount or PIX key that was never sent under this reference',
		'Check the ID.',
	],
	otherOrder: [
		'the table BRL Payouts has this withdrawal for another reference',
		'Check the ID. If the table is wrong, open it under Data tables. In the row of the other reference, enter the ID of the withdrawal that paid it, or change Status to not paid if none did. Then try again.',
	],
};
