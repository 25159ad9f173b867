import fc from 'fast-check';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { handleDelivery } from '../../../../../nodes/BrlPaymentsTrigger/receive/webhook';
import { countCases } from '../../../support/cases';
import {
	BODY,
	DELIVERY_ID,
	dotSignature,
	NOW,
	OTHER_SECRET,
	PAYMENT_ID,
	SECRET,
	signed,
	stopClock,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';
import { deliver, fakeWebhook, freshNodeId, type WebhookOptions } from '../support/webhookContext';

/** What happens to deliveries that are genuine, and to copies of them: test/engine/trigger. */
const ANSWERED_HERE = { noWebhookResponse: true };

stopClock();

/** That the response was sent here, once, with this status, and nothing starts. */
async function expectAnswer(
	options: WebhookOptions,
	status: number,
	message: RegExp,
): Promise<void> {
	const { result, response, logs } = await deliver(options);
	expect(result).toEqual(ANSWERED_HERE);
	const received = status < 300;
	expect(response.answers).toEqual([
		{ status, body: { received, message: expect.stringMatching(message) } },
	]);
	// The log of n8n says why, and nothing of what must stay secret.
	expect(logs).toHaveLength(received ? 0 : 1);
	expectNoSecret({ answers: response.answers, logs });
}

function expectNoSecret(what: unknown): void {
	const text = JSON.stringify(what);
	for (const secret of [SECRET, OTHER_SECRET, dotSignature()]) expect(text).not.toContain(secret);
}

const ACCEPTED = /^Accepted\.$/;
const OWN_TROUBLE = /^This n8n could not process the delivery\. Send it again\.$/;
const changed = (headers: IDataObject) => ({ headers: validHeaders(headers) });
const under = (event: string) => ({ 'x-webhook-event': event });
const foreign = changed({
	'x-webhook-signature': dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET),
});
const minuteOld = signed(BODY, String(NOW / 1000 - 61));
const unsigned = changed({ 'x-webhook-signature': undefined });
/** A signed test of the dashboard without a delivery ID. */
const ping = signed('{"data":{"message":"Probe"}}', TIMESTAMPS.seconds, {
	...under('webhook.test'),
	'x-webhook-delivery-id': undefined,
});
const unsignedPing = (missing: string) => ({
	...changed({ ...under('webhook.test'), [`x-webhook-${missing}`]: undefined }),
	rawBody: undefined,
	credential: new Error('gone'),
});
const unpacked = {
	...changed({ 'content-encoding': 'gzip' }),
	rawBody: Buffer.alloc(16 * 1024 * 1024, '0'),
};
const unreadable = { credential: new Error('This must not be read') };
const emitTestPings = { emitTestPings: true };
const finally401 = { answerToMismatch: 401 };
const unclear = { deduplicate: 'sometimes' };

test.each<[string, WebhookOptions, number, RegExp]>([
	['another secret', foreign, 503, /does not match.*another endpoint or was rotated/],
	['another secret, if 401 is chosen', { ...foreign, options: finally401 }, 401, /does not match/],
	['an old one', { ...minuteOld, options: { replayWindow: 60 } }, 503, /genuine, .* 61 seconds/],
	['a body that is no JSON object', signed('null'), 503, /^The body is not a JSON object\.$/],
	['an event that is not selected', changed(under('PAYMENT_SOMETHING')), 200, ACCEPTED],
	['a test without a delivery ID', { ...ping, events: ['*'] }, 200, ACCEPTED],
	['such a test that is to be emitted', { ...ping, options: emitTestPings }, 200, ACCEPTED],
	['a forged test', { ...ping, rawBody: Buffer.from('{}') }, 503, /does not match/],
	['a test without signature, secret and body', unsignedPing('signature'), 200, ACCEPTED],
	['a test without timestamp, secret and body', unsignedPing('timestamp'), 200, ACCEPTED],
	['no signature', { ...unsigned, ...unreadable }, 401, /X-Webhook-Signature is missing/],
	['no signature, and a wrong option', { ...unsigned, options: unclear }, 401, /is missing/],
	['16 MB that were packed', { ...unpacked, ...unreadable }, 503, /decompresses to more than 1 MB/],
	['a credential that cannot be read', unreadable, 503, OWN_TROUBLE],
	['a credential without a secret', { credential: { signingSecrets: ' ' } }, 503, OWN_TROUBLE],
	['a body that n8n did not keep', { rawBody: null }, 503, OWN_TROUBLE],
	['a body that was parsed', { rawBody: { id: PAYMENT_ID } }, 503, OWN_TROUBLE],
	['an option that cannot be read', { options: { replayWindow: 'soon' } }, 503, OWN_TROUBLE],
	['an event of the selection that does not exist', { events: ['PAYED'] }, 503, OWN_TROUBLE],
])('%s starts nothing, and does not use up the delivery', async (_, options, status, message) => {
	const nodeId = freshNodeId();
	await expectAnswer({ nodeId, ...options }, status, message);
	expect((await deliver({ nodeId })).emitted).toBeDefined();
});

