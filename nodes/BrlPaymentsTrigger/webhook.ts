import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
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
import { keysOf, readDelivery, readEvent, readRawBody, readSigned } from './request';
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
		if (failure.code === 'INVALID_INPUT' && isTested(context)) {
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
	const headers = context.getHeaderData() as IDataObject;
	const isPing = isTestEvent(readEvent(headers) ?? '');
	const body = await readRawBody(context, headers);
	const signed = readSigned(headers, body.length);
	if ('reason' in signed) {
		// An unsigned ping or probe starts nothing, so there is nothing to refuse: the API does not say that
		// they are signed. One with a signature is verified: a mismatch shows that the secret is a wrong one.
		return isPing && signed.status === 401 ? respond(context, ACCEPTED) : refuse(context, signed);
	}
	const { event } = signed;

	const options = readOptions((name, fallback) => context.getNodeParameter(name, fallback));
	const credential = await context.getCredentials(CREDENTIAL);
	const settings = readSignatureSettings(credential);
	const now = Date.now();
	const verification = verify({ ...signed, body }, settings, now, options.replayWindowMs);
	if (verification.result !== 'verified') return refuse(context, answerToUnverified(verification));
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
	if (!isTested(context)) {
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

/** In the editor, a person is watching. */
const isTested = (context: IWebhookFunctions): boolean => context.getMode() === 'manual';

/** @throws NodeOperationError in test mode */
function refuse(context: IWebhookFunctions, answer: Reply): IWebhookResponseData {
	const { name = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	// Each endpoint has its own secret, so the wrong credential is a common mistake. Not for the sender: it may be anyone.
	const description = `The credential in use is "${name}".`;
	if (isTested(context)) {
		throw new NodeOperationError(context.getNode(), answer.reason, { description });
	}
	context.logger.warn(`BRL Payments Trigger refused a delivery: ${answer.reason} ${description}`);
	return respond(context, answer);
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
