import { ApiFailure } from '../../shared/failures/failure';
import { maskText } from '../../shared/privacy/text';
import { maskPixKey } from '../../shared/privacy/value';
import { toBrasiliaTime } from '../../shared/text/time';
import type { ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/input/inputError';
import { parseUuid } from '../../shared/input/uuid';
import { referenceField, textField } from '../editor/fields';
import type { ItemCall } from '../item';
import type { ItemOperation } from '../operation';
import { findCandidates } from '../orders/absence';
import { AccountHistory, CLOCKS_DIFFER_MS, LOOK_UP_SCOPE } from '../orders/accountList';
import { findOwners, toCells, toRows, type Cells } from '../orders/ledger';
import { contentsShown, isFailed, looksLikeOneOf } from '../orders/payouts';
import {
	findDoubt,
	findPaid,
	PERSON,
	settleNotPaid,
	settlePaid,
	type List,
	type NewRow,
	type Row,
	type Settlement,
} from '../orders/protocol';
import { PROOF_TIME } from '../orders/texts';
import { centsOfAnswer, toReais } from '../../shared/input/money';
import { toText } from '../../shared/input/text';
import { asOfNow, inLedger, readRecorded, readWithdrawal, type Recorded } from './recorded';

type Objection = Extract<Settlement, { because: string }>;

/** A person's statement on a payout that nobody else can know about; moves no money. */
export const settleReference: ItemOperation = {
	option: {
		name: 'Settle Reference',
		value: 'settleReference',
		action: 'Settle reference in doubt',
		description:
			'Say whether a payout in doubt was made, after you looked it up at the service. Moves no money.',
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
					description: 'No withdrawal is this payout',
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
		textField('Not These', 'notThese', {
			placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
			displayOptions: { show: { outcome: ['notPaid'] } },
			description:
				'IDs of withdrawals of the same amount that you have looked at and that are not this payout, separated by commas',
		}),
	],
	async execute(call) {
		const recorded = await readRecorded(call);
		const { name, cells: known } = recorded;
		if (name.isAutomatic && known.length === 0) throw refused(name.value, FORGOTTEN);
		const outcome = call.parameter<string>('outcome');
		if (outcome !== 'paid' && outcome !== 'notPaid') {
			throw new InputError('Outcome must be Paid or Not Paid', 'Choose one of them in Outcome.');
		}
		const said =
			outcome === 'paid' ? await sayPaid(call, recorded) : await sayNotPaid(call, recorded);
		const { settlement, statement } = said;
		if ('because' in settlement) throw refuse(recorded, settlement);
		const cells = settlement.record.map((row) =>
			toOwnCells(call, recorded, row, statement?.withdrawal),
		);
		await inLedger(recorded.ledger.change(cells, settlement.remove));
		if (statement) await takeBackIfLate(recorded, statement);
		if (statement && known.length === 0) call.hint(NEW_SPELLING);
		const [row] = cells;
		// An earlier statement was taken back, and nothing was ever sent.
		if (row === undefined)
			return { json: { reference: recorded.name.value, status: 'never sent' } };
		const { reference, status, withdrawalId, environment, sentAt, generation } = row;
		const inWords = status === 'refused' ? 'not paid' : status;
		return { json: { reference, status: inWords, withdrawalId, environment, sentAt, generation } };
	},
};

interface Said {
	readonly settlement: Settlement;
	/** Of Paid. */
	readonly statement?: Statement;
}

/** A person's Paid. */
interface Statement {
	readonly withdrawal: ApiRecord;
	readonly id: string;
	/** The same statement again. @param added rows since @param owners other references that have the withdrawal */
	readonly again: (added: readonly Row[], owners: readonly string[]) => Settlement;
}

/**
 * Of two that write at once, neither sees the other before both wrote: a run may be sending the reference, or
 * have paid it, and another person may name the withdrawal for another reference. Then that counts.
 */
async function takeBackIfLate(recorded: Recorded, { id, again }: Statement): Promise<void> {
	const { name, ledger } = recorded;
	const before = new Set(recorded.rows.map((row) => row.id));
	const added = toRows(name, ledger.rowsOf(name.value)).filter((row) => !before.has(row.id));
	const words = added.filter(({ status, run }) => status === 'paid' && run === PERSON);
	const others = added.filter((row) => !words.includes(row));
	const settlement = again(others, await readOwners(recorded, id));
	if (!('because' in settlement)) return;
	const remove = words.map((row) => row.id);
	await inLedger(ledger.record([], remove));
	throw refuse({ ...recorded, rows: [...recorded.rows, ...others] }, settlement);
}

async function readOwners({ name, ledger }: Recorded, id: string): Promise<string[]> {
	return findOwners(await inLedger(ledger.findWithdrawals([id])), name, false);
}

async function sayPaid(call: ItemCall, recorded: Recorded): Promise<Said> {
	const { name, rows } = recorded;
	const id = parseUuid(call.parameter('withdrawalId'), 'Withdrawal ID');
	const withdrawal = await readWithdrawal(call, id);
	if (withdrawal === undefined) throw refused(name.value, UNREADABLE);
	if (isFailed(withdrawal)) {
		throw refused(name.value, findDoubt(rows) ? NOT_LIVING : NOT_LIVING_AND_NOT_SENT);
	}
	const contents = contentsShown(withdrawal, call.context.getInstanceId());
	const sent = contents.find((one) => rows.some(({ content }) => content === one));
	// An automatic name stands for its content; a reference may have been paid as it was corrected.
	const content = sent ?? (name.isAutomatic ? '' : (contents[0] ?? ''));
	const known = await asOfNow(call, rows);
	const again: Statement['again'] = (added, owners) =>
		settlePaid([...known, ...added], id, content, owners, call.now());
	const settlement = again([], await readOwners(recorded, id));
	return { settlement, statement: { withdrawal, id, again } };
}

async function sayNotPaid(call: ItemCall, recorded: Recorded): Promise<Said> {
	const text = call.parameter<string>('notThese', '');
	// As parseUuid reads the ID of Paid.
	const notThese = text
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter((id) => id !== '');
	const list = await readList(call, recorded);
	return { settlement: settleNotPaid(recorded.rows, list, notThese, call.now()) };
}

/** What the list shows of the payouts that may be the one in doubt. */
async function readList(call: ItemCall, { name, rows, ledger }: Recorded): Promise<List> {
	const [apiKey, at] = [call.keyPrefix, call.now()];
	const sought = findDoubt(rows);
	if (sought === undefined) return { ids: [], apiKey, at };
	const [since, until] = [sought.since - CLOCKS_DIFFER_MS, sought.until + CLOCKS_DIFFER_MS];
	const reading = await new AccountHistory(call).since(since, until);
	const isAlike = looksLikeOneOf(sought.contents, call.context.getInstanceId());
	const ids = await inLedger(findCandidates(reading, isAlike, ledger, name));
	return { ids, apiKey, at };
}

function toOwnCells(
	call: ItemCall,
	{ name, cells }: Recorded,
	row: NewRow,
	withdrawal: ApiRecord | undefined,
): Cells {
	const { context } = call;
	const [first] = cells;
	const cents = centsOfAnswer(withdrawal?.netAmount);
	const shownKey = toText(withdrawal?.pixKey);
	const order = {
		name,
		amount: first?.amount ?? (cents === null ? null : toReais(cents)),
		pixKey: first?.pixKey ?? (shownKey === '' ? null : maskPixKey(shownKey)),
		root: first?.root ?? null,
		workflow: context.getWorkflow().id ?? null,
		execution: context.getExecutionId(),
	};
	const said = { run: PERSON, apiKey: call.keyPrefix, content: first?.content ?? '' };
	return toCells(row, said, order, call.now());
}

function refuse({ name, rows }: Recorded, { because, ids }: Objection): ApiFailure {
	const until = findDoubt(rows)?.until ?? 0;
	const isNeverSent = because === 'nothing' && rows.length === 0;
	const [what, remedy] = isNeverSent ? NEVER_SENT : REASONS[because];
	const named = ids.length === 0 ? '' : ` (${ids.map(maskText).join(', ')})`;
	const word = findPaid(rows)?.withdrawalId;
	const said =
		because === 'candidates' && word !== undefined
			? ` Somebody has recorded that ${word} paid it: ask them first, for after Not Paid it is paid again.`
			: '';
	const when = because === 'tooEarly' ? ` Try again after ${toBrasiliaTime(until, 'up')}.` : '';
	return refused(
		name.value,
		[`${what}${named}`, `${remedy}${said}${when}`],
		because === 'candidates' ? ids : [],
	);
}

function refused(
	reference: string,
	[what, remedy]: readonly [string, string],
	withdrawalIds: readonly string[] = [],
): ApiFailure {
	return new ApiFailure({
		code: 'NOT_SETTLED',
		message: `The reference "${maskText(reference)}" was not settled: ${what}`,
		description: remedy,
		effect: 'none',
		reference,
		concernsItemOnly: true,
		...(withdrawalIds.length === 0 ? {} : { withdrawalIds }),
	});
}

const UNREADABLE = [
	'the withdrawal could not be read',
	'Check the ID and the credential: the API key requires the scope withdrawals:read and has to belong to the account that paid.',
] as const;
const FORGOTTEN = [
	'it is not known: automatic names are kept for 20 days after they are settled',
	'Check the name. A payout that was stopped before it was sent leaves none. Withdrawal > Get Many shows what was paid.',
] as const;
const NOT_LIVING = [
	'the bank refused this withdrawal, so it paid nobody',
	'Check the ID. If another withdrawal is this payout, enter its ID. If none is, choose Not Paid.',
] as const;
const NOT_LIVING_AND_NOT_SENT = [
	NOT_LIVING[0],
	'Check the ID. If another withdrawal is this payout, enter its ID. If none is, the payout is still owed.',
] as const;
/** A reference that is misspelled here would be paid once more. */
const NEW_SPELLING =
	'n8n has never sent this reference. Check that your list writes it in the same way, capital letters included: otherwise, that row is paid again.';
/** To run the workflow with it would pay it: perhaps once more. */
const NEVER_SENT = [
	'n8n has never sent it, so nothing about it is in doubt',
	'If a withdrawal has paid it all the same, choose Paid and enter its ID. If it was paid in another way, remove its row from the list.',
] as const;
const REASONS: Record<Objection['because'], readonly [string, string]> = {
	nothing: ['nothing about it is in doubt', 'Withdrawal > Get by Reference shows what is known.'],
	candidates: [
		'the list shows withdrawals that may be this payout',
		"Look at each of them. If one is this payout, choose Paid and enter its ID. If none is, enter all these IDs in 'Not These'.",
	],
	otherContent: [
		'the withdrawal has an amount or PIX key that was never sent under this reference',
		'Check the ID.',
	],
	otherOrder: [
		'the table BRL Payouts has this withdrawal for another reference',
		'Check the ID. If the table is wrong, settle that other reference first: with Outcome Paid and the ID of the withdrawal that paid it, or with Outcome Not Paid.',
	],
	tooEarly: [
		'a request of this payout may still arrive',
		`Nothing was recorded. A request may take ${PROOF_TIME} until the list shows it.`,
	],
};