test('in two workflows, and in two nodes of one, a delivery is new in each', async () => {
	const nodeId = freshNodeId();
	for (const node of [{ nodeId }, { nodeId, workflowId: 'workflow-2' }, {}]) {
		expect((await deliver(node)).emitted).toBeDefined();
	}
});

test('a test starts the workflow if that is wanted', async () => {
	const named = signed('{"data":{}}', TIMESTAMPS.seconds, under('TEST'));
	const { emitted } = await deliver({ ...named, events: [], options: emitTestPings });
	expect(emitted).toMatchObject({ event: 'TEST', isTest: true, resourceType: null });
});

test('personal data is masked before it is emitted, and IDs are not touched', async () => {
	const txId = '11222333000181';
	const payer = { document: '52998224725', email: 'maria@example.com' };
	const { emitted } = await deliver({
		...signed(JSON.stringify({ id: PAYMENT_ID, txId, status: 'PAID', payer })),
		options: { maskPersonalData: true },
	});
	const masked = { document: '***.982.247-**', email: 'm***@example.com' };
	expect(emitted).toMatchObject({
		deliveryId: DELIVERY_ID,
		paymentId: PAYMENT_ID,
		txId,
		body: { id: PAYMENT_ID, txId, payer: masked },
	});
});

test.each([
	['CONFIRMED', undefined],
	['REFUNDED', true],
	['CANCELLED', true],
])('PAYMENT_PAID with the signed status %s is marked: %o', async (status, isMarked) => {
	const { emitted } = await deliver(signed(JSON.stringify({ id: PAYMENT_ID, status })));
	expect(emitted?.statusContradictsEvent).toBe(isMarked);
});

// What copies start, where, and how often: test/engine/trigger/deliveries.test.ts.
describe('copies', () => {
	test('that arrive at once: one is emitted, the others are asked to come again', async () => {
		const nodeId = freshNodeId();
		const outcomes = await Promise.all(Array.from({ length: 20 }, () => deliver({ nodeId })));
		expect(outcomes.filter(({ emitted }) => emitted !== undefined)).toHaveLength(1);
		// Their responses do not free the delivery.
		for (const { emitted, response } of outcomes) if (!emitted) response.finish(503);
		await expectAnswer({ nodeId }, 503, /is being processed/);
	});

	test.each([
		[199, true],
		[200, false],
		[299, false],
		[300, true],
		[500, true],
	])('after a %i response, are new: %s', async (status, isNew) => {
		const nodeId = freshNodeId();
		(await deliver({ nodeId })).response.finish(status);
		if (isNew) expect((await deliver({ nodeId })).emitted).toBeDefined();
		else await expectAnswer({ nodeId }, 200, ACCEPTED);
	});

	test('from a sender that has hung up before its turn, claim nothing', async () => {
		const nodeId = freshNodeId();
		const { context, response } = fakeWebhook({ nodeId });
		response.destroyed = true;

		expect(await handleDelivery(context)).toEqual(ANSWERED_HERE);
		expect(response.answers).toEqual([]);
		expect((await deliver({ nodeId })).emitted).toBeDefined();
	});

	test('start the workflow as often as they come without deduplication, but under no other ID', async () => {
		const setup = { nodeId: freshNodeId(), options: { deduplicate: false } };
		for (let time = 0; time < 3; time += 1) {
			const { emitted, response } = await deliver(setup);
			expect(emitted).toBeDefined();
			response.finish(200);
		}
		const other = changed({ 'x-webhook-delivery-id': 'another-id' });
		await expectAnswer({ ...setup, ...other }, 503, /^This signature was used before with another/);
	});
});

