import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { getStoreName } from '../../shared/n8n/durableStore';
import { maskPersonalData } from '../../shared/privacy/value';
import {
	ACCEPTED,
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	notADelivery,
	INTERNAL_ERROR,
	type Reply,
	diagnose,
} from './answers';
import { getInMemoryDedup, type ResponseState } from '../deduplication/inMemoryDedup';
import { contentsOf, readDelivery, readEvent, replayKey, refuseEngineTwo } from './delivery';
import { look, readRawBody } from './request';
import { checkStatus, isSelected, isTestEvent } from '../events/events';
import { readOptions, type TriggerOptions } from '../description/options';
import { describeDelivery } from '../events/output';
import { DELIVERY_MARK, type DeliveryMark } from '../deduplication/persistentDedup';
import { authenticate } from '../signature/authenticate';
import { getHeader } from '../signature/header';

/**
 * Handles one delivery: verify, classify, claim, emit, confirm. Every path sends a response, and it
 * throws only in test mode, where n8n shows the error in the editor.
 */
export async function handleDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.code === 'INVALID_INPUT' && context.getMode() === 'manual') {
			throw toNodeError(failure, context.getNode(), 0);
		}
		const remedy = error instanceof InputError ? `. ${error.remedy}` : '';
		context.logger.error(
			`BRL Payments Trigger could not process a delivery: ${failure.message}${remedy}`,
		);
		return respond(context, INTERNAL_ERROR);
	}
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	refuseEngineTwo(context);
	const isTest = context.getMode() === 'manual';
	const headers = context.getHeaderData() as IDataObject;
	if (isUnsignedTest(headers)) return respond(context, ACCEPTED);
	const rawBody = await readRawBody(context, headers);
	// In the editor a person is watching, and gets more than a cheap look could say.
	const refusal = isTest ? null : look(headers, rawBody.length);
	if (refusal) return refuse(context, refusal);

	const options = readOptions((name, fallback) => context.getNodeParameter(name, fallback));
	const now = Date.now();
	const { verification, settings, isCurrent } = await authenticate(
		context,
		headers,
		rawBody,
		options.replayWindowMs,
		now,
	);
	if (verification.result !== 'verified') {
		// Only what does not match the current credential may be refused for good.
		const answer = answerToUnverified(verification, isCurrent ? options.mismatchStatus : 503);
		// What is otherwise sent and logged is shown in the editor.
		if (isTest) {
			const description = `${diagnose(headers, rawBody, settings)}. ${nameCredential(context)}`;
			throw new NodeOperationError(context.getNode(), answer.reason, { description });
		}
		return refuse(context, answer);
	}
	const kind = readEvent(headers);
	if ('problem' in kind) return refuse(context, notADelivery(kind.problem));
	// Before the rest is read: the API describes only the body of the probe that reactivates an
	// endpoint, and refusing one without a delivery id would keep the endpoint suspended.
	const isWanted = isTestEvent(kind.event)
		? options.emitTestPings
		: isSelected(kind.event, options.events);
	if (!isWanted) return respond(context, ACCEPTED);
	const reading = readDelivery(headers, rawBody);
	if ('problem' in reading) {
		return isTestEvent(kind.event)
			? respond(context, ACCEPTED)
			: refuse(context, notADelivery(reading.problem));
	}

	const { delivery } = reading;
	const { deliveryId, event } = delivery;
	const mark: DeliveryMark = {
		key: `${replayKey(deliveryId, options.replayIds)} ${event}`,
		id: `${deliveryId} ${event}`,
		contents: contentsOf(delivery.body, rawBody),
		fingerprints: verification.fingerprints,
		emission: randomUUID(),
	};
	const claimed = isTest ? null : claim(context, mark, options, now);
	if (claimed) return claimed;

	const output = describeDelivery(delivery, verification.sentAt, now);
	const differs = checkStatus(output.event, output.status) !== 'agrees';
	// Masked here and not later: n8n stores what is emitted. Ids were read from the unmasked body.
	const body = options.maskPersonalData ? maskPersonalData(output.body) : output.body;
	const item: INodeExecutionData = {
		json: {
			...output,
			...(differs && { statusContradictsEvent: true }),
			body,
			[DELIVERY_MARK]: { ...mark },
		},
	};
	return { workflowData: [[item]] };
}

