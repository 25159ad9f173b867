import fc from 'fast-check';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import {
	getInMemoryDedup,
	nodeName,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/inMemoryDedup';
import { contentsOf } from '../../../../../nodes/BrlPaymentsTrigger/receive/delivery';
import { EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/emit/events';
import { handleDelivery, MARK } from '../../../../../nodes/BrlPaymentsTrigger/receive/webhook';
import { countCases } from '../../../support/cases';
import { NODE } from '../../../support/nodeContext';
import {
	BODY,
	DELIVERY_ID,
	dotSignature,
	hmac,
	NOW,
	OTHER_SECRET,
	PAYMENT_ID,
	SECRET,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';
import { deliver, fakeWebhook, freshNodeId, type WebhookOptions } from '../support/webhookContext';

const ANSWERED_HERE = { noWebhookResponse: true };

/** The delivery with another body, signed as the sender would. */
const signed = (
	body: Buffer | string,
	timestamp = TIMESTAMPS.seconds,
	changed: IDataObject = {},
) => ({
	rawBody: Buffer.from(body),
	headers: validHeaders({
		'x-webhook-timestamp': timestamp,
		'x-webhook-signature': dotSignature(Buffer.from(body), timestamp),
		...changed,
	}),
});

/** How the trigger names a delivery of a payment that was paid. */
const nameOf = (deliveryId: string, body: Buffer | string = BODY) => ({
	key: `${deliveryId} PAYMENT_PAID`,
	contents: contentsOf(JSON.parse(String(body)) as IDataObject, body),
});

beforeEach(() => {
	vi.spyOn(Date, 'now').mockReturnValue(NOW);
});

afterEach(() => {
	vi.restoreAllMocks();
});

/** That the response was sent here, once, with this status, and nothing starts. */
async function expectAnswer(
	options: WebhookOptions,
	status: number,
	message: string | RegExp,
): Promise<void> {
	const { result, response, logs } = await deliver(options);
	expect(result).toEqual(ANSWERED_HERE);
	expect(response.answers).toEqual([
		{
			status,
			body: {
				received: status < 300,
				message: typeof message === 'string' ? message : expect.stringMatching(message),
			},
		},
	]);
	// The log of n8n says why, and nothing of what must stay secret.
	expect(logs).toHaveLength(status < 300 ? 0 : 1);
	expectNoSecret({ answers: response.answers, logs });
}

function expectNoSecret(what: unknown): void {
	const text = JSON.stringify(what);
	for (const secret of [SECRET, OTHER_SECRET, dotSignature()]) expect(text).not.toContain(secret);
}

describe('a new delivery', () => {
	test('is emitted, and n8n responds', async () => {
		const { result, response, logs } = await deliver();

		expect(result).toEqual({
			workflowData: [
				[
					{
						json: {
							event: 'PAYMENT_PAID',
							source: 'webhook',
							deliveryId: DELIVERY_ID,
							sentAt: '2026-11-21T12:00:00.000Z',
							receivedAt: '2026-11-21T12:00:00.000Z',
							resourceType: 'payment',
							paymentId: PAYMENT_ID,
							withdrawalId: null,
							txId: null,
							status: 'PAID',
							isTest: false,
							body: { id: PAYMENT_ID, amount: 10, status: 'PAID' },
							[MARK]: {
								...nameOf(DELIVERY_ID),
								id: nameOf(DELIVERY_ID).key,
								fingerprints: [expect.any(String)],
								emission: expect.any(String),
							},
						},
					},
				],
			],
		});
		expect(response.answers).toEqual([]);
		expect(logs).toEqual([]);
		expectNoSecret(result);
	});

	test('in two workflows, and in two nodes of one, is new in each', async () => {
		const nodeId = freshNodeId();
		for (const node of [
			{ nodeId, workflowId: 'workflow-1' },
			{ nodeId, workflowId: 'workflow-2' },
			{ nodeId: freshNodeId(), workflowId: 'workflow-1' },
		]) {
			expect((await deliver(node)).emitted).toBeDefined();
		}
	});
});

describe('what is not a genuine delivery', () => {
	const signature = dotSignature();

	test.each<[string, IDataObject, number, RegExp]>([
		['no signature', { 'x-webhook-signature': undefined }, 401, /X-Webhook-Signature is missing/],
		['no timestamp', { 'x-webhook-timestamp': undefined }, 401, /X-Webhook-Timestamp is missing/],
		[
			'neither signature nor event',
			{ 'x-webhook-signature': undefined, 'x-webhook-event': undefined },
			401,
			/X-Webhook-Signature is missing/,
		],
		[
			'a signature twice',
			{ 'x-webhook-signature': `${signature}, ${signature}` },
			503,
			/X-Webhook-Signature is malformed.*custom scheme/,
		],
		['a malformed timestamp', { 'x-webhook-timestamp': 'now' }, 503, /X-Webhook-Timestamp is malf/],
		[
			'no event',
			{ 'x-webhook-event': undefined },
			503,
			/X-Webhook-Event is missing or malformed\.$/,
		],
		['no delivery id', { 'x-webhook-delivery-id': undefined }, 503, /Delivery-Id is missing or/],
		['a delivery id with a blank', { 'x-webhook-delivery-id': 'a b' }, 503, /Delivery-Id is/],
		[
			'another secret',
			{ 'x-webhook-signature': dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET) },
			503,
			/does not match.*another endpoint or was rotated, or a proxy/,
		],
		[
			'a timestamp that is not the signed one',
			{ 'x-webhook-timestamp': String(NOW / 1000 + 1) },
			503,
			/does not match/,
		],
		[
			'a signature over the body that n8n parsed and wrote again',
			{
				'x-webhook-signature': dotSignature(Buffer.from(JSON.stringify(JSON.parse(String(BODY))))),
			},
			503,
			/does not match/,
		],
	])('%s', async (_, changed, status, message) => {
		await expectAnswer({ headers: validHeaders(changed) }, status, message);
	});

	test.each(['amount=10.00', 'null', '', `\ufeff${BODY.toString()}`])(
		'a signed body that is no JSON object: %o',
		async (body) => {
			await expectAnswer(signed(body), 503, 'The body is not a JSON object.');
		},
	);

	test.each([
		['past', 300_000, 200],
		['past', 300_001, 503],
		['future', -300_000, 200],
		['future', -300_001, 503],
	])('a timestamp in the %s, %i ms away: %i', async (direction, differenceMs, status) => {
		vi.mocked(Date.now).mockReturnValue(NOW + differenceMs);
		const { emitted, response } = await deliver();
		expect(emitted !== undefined).toBe(status === 200);
		if (status === 200) return;
		for (const answerToMismatch of [401, 503]) {
			await expectAnswer(
				{ options: { answerToMismatch } },
				503,
				new RegExp(`is genuine, but the timestamp is 300 seconds in the ${direction}`),
			);
		}
		expect(response.answers).toHaveLength(1);
	});

	test('an old timestamp that is unsigned says nothing about clocks', async () => {
		vi.mocked(Date.now).mockReturnValue(NOW + 400_000);
		await expectAnswer({ rawBody: Buffer.from('{}') }, 503, /does not match/);
	});

	test('the window is as long as the user wants', async () => {
		vi.mocked(Date.now).mockReturnValue(NOW + 60_001);
		await expectAnswer({ options: { replayWindow: 60 } }, 503, /60 seconds in the past/);
		expect((await deliver({ options: { replayWindow: 61 } })).emitted).toBeDefined();
	});

	test.each([
		[undefined, 503],
		[503, 503],
		[401, 401],
	])('the response to a mismatch, chosen as %o, is %i', async (answerToMismatch, status) => {
		await expectAnswer(
			{ rawBody: Buffer.from('{}'), options: { answerToMismatch } },
			status,
			/does not match/,
		);
	});
});

describe('what can be refused by looking', () => {
	const credential = new Error('This must not be read');

	test.each<[string, WebhookOptions, number, RegExp]>([
		['no signature', { headers: validHeaders({ 'x-webhook-signature': '' }) }, 401, /is missing/],
		[
			'16 MB that were packed',
			{
				rawBody: Buffer.alloc(16 * 1024 * 1024, '0'),
				headers: validHeaders({ 'content-encoding': 'gzip' }),
			},
			503,
			/decompresses to more than 1 MB/,
		],
		[
			'a signature that no scheme has',
			{ headers: validHeaders({ 'x-webhook-signature': `v1=${'a'.repeat(42)}` }) },
			503,
			/X-Webhook-Signature is malformed/,
		],
		['no timestamp', { headers: validHeaders({ 'x-webhook-timestamp': '' }) }, 401, /is missing/],
		[
			'an event without end',
			{ headers: validHeaders({ 'x-webhook-event': 'A'.repeat(65) }) },
			503,
			/X-Webhook-Event is/,
		],
	])('%s costs no look at the credential', async (_, options, status, message) => {
		await expectAnswer({ ...options, credential }, status, message);
	});

	test('a packed body of the usual size is judged by its signature', async () => {
		const headers = validHeaders({ 'content-encoding': 'gzip' });
		expect((await deliver({ headers })).emitted).toBeDefined();
	});
});

test.each([
	['CANCELLED', true],
	['COMPLETED', true],
	['CONFIRMED', undefined],
])(
	'PAYMENT_PAID with the signed status %s is marked: %s',
	async (status, statusContradictsEvent) => {
		const { emitted } = await deliver(signed(`{"id":"${PAYMENT_ID}","status":"${status}"}`));
		expect(emitted?.statusContradictsEvent).toBe(statusContradictsEvent);
	},
);

test('10 MB of a genuine body are emitted', async () => {
	const body = `{"id":"${PAYMENT_ID}","note":"${'x'.repeat(10 * 1024 * 1024)}"}`;
	const { emitted } = await deliver(signed(body));
	expect(emitted).toMatchObject({ paymentId: PAYMENT_ID });
});

describe('personal data', () => {
	const body = JSON.stringify({
		id: PAYMENT_ID,
		txId: '11222333000181',
		status: 'PAID',
		payer: { document: '52998224725', email: 'maria@example.com' },
	});

	test('is masked before it is emitted, where that is wanted; ids and signature are not touched', async () => {
		const { emitted } = await deliver({ ...signed(body), options: { maskPersonalData: true } });
		expect(emitted).toMatchObject({
			deliveryId: DELIVERY_ID,
			paymentId: PAYMENT_ID,
			txId: '11222333000181',
			body: {
				id: PAYMENT_ID,
				txId: '11222333000181',
				payer: { document: '***.982.247-**', email: 'm***@example.com' },
			},
		});
	});

	test('is emitted as it came otherwise', async () => {
		const { emitted } = await deliver(signed(body));
		expect(emitted?.body).toEqual(JSON.parse(body));
	});
});

describe('what is accepted and starts nothing', () => {
	const event = (name: string) => ({ headers: validHeaders({ 'x-webhook-event': name }) });

	test.each(['PAYMENT_CONFIRMED', 'PAYMENT_SOMETHING'])(
		'%s, which is not selected',
		async (name) => {
			await expectAnswer(event(name), 200, 'Accepted.');
		},
	);

	test.each(['TEST', 'webhook.test', 'WEBHOOK_TEST'])('the ping %s', async (name) => {
		await expectAnswer(event(name), 200, 'Accepted.');
		await expectAnswer({ ...event(name), events: ['*'] }, 200, 'Accepted.');
	});

	test.each(['TEST', 'webhook.test'])('the ping %s without a delivery id', async (name) => {
		const probe = signed('{"data":{"message":"Probe","webhookConfigId":"id"}}', undefined, {
			'x-webhook-event': name,
			'x-webhook-delivery-id': undefined,
		});
		await expectAnswer(probe, 200, 'Accepted.');
		// Where it is to start the workflow it would have to say which delivery it is; it starts nothing.
		await expectAnswer({ ...probe, options: { emitTestPings: true } }, 200, 'Accepted.');
		const forged = { ...probe, rawBody: Buffer.from('{}') };
		await expectAnswer(forged, 503, /does not match/);
	});

	test.each(['signature', 'timestamp'])('a probe without %s, secret and body', async (missing) => {
		const headers = validHeaders({
			'x-webhook-event': 'webhook.test',
			[`x-webhook-${missing}`]: undefined,
		});
		const bare = { headers, credential: new Error('gone'), rawBody: undefined };
		await expectAnswer({ ...bare, options: { emitTestPings: true } }, 200, 'Accepted.');
	});

	test('any event while none is selected', async () => {
		await expectAnswer({ events: [] }, 200, 'Accepted.');
	});

	test('and it leaves no claim behind', async () => {
		const nodeId = freshNodeId();
		await expectAnswer({ nodeId, events: ['MED_RECEIVED'] }, 200, 'Accepted.');
		expect((await deliver({ nodeId })).emitted).toBeDefined();
	});
});

describe('what the selection and the options let through', () => {
	test.each([...Object.keys(EVENTS), 'twelfth.event', '__proto__'])(
		'%s, of all events',
		async (name) => {
			const headers = validHeaders({ 'x-webhook-event': name });
			expect((await deliver({ headers, events: ['*'] })).emitted?.event).toBe(name);
		},
	);

	test.each(['TEST', 'webhook.test'])('the ping %s, when wanted', async (name) => {
		const { emitted } = await deliver({
			...signed('{"data":{"livemode":false,"message":"ping"}}', undefined, {
				'x-webhook-event': name,
			}),
			events: [],
			options: { emitTestPings: true },
		});
		expect(emitted).toMatchObject({ event: name, isTest: true, resourceType: null });
	});
});

/** The execution that a delivery has started says that it continues. */
const confirm = (nodeId: string, deliveryId = DELIVERY_ID, body = BODY) =>
	getInMemoryDedup(nodeName('workflow-1', nodeId), 5_000).confirm(nameOf(deliveryId, body));

describe('copies', () => {
	test('while the first is in flight, are asked to come again', async () => {
		const nodeId = freshNodeId();
		expect((await deliver({ nodeId })).emitted).toBeDefined();
		await expectAnswer({ nodeId }, 503, /is being processed/);
		await expectAnswer({ nodeId }, 503, /is being processed/);
	});

	test('sent at once: one is emitted', async () => {
		const nodeId = freshNodeId();
		const outcomes = await Promise.all(Array.from({ length: 20 }, () => deliver({ nodeId })));
		expect(outcomes.filter(({ emitted }) => emitted !== undefined)).toHaveLength(1);
		expect(outcomes.filter(({ response }) => response.statusCode === 503)).toHaveLength(19);
	});

	test.each([200, 204, 299])(
		'after a %i response, are accepted and start nothing',
		async (status) => {
			const nodeId = freshNodeId();
			const first = await deliver({ nodeId });
			first.response.finish(status);
			await expectAnswer({ nodeId }, 200, 'Accepted.');
			await expectAnswer({ nodeId }, 200, 'Accepted.');
		},
	);

	test.each([199, 300, 302, 404, 500, 503])(
		'after a %i response, are new: no execution was started',
		async (status) => {
			const nodeId = freshNodeId();
			const first = await deliver({ nodeId });
			first.response.finish(status);

			const second = await deliver({ nodeId });
			expect(second.emitted).toBeDefined();
			second.response.finish(200);
			await expectAnswer({ nodeId }, 200, 'Accepted.');
		},
	);

	test.each([
		['are asked to come again: n8n may wait for a free slot', undefined, 503],
		['are accepted when n8n has responded to no one', 200, 200],
		['are new when n8n has failed', 500, undefined],
	])('after a connection that broke before the response, %s', async (_, late, status) => {
		const nodeId = freshNodeId();
		const first = await deliver({ nodeId });
		first.response.breakOff();
		if (late !== undefined) first.response.answerLate(late);
		const copy = await deliver({ nodeId });
		expect(copy.response.answers[0]?.status).toBe(status);
		expect(copy.emitted === undefined).toBe(status !== undefined);
	});

	test('from a sender that has hung up before its turn, claim nothing', async () => {
		const nodeId = freshNodeId();
		const { context, response } = fakeWebhook({ nodeId });
		response.destroyed = true;

		expect(await handleDelivery(context)).toEqual({ noWebhookResponse: true });
		expect(response.answers).toEqual([]);
		expect((await deliver({ nodeId })).emitted).toBeDefined();
	});

	test('when the connection breaks after the response, stay copies', async () => {
		const nodeId = freshNodeId();
		const { response } = await deliver({ nodeId });
		response.finish(200);
		response.emit('close');
		await expectAnswer({ nodeId }, 200, 'Accepted.');
	});

	test('that were refused do not free the delivery when their response is out', async () => {
		const nodeId = freshNodeId();
		await deliver({ nodeId });
		const copy = await deliver({ nodeId });
		copy.response.finish(503);
		await expectAnswer({ nodeId }, 503, /is being processed/);
	});

	test('are remembered as many as the user wants, and all of two windows', async () => {
		const nodeId = freshNodeId();
		const numbered = (number: number, at: number) => ({
			nodeId,
			options: { deliveriesToRemember: 100 },
			...signed(`{"number":${number}}`, String(at / 1000), {
				'x-webhook-delivery-id': `id-${number}`,
			}),
		});
		// A tenth more than wanted is forgotten at once, and one that is new makes room for itself.
		const last = 110;
		for (let number = 1; number <= last; number += 1) {
			(await deliver(numbered(number, NOW))).response.finish(200);
			confirm(nodeId, `id-${number}`, Buffer.from(`{"number":${number}}`));
		}
		await expectAnswer(numbered(1, NOW), 200, 'Accepted.');
		const later = NOW + 601_000;
		vi.mocked(Date.now).mockReturnValue(later);
		(await deliver(numbered(last + 1, later))).response.finish(200);
		for (const number of [12, last, last + 1]) {
			await expectAnswer(numbered(number, later), 200, 'Accepted.');
		}
		expect((await deliver(numbered(11, later))).emitted).toBeDefined();
	});

	test('without deduplication start the workflow as often as they come', async () => {
		const nodeId = freshNodeId();
		const options = { deduplicate: false };
		for (let time = 0; time < 3; time += 1) {
			const { emitted, response } = await deliver({ nodeId, options });
			expect(emitted).toBeDefined();
			response.finish(200);
		}
	});
});

describe('a signature under another delivery id', () => {
	const other = (id: string) => validHeaders({ 'x-webhook-delivery-id': id });

	test.each([true, false])('is refused, with deduplication %o', async (deduplicate) => {
		const nodeId = freshNodeId();
		const options = { deduplicate };
		(await deliver({ nodeId, options })).response.finish(200);
		await expectAnswer(
			{ nodeId, options, headers: other('another-id') },
			503,
			'This signature was used before with another X-Webhook-Delivery-Id or X-Webhook-Event. A genuine delivery is accepted once re-signed.',
		);
	});

	test('does not use up the other delivery', async () => {
		const nodeId = freshNodeId();
		await deliver({ nodeId });
		await expectAnswer({ nodeId, headers: other('id-2') }, 503, /used before with another/);

		const genuine = signed('{"number":2}', undefined, { 'x-webhook-delivery-id': 'id-2' });
		expect((await deliver({ nodeId, ...genuine })).emitted).toBeDefined();
	});

	test('is remembered for as long as it is fresh', async () => {
		const nodeId = freshNodeId();
		const ahead = signed(BODY, String(NOW / 1000 + 300));
		expect((await deliver({ nodeId, ...ahead })).emitted).toBeDefined();

		vi.mocked(Date.now).mockReturnValue(NOW + 600_000);
		// Something else comes in between, which is when old signatures are forgotten.
		const between = signed('{"number":2}', String(NOW / 1000 + 600), {
			'x-webhook-delivery-id': 'id-2',
		});
		expect((await deliver({ nodeId, ...between })).emitted).toBeDefined();
		await expectAnswer(
			{ nodeId, rawBody: BODY, headers: { ...ahead.headers, 'x-webhook-delivery-id': 'id-3' } },
			503,
			/used before with another X-Webhook-Delivery-Id/,
		);
	});
});

describe('let through again', () => {
	const replay = (nodeId: string, letThroughAgain: string) => ({
		nodeId,
		options: { letThroughAgain },
	});

	test('one copy more for each time that the id is written, and no more', async () => {
		const nodeId = freshNodeId();
		(await deliver({ nodeId })).response.finish(200);
		await expectAnswer({ nodeId }, 200, 'Accepted.');

		for (const ids of [DELIVERY_ID, `${DELIVERY_ID}, ${DELIVERY_ID}`]) {
			const again = await deliver(replay(nodeId, ids));
			expect(again.emitted).toMatchObject({ deliveryId: DELIVERY_ID });
			again.response.finish(200);
			await expectAnswer(replay(nodeId, ids), 200, 'Accepted.');
		}
		// The wish is taken back: still a copy.
		await expectAnswer({ nodeId }, 200, 'Accepted.');
	});

	test('identifies the execution by another key, and keeps the id', async () => {
		const { emitted } = await deliver(replay(freshNodeId(), DELIVERY_ID));
		const { key, id } = emitted?.[MARK] as IDataObject;
		expect(id).toBe(nameOf(DELIVERY_ID).key);
		expect(key).not.toBe(id);
	});

	test('an id that is not there lets nothing through', async () => {
		const nodeId = freshNodeId();
		(await deliver({ nodeId })).response.finish(200);
		await expectAnswer(replay(nodeId, 'another-id'), 200, 'Accepted.');
	});
});

describe('the test URL', () => {
	const mode = 'manual' as const;

	test('deduplicates nothing, and leaves nothing behind', async () => {
		const nodeId = freshNodeId();
		for (let time = 0; time < 3; time += 1) {
			const { emitted, response } = await deliver({ nodeId, mode });
			expect(emitted).toBeDefined();
			response.finish(200);
		}
		const headers = validHeaders({ 'x-webhook-delivery-id': 'another-id' });
		expect((await deliver({ nodeId, mode, headers })).emitted).toBeDefined();
		expect((await deliver({ nodeId })).emitted).toBeDefined();
	});

	test('reports a mismatch in the editor, with the parts that were there', async () => {
		const secrets = `${SECRET}\n${OTHER_SECRET}`;
		const foreign = dotSignature(BODY, TIMESTAMPS.seconds, 'example-signing-secret-9999');
		const { context, response, logs } = fakeWebhook({
			mode,
			credential: { signingSecrets: secrets },
			headers: validHeaders({ 'x-webhook-signature': foreign }),
		});
		const error = await handleDelivery(context).catch((thrown: unknown) => thrown);

		expect(error).toBeInstanceOf(NodeOperationError);
		const { message, description } = error as NodeOperationError;
		expect(message).toMatch(/^The signature does not match/);
		expect(description).toBe(
			`Present: X-Webhook-Signature with 1 value(s) of 64 characters, X-Webhook-Timestamp in seconds, X-Webhook-Delivery-Id yes, X-Webhook-Event PAYMENT_PAID, body of ${BODY.length} bytes, tried 10 scheme(s) with 2 secret(s). The credential in use is "Signing".`,
		);
		expect(response.answers).toEqual([]);
		expectNoSecret([message, description, logs]);
		expect(`${message} ${description}`).not.toContain(foreign);
	});

	test('shows everything else that is wrong there too', async () => {
		const shown = (options: WebhookOptions) =>
			expect(handleDelivery(fakeWebhook({ mode, ...options }).context)).rejects;

		await shown({ headers: {} }).toThrow('X-Webhook-Signature is missing');
		await shown({ headers: validHeaders({ 'x-webhook-signature': 'v1' }) }).toThrow('is malformed');
		vi.mocked(Date.now).mockReturnValue(NOW + 400_000);
		await shown({}).toThrow('400 seconds in the past');
	});
});

describe('trouble of our own: the sender is asked to come again', () => {
	test.each<[string, WebhookOptions]>([
		['the credential cannot be read', { credential: new Error('The database is gone') }],
		[
			'n8n refuses the credential',
			{ credential: new NodeOperationError(NODE, 'Node does not have any credentials set') },
		],
		['there is no secret', { credential: { signingSecrets: ' ' } }],
		['n8n provides no raw body', { rawBody: null }],
		['n8n provides a body that was parsed', { rawBody: { id: PAYMENT_ID } }],
		['the window is no number', { options: { replayWindow: 'soon' } }],
		['the response to a mismatch is no choice', { options: { answerToMismatch: 403 } }],
		['there is no such event', { events: ['PAYMENT_PAYED'] }],
	])('%s', async (_, options) => {
		await expectAnswer(options, 503, 'This n8n could not process the delivery. Send it again.');
	});

	test('the log says what to correct', async () => {
		const { logs } = await deliver({ options: { maskPersonalData: 'sim' } });
		expect(logs).toEqual([
			'BRL Payments Trigger could not process a delivery: Mask Personal Data is "sim", which is neither true nor false. Set Mask Personal Data to true or false.',
		]);
	});

	test('the editor says so too', async () => {
		const delivery = deliver({ mode: 'manual', options: { maskPersonalData: 'sim' } });
		await expect(delivery).rejects.toMatchObject({
			message: 'Mask Personal Data is "sim", which is neither true nor false',
			description: 'Set Mask Personal Data to true or false.',
		});
	});

	test('what is unsigned is refused as unsigned, whatever the options say', async () => {
		const options = { deduplicate: 'sometimes' };
		const headers = validHeaders({ 'x-webhook-signature': undefined });
		await expectAnswer({ options, headers }, 401, /X-Webhook-Signature is missing/);
	});

	test('and afterwards the delivery is new', async () => {
		const nodeId = freshNodeId();
		await deliver({ nodeId, credential: new Error('The database is gone') });
		expect((await deliver({ nodeId })).emitted).toBeDefined();
	});
});

describe('rotation', () => {
	test('a delivery that did not match is accepted once the secret is there', async () => {
		const nodeId = freshNodeId();
		const headers = validHeaders({
			'x-webhook-signature': dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET),
		});
		await expectAnswer({ nodeId, headers }, 503, /does not match/);

		const credential = { signingSecrets: `${SECRET} ${OTHER_SECRET}` };
		expect((await deliver({ nodeId, headers, credential })).emitted).toBeDefined();
	});

	/** Deliveries of different ids that arrive at once; returns how often the credential was read. */
	async function arriveTogether(secrets: string[], nodeIds: string[]) {
		let readings = 0;
		const outcomes = nodeIds.map(async (nodeId, index) => {
			const { context } = fakeWebhook({
				nodeId,
				...signed(`{"number":${index}}`, TIMESTAMPS.seconds, {
					'x-webhook-delivery-id': `id-${index}`,
				}),
			});
			const getCredentials = async () => {
				// What is configured when the reading begins.
				const signingSecrets = secrets[readings++]!;
				await new Promise((resolve) => setImmediate(resolve));
				return { signingSecrets, signatureScheme: 'auto' };
			};
			const { workflowData } = await handleDelivery(Object.assign(context, { getCredentials }));
			return workflowData !== undefined;
		});
		return { started: await Promise.all(outcomes), readings };
	}

	test('deliveries that arrive together share a reading of the credential that began after them', async () => {
		const nodeId = freshNodeId();
		// Changed while the first one was read: those that came later must not be given the old one.
		const { started, readings } = await arriveTogether(
			[OTHER_SECRET, SECRET],
			[nodeId, nodeId, nodeId, nodeId],
		);
		expect(readings).toBe(2);
		expect(started).toEqual([false, true, true, true]);
	});

	test('deliveries to different nodes share nothing', async () => {
		const { started, readings } = await arriveTogether(
			[SECRET, OTHER_SECRET, SECRET],
			[freshNodeId(), freshNodeId(), freshNodeId()],
		);
		expect(readings).toBe(3);
		expect(started).toEqual([true, false, true]);
	});

	test('a scheme that was detected does not block another one', async () => {
		const nodeId = freshNodeId();
		const newline = hmac(Buffer.from(`${TIMESTAMPS.seconds}\n${BODY.toString()}`), {
			hash: 'sha512',
			encoding: 'base64',
		});
		for (const signature of [newline, dotSignature(), newline]) {
			const { emitted } = await deliver({
				nodeId,
				options: { deduplicate: false },
				headers: validHeaders({ 'x-webhook-signature': signature }),
			});
			expect(emitted).toBeDefined();
		}
	});
});

test('whatever comes to an active trigger, it gets one response or is emitted, and nothing is thrown', async () => {
	const text = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 80 }),
		fc.constantFrom(...Object.values(TIMESTAMPS), dotSignature(), DELIVERY_ID, 'PAYMENT_PAID'),
	);
	const header = fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.constant(undefined));
	const odd = fc.oneof(
		fc.constantFrom(undefined, null, 0, -1, NaN, '', '5', true, [], {}),
		fc.string({ maxLength: 20 }),
	);
	const mostly = (usual: fc.Arbitrary<unknown>, arbitrary: fc.Arbitrary<unknown>) =>
		fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary });
	const reasonable = (value: unknown, arbitrary: fc.Arbitrary<unknown>) =>
		mostly(fc.constant(value), arbitrary);
	/** Each with its own content, since a signature counts for one delivery. */
	const numbered = fc.nat().map((number) => Buffer.from(`{"number":${number}}`));
	const body = fc.oneof(
		fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
		fc.json().map((json) => Buffer.from(json)),
		fc.constant(BODY),
	);
	let nodeId = freshNodeId();
	let count = 0;
	let emittedCount = 0;

	await fc.assert(
		fc.asyncProperty(
			fc.record({
				event: reasonable('PAYMENT_PAID', header),
				id: mostly(fc.uuid(), header),
				timestamp: reasonable(TIMESTAMPS.seconds, header),
				signature: reasonable('genuine', header),
				body: mostly(numbered, fc.oneof(body, odd)),
				events: reasonable(['*'], fc.array(text, { maxLength: 2 })),
				options: reasonable(
					{},
					fc.record({
						replayWindow: odd,
						deliveriesToRemember: odd,
						answerToMismatch: odd,
						letThroughAgain: odd,
						deduplicate: odd,
						emitTestPings: odd,
					}),
				),
				credential: reasonable(
					{ signingSecrets: SECRET },
					fc.record({
						signingSecrets: fc.oneof(fc.constant(SECRET), odd),
						signatureScheme: fc.oneof(fc.constantFrom('auto', 'custom', 'sha512-dot'), odd),
						hash: fc.oneof(fc.constant('sha256'), odd),
						layout: fc.oneof(fc.constant('{timestamp}.{body}'), odd),
						encoding: fc.oneof(fc.constant('hex'), odd),
						prefix: odd,
					}),
				),
			}),
			async (given) => {
				count += 1;
				// What has got many forgeries judges the next ones by an earlier credential, good or bad.
				if (count % 10 === 0) nodeId = freshNodeId();
				const signature =
					given.signature === 'genuine' &&
					Buffer.isBuffer(given.body) &&
					typeof given.timestamp === 'string'
						? dotSignature(given.body, given.timestamp)
						: given.signature;
				const { result, response, emitted, logs } = await deliver({
					nodeId,
					headers: {
						'x-webhook-event': given.event,
						'x-webhook-delivery-id': given.id,
						'x-webhook-timestamp': given.timestamp,
						'x-webhook-signature': signature,
					} as IDataObject,
					rawBody: given.body,
					events: given.events as string[],
					options: given.options as IDataObject,
					credential: given.credential as IDataObject,
				});

				if (emitted === undefined) {
					expect(result).toEqual(ANSWERED_HERE);
					expect(response.answers).toHaveLength(1);
					const { status, body: answer } = response.answers[0] ?? { status: 0, body: {} };
					expect([200, 401, 503]).toContain(status);
					expect(answer.received).toBe(status === 200);
					expect(answer.message).toMatch(/\.$/);
				} else {
					emittedCount += 1;
					expect(result.noWebhookResponse).toBeUndefined();
					expect(response.answers).toEqual([]);
					expect([null, 'payment', 'withdrawal']).toContain(emitted.resourceType);
					expect(JSON.parse(JSON.stringify(emitted))).toEqual(emitted);
					response.finish(200);
				}
				expect(JSON.stringify([response.answers, logs, result])).not.toContain(SECRET);
			},
		),
		{ numRuns: countCases(1_500) },
	);
	expect(count).toBe(countCases(1_500));
	// Enough of them were genuine for this to say something about those as well.
	expect(emittedCount).toBeGreaterThan(countCases(75));
}, 60_000);
