import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { centsOfAnswer, toReais } from '../../../shared/validation/money';
import { unambiguousForm } from '../../../shared/validation/pixKey';
import { readBalance, readLimits, type WithdrawalLimits } from '../../../shared/transport/schemas';
import { payoutFields } from '../../description/fields/payout';
import type { ItemCall } from '../../execution/itemCall';
import { toFailure } from '../../../shared/failures/itemError';
import type { BatchOperation } from '../../execution/operation';
import { judgeBatch, type BatchBounds, type BatchRow, type BatchVerdict } from './judgeBatch';
import { readPayout, type GivenPayout } from '../../payouts/payout';
import { omitUndefined } from '../../../shared/text/omitUndefined';

/** Judges all items by GET /v1/withdrawals/limits and GET /v1/balance, each read once. Moves no money. */
export const checkBatch: BatchOperation = {
	option: {
		name: 'Check Batch',
		value: 'checkBatch',
		action: 'Check list before paying (check batch)',
		description:
			'Check all items before paying: amounts, PIX keys, documents, duplicates, limits, fees and balance. Moves no money.',
		builderHint: {
			propertyHint:
				'Place it before Withdrawal > Create with all rows as items, and pay only the rows that pass.',
		},
	},
	scope: 'withdrawals:read and balance:read',
	forAgents:
		'As a tool, it checks one payment at a time. Call it before creating a withdrawal. Amounts are in reais.',
	fields: payoutFields,
	options: [
		{
			displayName: 'Allow Duplicates',
			name: 'allowDuplicates',
			type: 'boolean',
			default: false,
			description: 'Whether to accept the same PIX key and amount more than once in the batch',
		},
	],
	async executeAll(calls) {
		const [first] = calls;
		if (!first) return [];
		const bounds = await readBounds(first);
		const rows = calls.map(readRow);
		const verdict = judgeBatch(rows, bounds, first.option('allowDuplicates'));
		const batch = summarize(verdict, bounds, calls.length);
		return rows.map((row, item): INodeExecutionData => ({
			json: { ...describe(row, bounds), ...verdict.rows[item], batch } as IDataObject,
			pairedItem: { item },
		}));
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

function givenPayout(call: ItemCall): GivenPayout {
	return {
		amount: call.parameter('amount'),
		pixKey: call.parameter('pixKey'),
		recipientDocument: call.parameter('recipientDocument', ''),
	};
}

function readRow(call: ItemCall): BatchRow {
	try {
		const reading = readPayout(givenPayout(call));
		if ('payout' in reading) return reading;
		return {
			problems: reading.problems.map(({ code, error }) => ({
				code,
				message: `${error.message}. ${error.remedy}`,
			})),
		};
	} catch (error) {
		// An expression of this row that cannot be evaluated must not keep the others from being judged.
		const { message, description } = toFailure(error);
		return { problems: [{ code: 'INVALID_INPUT', message: `${message}. ${description}` }] };
	}
}

/** The row as it would be paid; amounts in reais. Empty where it can't be read. */
function describe(row: BatchRow, { fee }: BatchBounds): IDataObject {
	if ('problems' in row) return {};
	const { amount, pixKey, document } = row.payout;
	return omitUndefined({
		amount: toReais(amount),
		fee: toReais(fee),
		total: toReais(amount + fee),
		pixKey: unambiguousForm(pixKey),
		pixKeyType: pixKey.type,
		recipientDocument: document?.value,
	});
}

/** The batch as a whole; amounts in reais. */
function summarize({ batch }: BatchVerdict, bounds: BatchBounds, count: number): IDataObject {
	const { ok, problems, okCount, sumAmount, sumFees, sumTotal } = batch;
	return {
		ok,
		problems: problems as unknown as IDataObject[],
		count,
		okCount,
		sumAmount: toReais(sumAmount),
		sumFees: toReais(sumFees),
		sumTotal: toReais(sumTotal),
		remainingLimit: toReais(bounds.remainingLimit),
		availableBalance: bounds.availableBalance === null ? null : toReais(bounds.availableBalance),
	};
}