/**
 * An unsigned test or probe starts nothing, so there is nothing to refuse. The API does not say that
 * they are signed. One with a signature is verified: a mismatch shows the user that the secret is
 * not that of the endpoint.
 */
function isUnsignedTest(headers: IDataObject): boolean {
	const isSigned =
		getHeader(headers, 'X-Webhook-Signature') && getHeader(headers, 'X-Webhook-Timestamp');
	return !isSigned && isTestEvent(getHeader(headers, 'X-Webhook-Event') ?? '');
}

/** Claims the delivery. @returns the response instead, if it is not to be emitted */
function claim(
	context: IWebhookFunctions,
	mark: DeliveryMark,
	options: TriggerOptions,
	now: number,
): IWebhookResponseData | null {
	const claims = getInMemoryDedup(getStoreName(context), options.rememberedDeliveries);
	if (!claims.bindSignature(mark.fingerprints, mark.id, now, options.replayWindowMs)) {
		return refuse(context, FOREIGN_SIGNATURE);
	}
	const response = getResponse(context);
	// The sender hung up while its request waited for its turn. It will try again; a claim made now
	// would never end, since the connection has closed already.
	if (response.destroyed) return { noWebhookResponse: true };
	if (!options.deduplicate) return null;
	switch (claims.claim(mark, now, options.replayWindowMs)) {
		case 'done':
			return respond(context, ACCEPTED);
		case 'inFlight':
			return refuse(context, IN_FLIGHT);
		case 'claimed':
			// After `finish`, `close` follows and finds nothing left to settle.
			response.once('close', () => {
				const state = getResponseState(response);
				if (state === 'accepted') claims.answer(mark);
				else if (state === 'failed') claims.release(mark);
				else claims.abandon(mark, () => getResponseState(response), Date.now());
			});
			return null;
	}
}

/** n8n responds after the execution was created, even if the sender has hung up. */
function getResponseState({ writableEnded, statusCode }: Response): ResponseState {
	if (!writableEnded) return 'pending';
	return statusCode >= 200 && statusCode < 300 ? 'accepted' : 'failed';
}

function refuse(context: IWebhookFunctions, answer: Reply): IWebhookResponseData {
	// Only in the log of this n8n: the sender may be anyone.
	const credential = nameCredential(context);
	context.logger.warn(`BRL Payments Trigger refused a delivery: ${answer.reason} ${credential}`);
	return respond(context, answer);
}

/** Each endpoint has its own secret, so the wrong credential is a common mistake. */
function nameCredential(context: IWebhookFunctions): string {
	const { name = '' } = context.getNode().credentials?.brlPaymentsWebhookApi ?? {};
	return `The credential in use is "${name}".`;
}

/** Sends the response directly: n8n ignores a status in what a node returns. */
function respond(context: IWebhookFunctions, answer: Reply): IWebhookResponseData {
	getResponse(context)
		.status(answer.status)
		.json({ received: answer.status < 300, message: answer.reason });
	return { noWebhookResponse: true };
}

/**
 * What is used of the response; n8n's own type comes from a package that is not available in the
 * build.
 */
interface Response {
	readonly statusCode: number;
	/** Whether the response was sent, even if the sender has hung up. */
	readonly writableEnded: boolean;
	/** Whether the connection is gone. */
	readonly destroyed: boolean;
	once(event: 'close', listener: () => void): void;
	status(code: number): Response;
	json(body: unknown): void;
}

function getResponse(context: IWebhookFunctions): Response {
	return context.getResponseObject() as Response;
}
