import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	centsOfAnswer,
	formatReais,
	parseReais,
	toReais,
	type Cents,
} from '../../shared/input/money';
import { unambiguousForm } from '../../shared/input/pixKey';
import { readBalance, readLimits, type WithdrawalLimits } from '../../shared/transport/schemas';
import { payoutFields, textField } from '../editor/fields';
import type { ItemCall } from '../item';
import { toFailure } from '../../shared/failures/itemError';
import type { Limiter } from '../../shared/concurrency/limiter';
import { ApiFailure } from '../../shared/failures/failure';
import type { BatchOperation } from '../operation';
import { listRows, nameOfRow } from '../reportWords';
import { warnOfFarAmounts } from './farAmounts';
import {
	assessBatch,
	payoutName,
	toProblem,
	type BatchBounds,
	type BatchRow,
	type BatchAssessment,
	type Assessment,
	type Problem,
} from './assessBatch';
import { findEarlier, type AskedPayout } from './paidBefore';
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
	async executeAll(calls, limiter) {
		const [first] = calls;
		if (!first) return [];
		const bounds = await readBounds(first);
		const given = calls.map(readRow);
		const { known, problems } = await askLedger(
			given.map(({ asked }) => asked),
			limiter,
		);
		const rows = given.map(({ row }, item): BatchRow => ({ ...row, known: known[item] }));
		const assessed = assessBatch(rows, bounds, first.option('allowDuplicates'), problems);
		const batch = { ...summarize(assessed, bounds), batchEnvironment: first.environment };
		first.hint(wordBatch(assessed, rows, bounds));
		const warnings = findWarnings(first, rows);
		return rows.map((row, item): INodeExecutionData => {
			const { ok, problems } = assessed.rows[item] as Assessment;
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

function readRow(call: ItemCall): { row: BatchRow; asked: AskedPayout | undefined } {
	const problems: Problem[] = [];
	// An expression of this row that cannot be evaluated must not keep the others from being assessed.
	const attempt = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch (error) {
			problems.push(toProblem({ ...toFailure(error), code: 'INVALID_INPUT' }));
			return undefined;
		}
	};
	const reference = attempt(() => readReference(call));
	const reading = attempt(() => readPayout(givenPayout(call)));
	const named = omitUndefined({ reference: reference?.value, amount: readAmount(call) });
	if (reading && 'payout' in reading && problems.length === 0) {
		const { payout } = reading;
		return { row: { ...named, payout }, asked: reference && { call, reference, payout } };
	}
	for (const { code, error } of reading && 'problems' in reading ? reading.problems : []) {
		problems.push({ code, message: `${error.message}. ${error.remedy}` });
	}
	return { row: { ...named, problems }, asked: undefined };
}

/** @returns undefined if it cannot be read; `readPayout` says why */
function readAmount(call: ItemCall): Cents | undefined {
	try {
		return parseReais(call.parameter('amount'));
	} catch {
		return undefined;
	}
}

/**
 * Asks about the references, all together.
 * @returns `known` in the order of the rows; `problems` says why nothing is known
 */
async function askLedger(
	asked: ReadonlyArray<AskedPayout | undefined>,
	limiter: Limiter,
): Promise<{ known: Array<BatchRow['known']>; problems: Problem[] }> {
	const payouts = asked.filter((one) => one !== undefined);
	const found = await findEarlier(payouts, limiter).catch((error: unknown) => {
		if (error instanceof ApiFailure) return error.failure;
		throw error;
	});
	if (!Array.isArray(found)) {
		const known = asked.map((one) => one && ({ state: 'unknown' } as const));
		return { known, problems: [toProblem(found)] };
	}
	const known = new Map(payouts.map((one, index) => [one, found[index]]));
	return { known: asked.map((one) => one && known.get(one)), problems: [] };
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
		...(known?.state === 'paid'
			? { withdrawalId: known.id, status: known.status, createdAt: known.createdAt as string }
			: {}),
	});
}

/** What a person should look at, for each row that is to be paid. A warning keeps no row from being in order. */
function findWarnings(call: ItemCall, rows: readonly BatchRow[]): string[][] {
	const far = warnOfFarAmounts(
		rows.map((row) => ('payout' in row ? row.payout.amount : row.amount)),
	);
	const found: Array<[what: string, ofRows: ReadonlyArray<string | undefined>]> = [
		['amounts far from the others', far],
		[
			'payouts without a recipient document',
			rows.map((row) => ('payout' in row && lacksDocument(row.payout) ? NO_DOCUMENT : undefined)),
		],
		['payouts that equal one that was paid before', warnOfPaid(rows)],
	];
	const open = found.map(([what, ofRows]) => {
		const warnings = rows.map(({ known }, row) =>
			known?.state === 'paid' ? undefined : ofRows[row],
		);
		const at = warnings.flatMap((warning, row) => (warning === undefined ? [] : row));
		if (at.length > 0) {
			call.hint(`Before you pay, look at ${what}: ${listNamed(at, rows)}. See warnings.`);
		}
		return warnings;
	});
	return rows.map((_, row) => open.flatMap((warnings) => warnings[row] ?? []));
}

/** A reference that is written in another way is another payout to Withdrawal > Create. */
function warnOfPaid(rows: readonly BatchRow[]): Array<string | undefined> {
	const nameOf = (index: number) => nameOfRow(index, (at) => rows[at]?.reference ?? '');
	const paid = new Map(
		rows.flatMap((row, index) =>
			'payout' in row && row.known?.state === 'paid' ? [[payoutName(row.payout), index]] : [],
		),
	);
	return rows.map((row) => {
		const same = 'payout' in row ? paid.get(payoutName(row.payout)) : undefined;
		return same === undefined
			? undefined
			: `Same PIX key and amount as row ${nameOf(same)}, which was paid before.`;
	});
}

function listNamed(indexes: readonly number[], rows: readonly BatchRow[]): string {
	const items = indexes.map((index) => [index, index] as const);
	return listRows({ count: items.length, items }, (index) => rows[index]?.reference ?? '');
}

const NO_DOCUMENT =
	"No recipient document: the service will use the one of your own company, and the bank compares it with the holder of the PIX key. Fill in 'Recipient Document'.";

/** The batch as a whole, the same in each row; amounts in reais. No object: n8n's table shows a line for each of its fields. */
function summarize({ batch }: BatchAssessment, bounds: BatchBounds): IDataObject {
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
		batchProblems: batch.problems,
	};
}

/** `18 of 20 rows are fine, 2 refused: rows 6 (NF-1006), 14. To pay: R$ 6.613,85 + R$ 27,00 fees.` */
function wordBatch(
	{ rows: assessments, batch }: BatchAssessment,
	rows: readonly BatchRow[],
	{ availableBalance }: BatchBounds,
): string {
	const { newCount, paidBeforeCount, problems, sumAmount, sumFees } = batch;
	const refused = assessments.flatMap(({ ok }, index) => (ok ? [] : index));
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
