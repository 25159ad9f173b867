import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getCreatedAt } from '../../shared/lists/rowCollector';
import { DAY_MS, toDayAndTime } from '../../shared/text/time';
import {
	centsOfAnswer,
	formatReais,
	parseReais,
	toReais,
	type Cents,
} from '../../shared/input/money';
import { toText } from '../../shared/input/text';
import { unambiguousForm } from '../../shared/input/pixKey';
import {
	readBalance,
	readLimits,
	type ApiRecord,
	type WithdrawalLimits,
} from '../../shared/transport/schemas';
import { payoutFields, textField } from '../editor/fields';
import type { ItemCall } from '../item';
import { toFailure } from '../../shared/failures/itemError';
import type { Limiter } from '../../shared/concurrency/limiter';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import type { Reference } from '../../shared/input/reference';
import type { BatchOperation } from '../operation';
import { listRows } from '../reportWords';
import { warnOfFarAmounts } from './farAmounts';
import {
	assessBatch,
	type BatchBounds,
	type BatchRow,
	type BatchJudgment,
	type Judgment,
	type Known,
	type Problem,
} from './assessBatch';
import { AccountHistory } from '../orders/accountList';
import { isFailed, isSamePayout, showsPixKey } from '../orders/payouts';
import { findEarlier, type AskedPayout, type Earlier } from './paidBefore';
import { givenPayout, lacksDocument, readPayout, readReference, recipientOfCode } from './payout';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { joinSentences, sentence } from '../../shared/text/sentences';

/**
 * Judges all items by GET /v1/withdrawals/limits and GET /v1/balance, each read once, and by what n8n
 * remembers of their references. Moves no money.
 */
export const checkBatch: BatchOperation = {
	option: {
		name: 'Check Batch',
		value: 'checkBatch',
		action: 'Check list before paying (check batch)',
		description:
			'Check all items before paying: amounts, PIX keys, documents, duplicates, limits, fees, balance, and which were paid before. Moves no money.',
		builderHint: {
			propertyHint:
				'Place it before Withdrawal > Create with all rows as items and the same Reference. If batchOk is true, pay the rows with ok that have no paidBefore.',
		},
	},
	scope: 'withdrawals:read and balance:read',
	forAgents:
		'As a tool, it checks one payment at a time. Call it before creating a withdrawal. Amounts are in reais. If paidBefore is true, the payment was made before: do not create it.',
	fields: [
		...payoutFields,
		textField('Reference', 'reference', {
			placeholder: 'e.g. NF-1042',
			description:
				'The Reference under which Withdrawal > Create pays this item. The output then says in paidBefore whether it was paid, and the sums leave it out.',
		}),
	],
	options: [
		{
			displayName: 'Allow Duplicates',
			name: 'allowDuplicates',
			type: 'boolean',
			default: false,
			description: 'Whether to accept the same PIX key and amount more than once in the batch',
		},
	],
	async executeAll(calls, pace) {
		const [first] = calls;
		if (!first) return [];
		const bounds = await readBounds(first);
		const given = calls.map(readRow);
		const { known, problems } = await askLedger(calls, given, pace);
		const rows = given.map(({ row }, item): BatchRow => ({ ...row, ...known[item] }));
		const judged = assessBatch(rows, bounds, first.option('allowDuplicates'), problems);
		const batch = summarize(judged, bounds);
		first.hint(wordBatch(judged, rows, bounds));
		const far = warnOfRows(first, rows);
		const equal = await warnOfEqual(first, rows);
		const warnings = rows.map((_, item) => [...(far[item] ?? []), ...(equal[item] ?? [])]);
		return rows.map((row, item): INodeExecutionData => {
			const { ok, problems } = judged.rows[item] as Judgment;
			const judgment = { ok, problem: inOneLine(problems) };
			const lists = { problems, warnings: warnings[item] } as unknown as IDataObject;
			return {
				json: { ...describe(row, judgment, bounds), ...lists, ...batch },
				pairedItem: { item },
			};
		});
	},
};

async function readBounds(call: ItemCall): Promise<BatchBounds> {
	const limits = await call.get<WithdrawalLimits>('/v1/withdrawals/limits', readLimits);
	const isSandbox = call.environment === 'sandbox';
	if (isSandbox) {
		call.hint('With a test key, the balance is always zero, so it was not checked.');
	}
	const balance = isSandbox ? null : await call.get('/v1/balance', readBalance);
	return {
		fee: centsOfAnswer(limits.fee) ?? 0,
		minAmount: centsOfAnswer(limits.minAmount) ?? 0,
		perTransactionLimit: centsOfAnswer(limits.perTransactionLimit),
		remainingLimit: centsOfAnswer(limits.remaining) ?? 0,
		availableBalance: balance === null ? null : (centsOfAnswer(balance.available) ?? 0),
	};
}

/** A row as it was entered. */
interface GivenRow {
	readonly row: BatchRow;
	readonly reference: Reference | undefined;
}

