import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import { isToolNode } from '../n8n/agentTool';
import { ApiFailure, joinParts, ownFailure, type Failure } from './failure';
import { InputError } from '../input/inputError';
import { toBrasiliaTime } from '../text/time';
import { maskText } from '../privacy/text';
import { omitUndefined } from '../text/omitUndefined';

/**
 * Turns any error of one item into a failure. Personal data in it is masked, whichever party quoted
 * it: n8n stores and logs errors.
 */
export function toFailure(error: unknown): Failure {
	if (error instanceof ApiFailure) return error.failure;
	if (error instanceof InputError) {
		const { message, remedy: description } = error;
		return ownFailure({ code: 'INVALID_INPUT', message, description, effect: 'none' });
	}
	const isExpression = error instanceof ExpressionError;
	const isInput = isExpression || error instanceof NodeOperationError;
	return ownFailure({
		code: isInput ? 'INVALID_INPUT' : 'UNEXPECTED_ERROR',
		message: maskText(error instanceof Error ? error.message : 'Something unexpected happened'),
		description: maskText(
			(isInput ? error.description : null) ?? (isExpression ? CORRECT_EXPRESSION : REPORT_BUG),
		),
		effect: 'none',
	});
}

const CORRECT_EXPRESSION =
	'n8n could not evaluate an expression of this node. Correct the field that shows this message in the editor.';
const REPORT_BUG =
	'Check the parameters of this item. If they are correct, report this as a bug in the node.';

/**
 * What an item carries under `error` with Continue On Fail. The key is not masked, whatever the user
 * put into it: otherwise the request could not be repeated under it (docs/personal-data.md).
 */
export function errorJson(failure: Failure): JsonObject {
	const { parts, description, order, withdrawalIds, paymentIds } = failure;
	const { code, message, httpStatus, retryable, effect } = failure;
	const { idempotencyKey, reference, firstSentAt, retrySafeUntil } = failure;
	return omitUndefined({
		...{ code, message, description },
		remedy: parts ? joinParts({ remedy: parts.remedy, again: parts.again }) : description,
		howToCheck: parts?.howToCheck,
		serverSaid: parts?.serverSaid,
		...{ httpStatus, retryable, effect, idempotencyKey },
		order: order && { ...order },
		...{ reference, firstSentAt, retrySafeUntil },
		withdrawalIds: withdrawalIds && [...withdrawalIds],
		paymentIds: paymentIds && [...paymentIds],
	});
}

/** The outcome of all items of a run that an error ends. */
export interface RunEnd {
	/** Stored with the error, for workflows to read. */
	readonly summary: object;
	/** The same in words. */
	readonly account: string;
	/** How to continue with all items; empty if the error of the item says it. */
	readonly howToContinue: string;
	/** What was paid, by ID; empty if nothing was. */
	readonly withdrawals: string;
	/** Names the row of the error; absent if it is the only one. */
	readonly row?: string;
	/** Every other row that failed, with its reason: one line each. */
	readonly otherRows?: readonly string[];
}

/**
 * The error that n8n shows for the node. What n8n stores of it, and hands to error workflows, has `effect`
 * and, if the run had begun, `summary`.
 */
export function toNodeError(
	failure: Failure,
	node: INode,
	itemIndex: number,
	end?: RunEnd,
): NodeApiError | NodeOperationError {
	const error = shownError(failure, node, end);
	// n8n stores all fields of the error. Its editor would show an index in the context as `[item 0]`,
	// and the text counts rows from 1.
	const { effect } = failure;
	return Object.assign(error, omitUndefined({ itemIndex, effect, summary: end?.summary }));
}

function shownError(
	failure: Failure,
	node: INode,
	end: RunEnd | undefined,
): NodeApiError | NodeOperationError {
	const blocks = toBlocks(failure, end);
	// The editor renders descriptions as HTML: lines, with an empty one between blocks.
	const description = blocks.map((lines) => lines.join('<br>')).join('<br><br>');
	const headline = end?.row === undefined ? failure.message : `${end.row}: ${failure.message}`;
	// Of an error, n8n passes only the message to an agent.
	const message = isToolNode(node) ? `${headline}. ${blocks.flat().join(' ')}` : headline;
	const isDecidedHere =
		failure.httpStatus === null && failure.effect !== 'unknown' && !failure.retryable;
	if (isDecidedHere || failure.code === 'INVALID_INPUT') {
		return new NodeOperationError(node, message, { description });
	}
	return new NodeApiError(node, errorJson(failure), {
		message,
		description,
		httpCode: failure.httpStatus === null ? undefined : String(failure.httpStatus),
	});
}

/** What to do; what took effect and how to continue; then what only support or a look-up needs. */
function toBlocks(failure: Failure, end: RunEnd | undefined): string[][] {
	const { description, parts = { remedy: description }, idempotencyKey } = failure;
	// How to continue with all items includes how to continue with this one.
	const again = end?.howToContinue ? undefined : parts.again;
	const until =
		again === parts.again || failure.retrySafeUntil === undefined
			? ''
			: `The service recognizes a repetition until ${toBrasiliaTime(Date.parse(failure.retrySafeUntil), 'down')}.`;
	// A key that the user chose may hold a document; one that this node made stays as it is.
	const key = idempotencyKey === undefined ? '' : `Idempotency key: ${maskText(idempotencyKey)}.`;
	return [
		[joinParts({ remedy: parts.remedy, again }), parts.howToCheck, until],
		end?.otherRows ?? [],
		[end?.account, end?.howToContinue],
		[parts.reason, end?.withdrawals, key],
	]
		.map((lines) => lines.filter((line): line is string => Boolean(line)))
		.filter((lines) => lines.length > 0);
}

/** The error of a run that was stopped between two items. */
export function canceledError(node: INode, end: RunEnd): NodeOperationError {
	const { summary, account, howToContinue, withdrawals } = end;
	const description = [account, howToContinue, withdrawals].filter(Boolean).join('<br>');
	const error = new NodeOperationError(node, 'The execution was canceled', { description });
	return Object.assign(error, { summary });
}
