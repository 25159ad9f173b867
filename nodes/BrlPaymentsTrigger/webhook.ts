import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { readSignatureSettings } from '../shared/client/signing';
import { toFailure, toNodeError } from '../shared/failures/itemError';
import { getStoreName } from '../shared/n8n/durableStore';
import { maskPersonalData } from '../shared/privacy/value';
import { InputError } from '../shared/input/inputError';
import {
	ACCEPTED,
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	INTERNAL_ERROR,
	type Reply,
} from './answers';
import { readOptions } from './description';
import { checkStatus, isSelected, isTestEvent } from './events';
import { DELIVERY_MARK, toItem } from './item';
import {
	getHeader,
	keysOf,
	NO_EVENT,
	readDelivery,
	readEvent,
	readRawBody,
	refuseAtOnce,
} from './request';
import { claimsOf, type ResponseInProgress } from './seen/claims';
import { verify } from './signature/verify';

const CREDENTIAL = 'brlPaymentsApi';

/**
 * Handles one delivery: verify, classify, claim, emit. Every path sends a response, and it throws only
 * in test mode, where n8n shows the error in the editor.
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
	const isTest = context.getMode() === 'manual';
	const headers = context.getHeaderData() as IDataObject;
	const signature = getHeader(headers, 'X-Webhook-Signature');
	const timestamp = getHeader(headers, 'X-Webhook-Timestamp');
	// An unsigned ping or probe starts nothing, so there is nothing to refuse: the API does not say that
	// they are signed. One with a signature is verified: a mismatch shows that the secret is a wrong one.
	const isPing = isTestEvent(readEvent(headers) ?? '');
	if (isPing && (!signature || !timestamp)) return respond(context, ACCEPTED);
	const body = await readRawBody(context, headers);
	// In the editor a person is watching, and gets more than can be said without the credential.
	const refusal = isTest ? undefined : refuseAtOnce(headers, body.length);
	if (refusal) return refuse(context, refusal);

	const options = readOptions((name, fallback) => context.getNodeParameter(name, fallback));
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const settings = readSignatureSettings(credential);
	const now = Date.now();
	const verification = verify(
		{ signature, timestamp, body },
		settings,
		now,
		options.replayWindowMs,
	);
	if (verification.result !== 'verified') {
		const answer = answerToUnverified(verification);
		if (!isTest) return refuse(context, answer);
		// What is otherwise sent and logged is shown in the editor.
		const description = nameCredential(context);
		throw new NodeOperationError(context.getNode(), answer.reason, { description });
	}
	const event = readEvent(headers);
	if (event === undefined) return refuse(context, NO_EVENT);
	// Before the rest is read: the API describes only the body of the probe that reactivates an
	// endpoint, and refusing one without a delivery ID would keep the endpoint suspended.
	const isWanted = isPing ? options.emitTestPings : isSelected(event, options.events);
	if (!isWanted) return respond(context, ACCEPTED);
	const delivery = readDelivery(headers, body, event);
	if ('reason' in delivery) return isPing ? respond(context, ACCEPTED) : refuse(context, delivery);

	const response = getResponse(context);
	// The sender hung up while its request waited for its turn. It will try again; a claim made now
	// would never end, since the connection has closed already.
	if (response.destroyed) return { noWebhookResponse: true };
	const { signatures, sentAt } = verification;
	const keys = keysOf(delivery, body);
	if (!isTest) {
		const owner = `${delivery.deliveryId} ${event}`;
		const claims = claimsOf(getStoreName(context));
		if (!claims.ownsSignatures(owner, signatures, now, options.replayWindowMs)) {
			return refuse(context, FOREIGN_SIGNATURE);
		}
		const state = options.deduplicate
			? claims.claim(keys, response, now, options.replayWindowMs)
			: 'claimed';
		if (state === 'done') return respond(context, ACCEPTED);
		if (state === 'inFlight') return refuse(context, IN_FLIGHT);
	}
	const item = toItem(delivery, sentAt, now);
	const json = {
		...item,
		...(checkStatus(event, item.status) !== 'agrees' && { statusContradictsEvent: true }),
		// Masked here and not later: n8n stores what is emitted. IDs were read from the unmasked body.
		body: options.maskPersonalData ? maskPersonalData(item.body) : item.body,
		[DELIVERY_MARK]: { keys, signatures: [...signatures], run: randomUUID() },
	};
	return { workflowData: [[{ json }]] };
}

function refuse(context: IWebhookFunctions, answer: Reply): IWebhookResponseData {
	// Only in the log of this n8n: the sender may be anyone.
	const credential = nameCredential(context);
	context.logger.warn(`BRL Payments Trigger refused a delivery: ${answer.reason} ${credential}`);
	return respond(context, answer);
}

/** Each endpoint has its own secret, so the wrong credential is a common mistake. */
function nameCredential(context: IWebhookFunctions): string {
	const { name = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	return `The credential in use is "${name}".`;
}

/** Sends the response directly: n8n ignores a status in what a node returns. */
function respond(context: IWebhookFunctions, answer: Reply): IWebhookResponseData {
	getResponse(context)
		.status(answer.status)
		.json({ received: answer.status < 300, message: answer.reason });
	return { noWebhookResponse: true };
}

/** n8n's own type comes from a package that is not available in the build. */
interface Response extends ResponseInProgress {
	status(code: number): Response;
	json(body: unknown): void;
}

function getResponse(context: IWebhookFunctions): Response {
	return context.getResponseObject() as Response;
}
