import {
	InMemoryDedup,
	PATIENCE_MS,
	type ClaimResult,
	type ResponseState,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/inMemoryDedup';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const WINDOW = 300_000;
/** When what came at NOW may be forgotten. */
const LATER = NOW + 2 * WINDOW + 1;

let claims: InMemoryDedup;
beforeEach(() => {
	claims = new InMemoryDedup(10);
});

/** A delivery about one thing, named as its key, unless others are named. */
const delivery = (key: string, fingerprints: string[] = [], contents = [key]) => ({
	key,
	contents,
	fingerprints,
});

/** A copy with the signature that it came with first, unless another one is named. */
const claim = (key: string, now = NOW, signature = `of ${key}`): ClaimResult =>
	claims.claim(delivery(key, [signature]), now, WINDOW);
const claimAll = (keys: string[], now = NOW) => keys.map((key) => claim(key, now));
const bind = (fingerprints: string[], name: string, now = NOW): boolean =>
	claims.bindSignature(fingerprints, name, now, WINDOW);

describe('a delivery', () => {
	test('is claimed, in flight, done, and stays so, whatever is said about its response', () => {
		expect(claim('a')).toBe('claimed');
		expect(claim('a')).toBe('inFlight');
		claims.confirm(delivery('a'));
		expect(claim('a')).toBe('done');
		claims.release(delivery('a'));
		claims.answer(delivery('a'));
		expect(claim('a', NOW, 'anew')).toBe('done');
		expect(claim('b')).toBe('claimed');
	});

	test('that was released can be claimed again', () => {
		claim('a');
		claims.release(delivery('a'));
		expect(claim('a')).toBe('claimed');
	});

	test('that nobody claimed is neither confirmed nor released', () => {
		claims.confirm(delivery('a'));
		claims.release(delivery('a'));
		claims.answer(delivery('a'));
		claims.abandon(delivery('a'), () => 'pending', NOW);
		expect(claim('a')).toBe('claimed');
	});
});

describe('a delivery that the service renders again', () => {
	const about = (...contents: string[]) => delivery('a', [contents.join()], contents);
	const claimAbout = (...contents: string[]) => claims.claim(about(...contents), NOW, WINDOW);

	test.each([
		['one ID more', ['payment'], ['payment', 'txId']],
		['one ID less', ['payment', 'txId'], ['txId']],
	])('is the same with %s, in flight and done', (_, first, second) => {
		expect(claimAbout(...first)).toBe('claimed');
		expect(claimAbout(...second)).toBe('inFlight');
		claims.answer(about(...first));
		// Re-signed: its execution decides.
		expect(claimAbout(...second)).toBe('claimed');
		claims.confirm(about(...second));
		expect(claimAbout(...first)).toBe('done');
	});

	test('goes to an execution if it shows one more ID, also after it was asked to come again', () => {
		claimAbout('payment');
		expect(claimAbout('payment', 'txId')).toBe('inFlight');
		claims.confirm(about('payment'));
		expect(claimAbout('payment', 'txId')).toBe('claimed');
		claims.confirm(about('payment', 'txId'));
		expect(claimAbout('txId')).toBe('done');
	});

	test('is another one about another resource or status, and neither changes the other', () => {
		claimAbout('payment');
		expect(claimAbout('other')).toBe('claimed');
		claims.release(about('payment'));
		claims.confirm(about('other'));
		expect(claims.has(about('payment'))).toBe(false);
		expect(claims.has(about('other'))).toBe(true);
		expect(claimAbout('payment')).toBe('claimed');
		claims.disown(about('other'), NOW);
		expect(claims.has(about('payment'))).toBe(true);
	});
});

describe('memory', () => {
	const through = (key: string, now = NOW) => {
		expect(claim(key, now)).toBe('claimed');
		claims.confirm(delivery(key));
	};

	test('holds whatever came within two windows, however many', () => {
		const keys = Array.from({ length: 100 }, (_, number) => `id-${number}`);
		for (const [number, key] of keys.entries()) through(key, NOW + number);
		expect(new Set(claimAll(keys, NOW + 2 * WINDOW))).toEqual(new Set(['done']));
	});

	test('never forgets what is in flight', () => {
		claims.capacity = 2;
		claimAll(['a', 'b', 'c']);
		for (const key of ['d', 'e']) through(key, LATER);
		expect(new Set(claimAll(['a', 'b', 'c'], LATER))).toEqual(new Set(['inFlight']));
	});

	test('stays in bounds over 1,000 deliveries', () => {
		claims.capacity = 100;
		const { deliveries } = claims as unknown as { deliveries: Map<string, unknown> };
		const sizes: number[] = [];
		for (let number = 0; number < 1_000; number += 1) {
			// One in each span for which none is forgotten, so that only the number counts.
			through(`id-${number}`, NOW + number * (LATER - NOW));
			sizes.push(deliveries.size);
		}
		expect(Math.max(...sizes)).toBe(110);
		expect(Math.min(...sizes.slice(110))).toBe(100);
		const ids = ['id-999', 'id-900', 'id-889'];
		expect(claimAll(ids, NOW + 1_000 * (LATER - NOW))).toEqual(['done', 'done', 'claimed']);
	});
});

describe('a delivery that n8n has responded to, and whose execution has not reported back', () => {
	beforeEach(() => {
		claim('a');
		claims.answer(delivery('a'));
	});

	test.each([[['of a']], [['anew', 'of a']]])('is done for copies signed %s', (signatures) => {
		expect(claims.claim(delivery('a', signatures), NOW, WINDOW)).toBe('done');
	});

	test('is claimed by one that is re-signed: its execution decides, wherever the first one ran', () => {
		expect(claim('a', NOW, 'anew')).toBe('claimed');
		claims.answer(delivery('a'));
		for (const signature of ['anew', 'of a']) expect(claim('a', NOW, signature)).toBe('done');
	});

	test('is done for all copies once its execution continues', () => {
		claims.confirm(delivery('a'));
		expect(claim('a', NOW, 'anew')).toBe('done');
	});

	test('is new once its execution has found the signature to be of another one', () => {
		bind(['of a'], 'a');
		claims.disown(delivery('a', ['of a']), NOW);
		expect(claims.has(delivery('a'))).toBe(false);
		// The signature itself has no owner any more.
		for (const id of ['a', 'b']) expect(bind(['of a'], id, NOW + 1)).toBe(false);
		expect(bind(['anew'], 'a', NOW + 1)).toBe(true);
		expect(claim('a', NOW + 1, 'anew')).toBe('claimed');
		// As every signature is, once it is stale.
		expect(bind(['of a'], 'b', LATER)).toBe(true);
	});
});

describe('a delivery whose sender hung up before the response', () => {
	const abandon = (key: string, getState: () => ResponseState = () => 'pending') => {
		claim(key);
		claims.abandon(delivery(key), getState, NOW);
	};

	test('is in flight for as long as n8n may still start it, and then claimed again', () => {
		abandon('a');
		expect(claim('a', NOW + PATIENCE_MS)).toBe('inFlight');
		expect(claim('a', NOW + PATIENCE_MS + 1)).toBe('claimed');
		expect(claim('a', NOW + PATIENCE_MS + 1)).toBe('inFlight');
	});

	test('is done when its execution has begun', () => {
		abandon('a');
		claims.confirm(delivery('a'));
		expect(claim('a', NOW, 'anew')).toBe('done');
	});

	test.each([
		['done when n8n has responded after all', 'accepted', 'done'],
		['claimed again when n8n has failed', 'failed', 'claimed'],
	] as const)('is %s', (_, state, expected) => {
		abandon('a', () => state);
		expect(claim('a')).toBe(expected);
	});

	test.each([
		[NOW + PATIENCE_MS, true],
		[NOW + PATIENCE_MS + 1, false],
	])('takes no memory when its time is over: at %o %o', (now, isKept) => {
		claims.capacity = 1;
		for (const key of ['a', 'b']) abandon(key);
		claim('c', now);
		for (const key of ['a', 'b']) expect(claims.has(delivery(key))).toBe(isKept);
	});
});

describe('a signature', () => {
	test('belongs to the delivery that it first came with, which may have several', () => {
		expect(bind(['s'], 'a')).toBe(true);
		expect(bind(['s'], 'a', NOW + 1)).toBe(true);
		expect(bind(['r'], 'a', NOW + 1)).toBe(true);
		for (const signature of ['s', 'r']) expect(bind([signature], 'b', NOW + 2)).toBe(false);
		expect(bind(['q'], 'b', NOW + 2)).toBe(true);
	});

	test('is one of several, all of which belong to the delivery', () => {
		expect(bind(['s', 'r'], 'a')).toBe(true);
		for (const fingerprints of [['s'], ['r'], ['r', 's'], ['q', 'r']]) {
			expect(bind(fingerprints, 'b')).toBe(false);
		}
		// What was refused ties nothing.
		expect(bind(['q'], 'b')).toBe(true);
	});

	test('is remembered for two windows, since its clock may be one ahead, and then forgotten', () => {
		bind(['s'], 'a');
		// Not for longer because it comes again.
		bind(['s'], 'a', NOW + WINDOW);
		expect(bind(['s'], 'b', NOW + 2 * WINDOW)).toBe(false);
		expect(bind(['s'], 'b', LATER)).toBe(true);
	});

	test('that comes again when it was forgotten is tied again, however late the old ones are cleaned up', () => {
		bind(['s'], 'a');
		bind(['other'], 'c', NOW + 2 * WINDOW);
		expect(bind(['s'], 'b', LATER)).toBe(true);
		expect(bind(['s'], 'a', LATER + 1)).toBe(false);
		expect(bind(['s'], 'b', NOW + 4 * WINDOW + 1)).toBe(true);
	});

	test('takes no memory once it is stale, and does not depend on how many deliveries are remembered', () => {
		claims.capacity = 1;
		const { signatures } = claims as unknown as { signatures: Map<string, unknown> };
		for (let number = 0; number < 1_000; number += 1) {
			bind([`s-${number}`], `id-${number}`, NOW + number * 1_000);
			claim(`id-${number}`, NOW + number * 1_000);
		}
		// One a second, for two windows of 300 seconds and the time itself, and cleaned every 30 seconds.
		expect(signatures.size).toBeGreaterThanOrEqual(601);
		expect(signatures.size).toBeLessThanOrEqual(631);
	});
});
