import type { IDataObject } from 'n8n-workflow';
import {
	BODY,
	dotSignature,
	NOW,
	OTHER_SECRET,
	SECRET,
	stopClock,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';
import { deliver, freshNodeId, type WebhookOptions } from '../support/webhookContext';
import { TokenBucket } from '../../../../../nodes/BrlPaymentsTrigger/signature/authenticate';

/** This many mismatches are checked against the current credential, before it is read less often. */
const BURST = 5;

const signedWith = (secret: string, deliveryId = 'id-1'): IDataObject =>
	validHeaders({
		'x-webhook-delivery-id': deliveryId,
		'x-webhook-signature': dotSignature(BODY, TIMESTAMPS.seconds, secret),
	});

const FORGED = signedWith('example-signing-secret-of-somebody-else');
const unreadable = new Error('This must not be read');

let nodeId: string;

beforeEach(() => {
	nodeId = freshNodeId();
});

const at = stopClock();
/** The credential after a second secret was added to it. */
const both = { signingSecrets: `${SECRET} ${OTHER_SECRET}` };

/** The response to the sender; nothing where an execution starts. */
async function getStatus(options: WebhookOptions): Promise<number | undefined> {
	const { response, emitted } = await deliver({ nodeId, ...options });
	expect(response.answers).toHaveLength(emitted ? 0 : 1);
	return response.answers[0]?.status;
}

describe('in a flood of forgeries', () => {
	beforeEach(async () => {
		for (let count = 0; count < BURST; count += 1) {
			expect(await getStatus({ headers: FORGED })).toBe(503);
		}
	});

	test('one more is refused without a look at the credential', async () => {
		const { response, logs } = await deliver({ nodeId, headers: FORGED, credential: unreadable });
		expect(response.answers).toMatchObject([{ status: 503 }]);
		expect(logs).toEqual([expect.stringMatching(/signature does not match/)]);
	});

	test('a genuine delivery is accepted, by the credential as it is now', async () => {
		expect(await getStatus({ headers: signedWith(SECRET) })).toBeUndefined();
		const next = { nodeId, headers: signedWith(SECRET, 'id-2'), credential: unreadable };
		const { logs } = await deliver(next);
		expect(logs).toEqual([expect.stringMatching(/This must not be read/)]);
	});

	test('a secret that was removed opens nothing any more', async () => {
		const credential = { signingSecrets: OTHER_SECRET };
		expect(await getStatus({ headers: signedWith(SECRET), credential })).toBe(503);
	});

	test('a secret that was just added is asked for again, and accepted five seconds later', async () => {
		const added = { headers: signedWith(OTHER_SECRET), credential: both };
		expect(await getStatus(added)).toBe(503);
		at(NOW + 4_999);
		expect(await getStatus(added)).toBe(503);
		at(NOW + 5_000);
		expect(await getStatus(added)).toBeUndefined();
	});

	test('also where a forgery was what the credential was read for', async () => {
		at(NOW + 5_000);
		expect(await getStatus({ headers: FORGED, credential: both })).toBe(503);
		expect(await getStatus({ headers: FORGED, credential: unreadable })).toBe(503);
		expect(
			await getStatus({ headers: signedWith(OTHER_SECRET), credential: both }),
		).toBeUndefined();
	});

	test('only what was judged by the credential as it is now is refused for good', async () => {
		const options = { answerToMismatch: 401 };
		expect(await getStatus({ headers: FORGED, options })).toBe(503);
		at(NOW + 5_000);
		expect(await getStatus({ headers: FORGED, options })).toBe(401);
	});

	test.each<[string, WebhookOptions]>([
		['another node', { nodeId: freshNodeId() }],
		['the node with another credential', { credentialId: 'another' }],
		['the same node of another workflow', { workflowId: 'workflow-2' }],
		['a test in the editor', { mode: 'manual' }],
	])('%s reads the credential', async (_, options) => {
		const { logs } = await deliver({ nodeId, headers: FORGED, credential: unreadable, ...options });
		expect(logs).toEqual([expect.stringMatching(/This must not be read/)]);
	});
});

test('fewer mismatches are all judged by the credential as it is now', async () => {
	for (let count = 1; count < BURST; count += 1) {
		expect(await getStatus({ headers: signedWith(OTHER_SECRET) })).toBe(503);
	}
	expect(await getStatus({ headers: signedWith(OTHER_SECRET), credential: both })).toBeUndefined();
});

test('in the editor, a corrected credential counts at once, however many did not match before', async () => {
	const mode = 'manual';
	for (let count = 0; count < 2 * BURST; count += 1) {
		await expect(deliver({ nodeId, mode, headers: FORGED })).rejects.toThrow('does not match');
	}
	const credential = { signingSecrets: OTHER_SECRET };
	const headers = signedWith(OTHER_SECRET);
	expect((await deliver({ nodeId, mode, headers, credential })).emitted).toBeDefined();
});

test('many genuine deliveries, of which none was expected, are all judged by the credential as it is now', async () => {
	// Signed with a secret that was added after the credential was read last.
	expect(await getStatus({ headers: signedWith(SECRET) })).toBeUndefined();
	const statuses = await Promise.all(
		Array.from({ length: 4 * BURST }, async (_, index) => {
			const rawBody = Buffer.from(`{"number":${index}}`);
			const headers = {
				...signedWith(OTHER_SECRET, `together-${index}`),
				'x-webhook-signature': dotSignature(rawBody, TIMESTAMPS.seconds, OTHER_SECRET),
			};
			return await getStatus({ headers, rawBody, credential: both });
		}),
	);
	expect(statuses).toEqual(statuses.map(() => undefined));
});

describe('a bucket of two tokens', () => {
	const REFILL_MS = 1_000;

	function emptied(at: number): TokenBucket {
		const bucket = new TokenBucket(2, REFILL_MS);
		for (let token = 0; token < 2; token += 1) {
			expect(bucket.isEmpty(at)).toBe(false);
			bucket.take();
		}
		expect(bucket.isEmpty(at)).toBe(true);
		return bucket;
	}

	test('gets one back after its time, and no sooner, however often it is looked at', () => {
		const bucket = emptied(50_000);
		for (let ms = 0; ms < REFILL_MS; ms += 100) expect(bucket.isEmpty(50_000 + ms)).toBe(true);
		expect(bucket.isEmpty(51_000)).toBe(false);
		bucket.take();
		expect(bucket.isEmpty(51_000)).toBe(true);
	});

	test('never holds more than at first, and owes none', () => {
		const bucket = emptied(0);
		expect(bucket.isEmpty(100 * REFILL_MS)).toBe(false);
		for (let count = 0; count < 2; count += 1) bucket.take();
		expect(bucket.isEmpty(100 * REFILL_MS)).toBe(true);
		bucket.take();
		expect(bucket.isEmpty(101 * REFILL_MS)).toBe(false);
	});

	test('goes on when the clock is set back, which brings nothing', () => {
		const bucket = emptied(1_000_000);
		expect(bucket.isEmpty(0)).toBe(true);
		expect(bucket.isEmpty(REFILL_MS)).toBe(false);
	});
});