function readRow(call: ItemCall): GivenRow {
	let reference: Reference | undefined;
	const problems: Problem[] = [];
	try {
		reference = readReference(call);
	} catch (error) {
		problems.push(toProblem({ ...toFailure(error), code: 'INVALID_INPUT' }));
	}
	const named = omitUndefined({ reference: reference?.value, amount: readAmount(call) });
	try {
		const reading = readPayout(givenPayout(call));
		if ('payout' in reading && problems.length === 0) {
			return { row: { ...named, payout: reading.payout }, reference };
		}
		if ('problems' in reading) {
			problems.push(
				...reading.problems.map(({ code, error }) => ({
					code,
					message: `${error.message}. ${error.remedy}`,
				})),
			);
		}
	} catch (error) {
		// An expression of this row that cannot be evaluated must not keep the others from being judged.
		problems.push(toProblem({ ...toFailure(error), code: 'INVALID_INPUT' }));
	}
	return { row: { ...named, problems }, reference };
}

/** @returns undefined if it cannot be read; `readPayout` says why */
function readAmount(call: ItemCall): Cents | undefined {
	try {
		return parseReais(call.parameter('amount'));
	} catch {
		return undefined;
	}
}

function toProblem({ code, message, description, withdrawalIds }: Failure): Problem {
	return { code, message: `${message}. ${description}`, ...omitUndefined({ withdrawalIds }) };
}

interface FromLedger {
	/** In the order of the rows. */
	readonly known: ReadonlyArray<Pick<BatchRow, 'known'>>;
	/** Why nothing is known. */
	readonly problems: readonly Problem[];
}

/** Asks about the references, all together. */
async function askLedger(
	calls: readonly ItemCall[],
	given: readonly GivenRow[],
	pace: Limiter,
): Promise<FromLedger> {
	const asked = calls.map((call, item): AskedPayout | undefined => {
		const { row, reference } = given[item] as GivenRow;
		return reference && 'payout' in row ? { call, reference, payout: row.payout } : undefined;
	});
	const payouts = asked.filter((one) => one !== undefined);
	const found = await findEarlier(payouts, pace).catch(toFailureOfAll);
	if (!Array.isArray(found)) {
		const known = asked.map((one) => (one ? { known: UNKNOWN } : {}));
		return { known, problems: [toProblem(found)] };
	}
	const byPayout = new Map(payouts.map((one, index) => [one, found[index] as Earlier]));
	const known = asked.map((one) => {
		const earlier = one && byPayout.get(one);
		return earlier === undefined ? {} : { known: toKnown(earlier) };
	});
	return { known, problems: [] };
}

const UNKNOWN: Known = { state: 'unknown' };

function toFailureOfAll(error: unknown): Failure {
	if (error instanceof ApiFailure) return error.failure;
	throw error;
}

function toKnown(earlier: Earlier): Known {
	if (earlier.state !== 'refused') return earlier;
	return { state: 'refused', problem: toProblem(earlier.failure) };
}

/** null if nobody knows. */
function wasPaidBefore({ reference, known }: BatchRow): boolean | null | undefined {
	if (reference === undefined) return undefined;
	if (known?.state === 'paid') return true;
	return known?.state === 'new' ? false : null;
}

/** As people read it in a table: null if there is none. */
const inOneLine = (problems: readonly Problem[]): string | null =>
	problems.length === 0 ? null : problems.map(({ message }) => sentence(message)).join(' ');

/** The row as it would be paid, as far as it can be read, with its judgment in front; amounts in reais. */
function describe(row: BatchRow, judgment: IDataObject, { fee }: BatchBounds): IDataObject {
	const { reference, known } = row;
	const head = { reference, ...judgment, paidBefore: wasPaidBefore(row) };
	if ('problems' in row) {
		return omitUndefined({
			...head,
			amount: row.amount === undefined ? undefined : toReais(row.amount),
		});
	}
	const { amount, pixKey, document } = row.payout;
	return omitUndefined({
		...head,
		amount: toReais(amount),
		fee: toReais(fee),
		total: toReais(amount + fee),
		pixKey: unambiguousForm(pixKey),
		pixKeyType: pixKey.type,
		recipientDocument: document?.value,
		...recipientOfCode(row.payout),
		...(known?.state === 'paid' ? { withdrawalId: known.id, status: known.status } : {}),
	});
}

/** What a person should look at besides equal payouts, for each row; a warning keeps no row from being in order. */
function warnOfRows(call: ItemCall, rows: readonly BatchRow[]): string[][] {
	const far = warnOfFarAmounts(
		rows.map((row) => ('payout' in row ? row.payout.amount : row.amount)),
	);
	const noDocument = rows.map((row) =>
		'payout' in row && lacksDocument(row.payout) ? NO_DOCUMENT : undefined,
	);
	const isPaid = rows.map(({ known }) => known?.state === 'paid');
	const hint = (what: string, found: ReadonlyArray<string | undefined>) => {
		const at = found.flatMap((one, index) => (one === undefined || isPaid[index] ? [] : index));
		if (at.length === 0) return;
		call.hint(`Before you pay, look at ${what}: ${listNamed(at, rows)}. See warnings.`);
	};
	hint('amounts far from the others', far);
	hint('payouts without a recipient document', noDocument);
	return rows.map((_, index) => {
		const found = isPaid[index] ? [] : [far[index], noDocument[index]];
		return found.filter((one) => one !== undefined);
	});
}

