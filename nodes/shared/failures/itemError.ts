import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { isToolNode } from '../n8n/agentTool';
import { ApiFailure, type Failure } from './failure';
import { InputError } from '../validation/inputError';
import { maskText } from '../privacy/text';
import { omitUndefined } from '../text/omitUndefined';

/**
 * What went wrong with one item, whatever it was. Personal data in it is masked, whichever party quoted it:
 * n8n stores and logs errors.
 */
export function failureOf(error: unknown): Failure {
	if (error instanceof ApiFailure) return error.failure;
	if (error instanceof InputError) {
		return {
			code: 'INVALID_INPUT',
			message: error.message,
			description: error.remedy,
			httpStatus: null,
			retryable: false,
			effect: error.effect,
		};
	}
	return {
		code: error instanceof NodeOperationError ? 'INVALID_INPUT' : 'UNEXPECTED_ERROR',
		message: maskText(error instanceof Error ? error.message : 'Something unexpected happened'),
		description: maskText(
			(error instanceof NodeOperationError ? error.description : null) ??
				'Check the parameters of this item. If they are right, report this as a fault of the node.',
		),
		httpStatus: null,
		retryable: false,
		effect: 'none',
	};
}

/**
 * What an item carries under `error` with Continue On Fail. The key is whole, whatever the user put
 * into it: only so can the same thing be asked for again (docs/personal-data.md).
 */
export function errorJson(failure: Failure): JsonObject {
	const { code, message, description, httpStatus, retryable, idempotencyKey, effect } = failure;
	const { reference, firstSentAt, retrySafeUntil, withdrawalIds } = failure;
	return omitUndefined({
		code,
		message,
		description,
		httpStatus,
		retryable,
		effect,
		idempotencyKey,
		reference,
		firstSentAt,
		retrySafeUntil,
		withdrawalIds: withdrawalIds && [...withdrawalIds],
	});
}

/** What became of all items of a run that an error ends. */
export interface RunEnd {
	/** Stored with the error, for workflows to read. */
	readonly summary: object;
	/** The same in words; empty for a single item. */
	readonly text: string;
}

/**
 * The error that n8n shows for the node. What n8n stores of it, and hands to error workflows, has `effect`
 * and, where the run had begun, `summary`.
 */
export function nodeErrorOf(
	failure: Failure,
	node: INode,
	itemIndex: number,
	end?: RunEnd,
): NodeApiError | NodeOperationError {
	const error = shownError(failure, node, itemIndex, end?.text ?? '');
	// n8n stores all fields of the error.
	return Object.assign(error, omitUndefined({ effect: failure.effect, summary: end?.summary }));
}

function shownError(
	failure: Failure,
	node: INode,
	itemIndex: number,
	aftermath: string,
): NodeApiError | NodeOperationError {
	// A key that the user chose may hold a document; one that this node made stays as it is.
	const key =
		failure.idempotencyKey === undefined
			? ''
			: `Idempotency key: ${maskText(failure.idempotencyKey)}.`;
	// What to do, what took effect, the key.
	const parts = [failure.description, aftermath, key].filter(Boolean);
	// The editor renders descriptions as HTML.
	const description = parts.join('<br>');
	// Of an error, n8n tells an agent nothing but the message.
	const message = isToolNode(node) ? `${failure.message}. ${parts.join(' ')}` : failure.message;
	const isDecidedHere =
		failure.httpStatus === null && failure.effect !== 'unknown' && !failure.retryable;
	if (isDecidedHere || failure.code === 'INVALID_INPUT') {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	return new NodeApiError(node, errorJson(failure), {
		message,
		description,
		httpCode: failure.httpStatus === null ? undefined : String(failure.httpStatus),
		itemIndex,
	});
}

/** The error of a run that was stopped between two items. */
export function canceledError(node: INode, { summary, text }: RunEnd): NodeOperationError {
	const error = new NodeOperationError(node, 'The execution was canceled', { description: text });
	return Object.assign(error, { summary });
}
