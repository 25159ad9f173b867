/** Single requests in n8n's own context of webhooks: what each is told, and whether it starts anything. */
import { NodeOperationError, type IDataObject, type INodeParameters } from 'n8n-workflow';
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
} from '../../unit/nodes/BrlPaymentsTrigger/support/delivery';
import { logged } from '../support/container';
import { deduplication } from '../support/deduplicator';
import { NODE } from '../support/names';
import { useTriggerBench, type Process } from '../support/triggerBench';

const bench = useTriggerBench();
stopClock();

let process: Process;
beforeEach(() => {
	process = bench.start();
	bench.credential = { signingSecrets: SECRET, signatureScheme: 'auto' };
	bench.configure({}, ['PAYMENT_PAID']);
});

interface Request {
	headers?: IDataObject;
	rawBody?: unknown;
	options?: INodeParameters;
	events?: string[];
	credential?: IDataObject;
	mode?: 'webhook' | 'manual';
}

/** One request to a trigger that is set up for it; for this request alone. */
async function send({ options = {}, events = ['PAYMENT_PAID'], ...given }: Request = {}) {
	const { headers = validHeaders(), rawBody = BODY, mode, credential = bench.credential } = given;
	const before = bench.credential;
	logged.length = 0;
	bench.credential = credential;
	bench.configure(options, events);
	const { response, items } = await process.receiveRequest({
		...{ headers, rawBody },
		...(mode && { mode }),
	});
	bench.credential = before;
	return { response, emitted: items?.[0]?.json };
}

function expectNoSecret(what: unknown): void {
	const text = JSON.stringify(what);
	for (const secret of [SECRET, OTHER_SECRET, dotSignature()]) expect(text).not.toContain(secret);
}