describe('the test URL', () => {
	const mode = 'manual' as const;
	const shown = (options: WebhookOptions) =>
		expect(handleDelivery(fakeWebhook({ mode, ...options }).context)).rejects;

	test('deduplicates nothing, and leaves nothing behind', async () => {
		const nodeId = freshNodeId();
		const other = changed({ 'x-webhook-delivery-id': 'another-id' });
		for (const test of [{ mode }, { mode }, { mode, ...other }, {}]) {
			const { emitted, response } = await deliver({ nodeId, ...test });
			expect(emitted).toBeDefined();
			response.finish(200);
		}
	});

	test('reports a mismatch in the editor, with the parts that were there', async () => {
		const { context, response, logs } = fakeWebhook({ mode, ...foreign });
		const error = await handleDelivery(context).catch((thrown: unknown) => thrown);

		expect(error).toBeInstanceOf(NodeOperationError);
		const { message, description } = error as NodeOperationError;
		expect(message).toMatch(/^The signature does not match/);
		expect(description).toMatch(
			/^Present: .* tried 10 scheme\(s\) with 1 secret\(s\)\. The credential in use is "Signing"\.$/,
		);
		expect(response.answers).toEqual([]);
		expectNoSecret([message, description, logs]);
		expect(`${message} ${description}`).not.toContain(foreign.headers['x-webhook-signature']);
	});

	test('shows everything else that is wrong there too', async () => {
		await shown({ headers: {} }).toThrow('X-Webhook-Signature is missing');
		await shown({ options: { maskPersonalData: 'sim' } }).toMatchObject({
			message: 'Mask Personal Data is "sim", which is neither true nor false',
			description: 'Set Mask Personal Data to true or false.',
		});
	});
});

test('the log says which option to correct', async () => {
	const { logs } = await deliver({ options: { maskPersonalData: 'sim' } });
	expect(logs).toEqual([
		'BRL Payments Trigger could not process a delivery: Mask Personal Data is "sim", which is neither true nor false. Set Mask Personal Data to true or false.',
	]);
});

test('whatever comes to an active trigger, it gets one response or is emitted, and nothing is thrown', async () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 80 }),
		fc.constantFrom(...Object.values(TIMESTAMPS), dotSignature(), DELIVERY_ID, 'PAYMENT_PAID'),
	);
	const anything = fc.oneof(
		text,
		fc.array(text, { maxLength: 2 }),
		fc.json().map((json) => Buffer.from(json)),
		fc.constantFrom(undefined, null, {}),
	);
	const parts = fc.constantFrom('event', 'id', 'timestamp', 'signature', 'rawBody', 'events');
	const changes = fc.dictionary(parts, anything, { maxKeys: 2 });
	let nodeId = freshNodeId();
	let count = 0;
	let emittedCount = 0;

	const property = fc.asyncProperty(fc.uuid(), changes, async (id, changed) => {
		count += 1;
		// What has got many forgeries judges the next ones by an earlier credential, good or bad.
		if (count % 10 === 0) nodeId = freshNodeId();
		const rawBody = Buffer.from(`{"number":${count}}`);
		const usual = {
			event: 'PAYMENT_PAID',
			id,
			timestamp: TIMESTAMPS.seconds,
			rawBody,
			events: ['*'],
		};
		const given = { ...usual, ...changed } as typeof usual;
		const canBeSigned = Buffer.isBuffer(given.rawBody) && typeof given.timestamp === 'string';
		const signature = canBeSigned ? dotSignature(given.rawBody, given.timestamp) : undefined;
		const { result, response, emitted, logs } = await deliver({
			nodeId,
			headers: {
				...under(given.event),
				'x-webhook-delivery-id': given.id,
				'x-webhook-timestamp': given.timestamp,
				'x-webhook-signature': 'signature' in changed ? changed.signature : signature,
			} as IDataObject,
			rawBody: given.rawBody,
			events: given.events,
		});

		if (emitted === undefined) {
			expect(result).toEqual(ANSWERED_HERE);
			expect(response.answers).toHaveLength(1);
			const { status, body: answer } = response.answers[0]!;
			expect([200, 401, 503]).toContain(status);
			expect(answer.received).toBe(status === 200);
			expect(answer.message).toMatch(/\.$/);
		} else {
			emittedCount += 1;
			expect(response.answers).toEqual([]);
			expect(JSON.parse(JSON.stringify(emitted))).toEqual(emitted);
			response.finish(200);
		}
		expect(JSON.stringify([response.answers, logs, result])).not.toContain(SECRET);
	});
	await fc.assert(property, { numRuns: countCases(1_500) });

	// Enough of them were genuine for this to say something about those as well.
	expect(emittedCount).toBeGreaterThan(countCases(75));
}, 60_000);