function listNamed(indexes: readonly number[], rows: readonly BatchRow[]): string {
	const items = indexes.map((index) => [index, index] as const);
	return listRows({ count: items.length, items }, (index) => rows[index]?.reference ?? '');
}

const NO_DOCUMENT =
	"No recipient document: the service will use the one of your own company, and the bank compares it with the holder of the PIX key. Fill in 'Recipient Document'.";

/** A list to which the same payout is added every week is in order. */
const EQUAL_MS = 6 * DAY_MS;

/**
 * Of withdrawals of the last days that pay the same, whoever made them: somebody may have added a reference
 * since, or paid by other means. Those that the ledger names for rows of this list are compared with the rows.
 */
async function warnOfEqual(call: ItemCall, rows: readonly BatchRow[]): Promise<string[][]> {
	const open = rows.map((row) =>
		'payout' in row && row.known?.state !== 'paid' ? row : undefined,
	);
	if (open.every((row) => row === undefined)) return [];
	const reading = await new AccountHistory(call).since(call.now() - EQUAL_MS);
	if (reading.gap !== undefined) {
		call.hint(
			'The list of withdrawals could not be read completely, so equal payouts of the last days may be missing in warnings.',
		);
	}
	const named = new Set(rows.flatMap(({ known }) => (known?.state === 'paid' ? known.id : [])));
	const others = reading.rows.filter((one) => !named.has(toText(one.id)));
	const warnings = open.map((row) => {
		if (row === undefined) return [];
		const { amount, pixKey } = row.payout;
		const equal = others.filter(
			(one) => !isFailed(one) && isSamePayout(one, { cents: amount, pixKey }),
		);
		return equal.map((one) => wordEqual(one, amount, row.reference, call.now()));
	});
	const found = warnings.flatMap(({ length }, index) => (length > 0 ? index : []));
	if (found.length > 0) {
		const named = listNamed(found, rows);
		call.hint(`Before you pay, look at equal payouts of the last days: ${named}. See warnings.`);
	}
	return warnings;
}

function wordEqual(
	withdrawal: ApiRecord,
	amount: Cents,
	reference: string | undefined,
	now: number,
): string {
	const id = toText(withdrawal.id);
	const went = showsPixKey(withdrawal) ? 'went' : 'may have gone';
	const at = getCreatedAt(withdrawal);
	const when = Number.isNaN(at) ? 'in the last days' : toDayAndTime(at, now);
	const record =
		reference === undefined
			? ''
			: ` and record it: Withdrawal > Settle Reference, Paid, with the reference ${reference}`;
	return `${formatReais(amount)} ${went} to this PIX key ${when} (${id}). If that was this payout, do not pay it again${record}.`;
}

/** The batch as a whole, the same in each row; amounts in reais. No object: n8n's table shows a line for each of its fields. */
function summarize({ batch }: BatchJudgment, bounds: BatchBounds): IDataObject {
	const { availableBalance, remainingLimit } = bounds;
	return {
		batchOk: batch.ok,
		batchProblem: inOneLine(batch.problems),
		batchNewCount: batch.newCount,
		batchAmount: toReais(batch.sumAmount),
		batchFees: toReais(batch.sumFees),
		batchTotal: toReais(batch.sumTotal),
		batchPaidBeforeCount: batch.paidBeforeCount,
		batchPaidBeforeAmount: toReais(batch.sumPaidBefore),
		batchRemainingLimit: toReais(remainingLimit),
		batchAvailableBalance: availableBalance === null ? null : toReais(availableBalance),
		batchProblems: batch.problems as unknown as IDataObject[],
	};
}

/** `18 of 20 rows are fine, 2 refused: rows 6 (NF-1006), 14. To pay: R$ 6.613,85 + R$ 27,00 fees.` */
function wordBatch(
	{ rows: judgments, batch }: BatchJudgment,
	rows: readonly BatchRow[],
	{ availableBalance }: BatchBounds,
): string {
	const { newCount, paidBeforeCount, problems, sumAmount, sumFees } = batch;
	const refused = judgments.flatMap(({ ok }, index) => (ok ? [] : index));
	const count = rows.length;
	const fine = count - refused.length;
	const bad =
		refused.length === 0 ? '' : `, ${refused.length} refused: ${listNamed(refused, rows)}`;
	return joinSentences(
		`${fine} of ${count} ${count === 1 ? 'row is' : 'rows are'} fine${bad}.`,
		paidBeforeCount === 0 ? '' : `Paid before: ${paidBeforeCount}.`,
		newCount === 0
			? 'Nothing is to be paid.'
			: `To pay: ${formatReais(sumAmount)} + ${formatReais(sumFees)} fees.`,
		availableBalance === null ? '' : `Balance: ${formatReais(availableBalance)}.`,
		inOneLine(problems) ?? '',
	);
}