/** That this request gets one response with this status, and starts nothing. */
async function expectAnswer(request: Request, status: number, message: RegExp): Promise<void> {
	const { response, emitted } = await send(request);
	const received = status < 300;
	expect(emitted).toBeUndefined();
	expect(response.answers).toEqual([
		{ status, body: { received, message: expect.stringMatching(message) } },
	]);
	// The log of n8n says why, and nothing of what must stay secret.
	expect(logged.filter((part) => typeof part === 'string')).toHaveLength(received ? 0 : 1);
	expectNoSecret([response.answers, logged]);
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
const unreadable = {
	credential: {
		get signingSecrets(): string {
			throw new Error('This must not be read');
		},
	},
};
const unsignedPing = (missing: string) => ({
	...changed({ ...under('webhook.test'), [`x-webhook-${missing}`]: undefined }),
	...unreadable,
});
const unpacked = {
	...changed({ 'content-encoding': 'gzip' }),
	rawBody: Buffer.alloc(16 * 1024 * 1024, '0'),
};
const emitTestPings = { emitTestPings: true };
const unclear = { deduplicate: 'sometimes' };

it.each<[string, Request, number, RegExp]>([
	['another secret', foreign, 503, /does not match.*another endpoint or was rotated/],
	['an old one', { ...minuteOld, options: { replayWindow: 60 } }, 503, /genuine, .* 61 seconds/],
	['a body that is no JSON object', signed('null'), 503, /^The body is not a JSON object\.$/],
	['an event that is not selected', changed(under('PAYMENT_SOMETHING')), 200, ACCEPTED],
	['a test without a delivery ID', { ...ping, events: ['*'] }, 200, ACCEPTED],
	['such a test that is to be emitted', { ...ping, options: emitTestPings }, 200, ACCEPTED],
	['a forged test', { ...ping, rawBody: Buffer.from('{}') }, 503, /does not match/],
	['a test without signature and secret', unsignedPing('signature'), 200, ACCEPTED],
	['a test without timestamp and secret', unsignedPing('timestamp'), 200, ACCEPTED],
	['no signature', { ...unsigned, ...unreadable }, 401, /X-Webhook-Signature is missing/],
	['a signature of an unknown form', changed({ 'x-webhook-signature': 'HMAC' }), 503, /malformed/],
	['a timestamp of an unknown form', changed({ 'x-webhook-timestamp': 'now' }), 503, /malformed/],
	['no event', changed({ 'x-webhook-event': undefined }), 503, /X-Webhook-Event is missing/],
	['no ID', changed({ 'x-webhook-delivery-id': undefined }), 503, /Delivery-Id is missing/],
	['no signature, and a wrong option', { ...unsigned, options: unclear }, 401, /is missing/],
	['16 MB that were packed', { ...unpacked, ...unreadable }, 503, /decompresses to more than 1 MB/],
	['a credential that cannot be read', unreadable, 503, OWN_TROUBLE],
	['a credential without a secret', { credential: { signingSecrets: ' ' } }, 503, OWN_TROUBLE],
	['a body that n8n did not keep', { rawBody: null }, 503, OWN_TROUBLE],
	['a body that was parsed', { rawBody: { id: PAYMENT_ID } }, 503, OWN_TROUBLE],
	['an option that cannot be read', { options: { replayWindow: 'soon' } }, 503, OWN_TROUBLE],
	['an event of the selection that does not exist', { events: ['PAYED'] }, 503, OWN_TROUBLE],
])('%s starts nothing, and does not use up the delivery', async (_, request, status, message) => {
	await expectAnswer(request, status, message);
	expect((await send()).emitted).toBeDefined();
});

it('a test starts the workflow if that is wanted', async () => {
	const named = signed('{"data":{}}', TIMESTAMPS.seconds, under('TEST'));
	const { emitted } = await send({ ...named, events: [], options: emitTestPings });
	expect(emitted).toMatchObject({ event: 'TEST', isTest: true, resourceType: null });
});

it('personal data is masked before it is emitted, and IDs are not touched', async () => {
	const txId = '11222333000181';
	const payer = { document: '52998224725', email: 'maria@example.com' };
	const { emitted } = await send({
		...signed(JSON.stringify({ id: PAYMENT_ID, txId, status: 'PAID', payer })),
		options: { maskPersonalData: true },
	});
	const masked = { document: '***.982.247-**', email: 'm***@example.com' };
	expect(emitted).toMatchObject({
		...{ deliveryId: DELIVERY_ID, paymentId: PAYMENT_ID, txId },
		body: { id: PAYMENT_ID, txId, payer: masked },
	});
});

// What copies start, where, and how often: deliveries.test.ts.
describe('copies', () => {
	it('that arrive at once: one is emitted, the others are asked to come again', async () => {
		const attempts = await Promise.all(
			Array.from({ length: 20 }, () =>
				process.receiveRequest({ headers: validHeaders(), rawBody: BODY }),
			),
		);
		expect(attempts.filter(({ items }) => items !== undefined)).toHaveLength(1);
		// Their responses do not free the delivery.
		for (const { items, response } of attempts) if (!items) response.finish(503);
		await expectAnswer({}, 503, /is being processed/);
	});

	it('from a sender that has hung up before its turn, claim nothing', async () => {
		const request = { headers: validHeaders(), rawBody: BODY, isHungUp: true };
		const { response, items } = await process.receiveRequest(request);
		expect([response.answers, items]).toEqual([[], undefined]);
		expect((await send()).emitted).toBeDefined();
	});

	it('start the workflow as often as they come without deduplication, but under no other ID', async () => {
		const setup = { options: { deduplicate: false } };
		for (let time = 0; time < 3; time += 1) {
			const { emitted, response } = await send(setup);
			expect(emitted).toBeDefined();
			response.finish(200);
			await process.execute([{ json: emitted! }]);
		}
		expect(bench.wentOn).toHaveLength(3);
		expect(deduplication().calls).toEqual([]);
		const other = changed({ 'x-webhook-delivery-id': 'another-id' });
		await expectAnswer({ ...setup, ...other }, 503, /^This signature was used before with another/);
	});
});

describe('the test URL', () => {
	const mode = 'manual' as const;

	it('deduplicates nothing, and leaves nothing behind', async () => {
		const other = changed({ 'x-webhook-delivery-id': 'another-id' });
		for (const test of [{ mode }, { mode }, { mode, ...other }, {}]) {
			const { emitted, response } = await send(test);
			expect(emitted).toBeDefined();
			response.finish(200);
		}
	});

	it('reports a mismatch in the editor', async () => {
		const error = await send({ mode, ...foreign }).catch((thrown: unknown) => thrown);

		expect(error).toBeInstanceOf(NodeOperationError);
		const { message, description } = error as NodeOperationError;
		expect(message).toMatch(/^The signature does not match/);
		expect(description).toBe('The credential in use is "Example".');
		expectNoSecret([message, description, logged]);
		expect(`${message} ${description}`).not.toContain(foreign.headers['x-webhook-signature']);
	});

	it('shows everything else that is wrong there too', async () => {
		await expect(send({ mode, headers: {} })).rejects.toThrow('X-Webhook-Signature is missing');
		const noId = changed({ 'x-webhook-delivery-id': undefined });
		await expect(send({ mode, ...noId })).rejects.toThrow('Delivery-Id is missing');
		await expect(send({ mode, options: { maskPersonalData: 'sim' } })).rejects.toMatchObject({
			message: 'Mask Personal Data is "sim", which is neither true nor false',
			description: 'Set Mask Personal Data to true or false.',
		});
	});
});

describe('the head of the execution', () => {
	const emit = async (request: Request = {}) => [{ json: (await send(request)).emitted! }];

	it('of ten copies that one worker executes at once, one continues, and the store is used by one at a time', async () => {
		const copies = await Promise.all(
			Array.from({ length: 10 }, async () => {
				process = bench.start();
				return await emit();
			}),
		);
		await Promise.all(copies.map(async (items) => await process.execute(items)));
		expect(bench.wentOn).toEqual([DELIVERY_ID]);
		expect(deduplication().mostTogether).toBe(1);
	});

	it('lets an item without a mark, such as pinned data, through as often as it comes', async () => {
		const json = { event: 'PAYMENT_PAID', deliveryId: 'a' };
		for (let time = 0; time < 2; time += 1) await process.execute([{ json }]);
		expect(bench.wentOn).toEqual(['a', 'a']);
	});

	it.each([
		[
			'a status that denies the event',
			signed(JSON.stringify({ id: PAYMENT_ID, status: 'CANCELLED' })),
			/signed body is CANCELLED$/,
		],
		[
			'the signature of another delivery',
			changed({ 'x-webhook-delivery-id': 'the-other-id' }),
			/used before with another/,
		],
	])('does not leave with %s where failures continue', async (_, request, message) => {
		await process.execute(await emit());
		process = bench.start();
		bench.continuesOnError = true;
		const execution = await process.execute(await emit(request));
		expect(execution.output(NODE)).toEqual([]);
		expect(bench.wentOn).toEqual([DELIVERY_ID]);
		expect(logged).toContainEqual(expect.stringMatching(message));
	});
});
