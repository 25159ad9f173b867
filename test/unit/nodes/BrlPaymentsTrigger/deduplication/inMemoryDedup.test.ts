import {
	InMemoryDedup,
	getInMemoryDedup,
	nodeName,
	PATIENCE_MS,
	type ClaimResult,
	type ResponseState,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/inMemoryDedup';
import { freshNodeId } from '../support/webhookContext';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const WINDOW = 300_000;
/** When what came at NOW may be forgotten. */
const LATER = NOW + 2 * WINDOW + 1;

/** A delivery about one thing, named as its key, unless others are named. */
const delivery = (key: string, fingerprints: string[] = [], contents = [key]) => ({
	key,
	contents,
	fingerprints,
});

/** A copy with the signature that it came with first, unless another one is named. */
const claim = (
	claims: InMemoryDedup,
	key: string,
	now = NOW,
	signature = `of ${key}`,
): ClaimResult => claims.claim(delivery(key, [signature]), now, WINDOW);

describe('a delivery', () => {
	test('is claimed, in flight, done', () => {
		const claims = new InMemoryDedup(10);
		expect(claim(claims, 'a')).toBe('claimed');
		expect(claim(claims, 'a')).toBe('inFlight');
		claims.confirm(delivery('a'));
		expect(claim(claims, 'a')).toBe('done');
		expect(claim(claims, 'b')).toBe('claimed');
	});

	test('that was released can be claimed again', () => {
		const claims = new InMemoryDedup(10);
		claim(claims, 'a');
		claims.release(delivery('a'));
		expect(claim(claims, 'a')).toBe('claimed');
	});

	test('that is done cannot be released', () => {
		const claims = new InMemoryDedup(10);
		claim(claims, 'a');
		claims.confirm(delivery('a'));
		claims.release(delivery('a'));
		expect(claim(claims, 'a')).toBe('done');
	});

	test('that nobody claimed is neither confirmed nor released', () => {
		const claims = new InMemoryDedup(10);
		claims.confirm(delivery('a'));
		claims.release(delivery('a'));
		claims.answer(delivery('a'));
		claims.abandon(delivery('a'), () => 'pending', NOW);
		expect(claim(claims, 'a')).toBe('claimed');
	});

	test('that is done stays so when n8n responds after its execution has continued', () => {
		const claims = new InMemoryDedup(10);
		claim(claims, 'a');
		claims.confirm(delivery('a'));
		claims.answer(delivery('a'));
		expect(claim(claims, 'a', NOW, 'anew')).toBe('done');
	});
});

describe('a delivery that the service renders again', () => {
	const about = (...contents: string[]) => delivery('a', [contents.join()], contents);

	test.each([
		['one ID more', ['payment'], ['payment', 'txId']],
		['one ID less', ['payment', 'txId'], ['txId']],
	])('is the same with %s, in flight and done', (_, first, second) => {
		const claims = new InMemoryDedup(10);
		expect(claims.claim(about(...first), NOW, WINDOW)).toBe('claimed');
		expect(claims.claim(about(...second), NOW, WINDOW)).toBe('inFlight');
		claims.answer(about(...first));
		// Re-signed: its execution decides.
		expect(claims.claim(about(...second), NOW, WINDOW)).toBe('claimed');
		claims.confirm(about(...second));
		expect(claims.claim(about(...first), NOW, WINDOW)).toBe('done');
	});

	test('is the same by an ID that only a copy has shown', () => {
		const claims = new InMemoryDedup(10);
		claims.claim(about('payment'), NOW, WINDOW);
		claims.confirm(about('payment'));
		expect(claims.claim(about('payment', 'txId'), NOW, WINDOW)).toBe('claimed');
		claims.confirm(about('payment', 'txId'));
		expect(claims.claim(about('txId'), NOW, WINDOW)).toBe('done');
	});

	test('goes to an execution if it shows one more ID, also after it was asked to come again', () => {
		const claims = new InMemoryDedup(10);
		claims.claim(about('payment'), NOW, WINDOW);
		expect(claims.claim(about('payment', 'txId'), NOW, WINDOW)).toBe('inFlight');
		claims.confirm(about('payment'));
		expect(claims.claim(about('payment', 'txId'), NOW, WINDOW)).toBe('claimed');
	});

	test('is another one about another resource or status, and neither changes the other', () => {
		const claims = new InMemoryDedup(10);
		claims.claim(about('payment'), NOW, WINDOW);
		expect(claims.claim(about('other'), NOW, WINDOW)).toBe('claimed');
		claims.release(about('payment'));
		claims.confirm(about('other'));
		expect([about('payment'), about('other')].map((each) => claims.has(each))).toEqual([
			false,
			true,
		]);
		expect(claims.claim(about('payment'), NOW, WINDOW)).toBe('claimed');
		claims.disown(about('other'), NOW);
		expect(claims.has(about('payment'))).toBe(true);
	});
});

describe('memory', () => {
	const through = (claims: InMemoryDedup, key: string, now = NOW) => {
		expect(claim(claims, key, now)).toBe('claimed');
		claims.confirm(delivery(key));
	};

	test('holds as many as allowed; the oldest are forgotten first', () => {
		const claims = new InMemoryDedup(3);
		for (const key of ['a', 'b', 'c']) through(claims, key);
		through(claims, 'd', LATER);
		for (const key of ['b', 'c', 'd']) expect(claim(claims, key, LATER)).toBe('done');
		expect(claim(claims, 'a', LATER)).toBe('claimed');
	});

	test('holds whatever came within two windows, however many', () => {
		const claims = new InMemoryDedup(100);
		for (let number = 0; number < 1_000; number += 1) through(claims, `id-${number}`, NOW + number);
		for (let number = 0; number < 1_000; number += 1) {
			expect(claim(claims, `id-${number}`, NOW + 2 * WINDOW)).toBe('done');
		}
	});

	test('never forgets what is in flight', () => {
		const claims = new InMemoryDedup(2);
		for (const key of ['a', 'b', 'c']) expect(claim(claims, key)).toBe('claimed');
		for (const key of ['d', 'e']) through(claims, key, LATER);
		for (const key of ['a', 'b', 'c']) expect(claim(claims, key, LATER)).toBe('inFlight');
	});

	test('stays in bounds over 10,000 deliveries', () => {
		const claims = new InMemoryDedup(100);
		const { deliveries } = claims as unknown as { deliveries: Map<string, unknown> };
		let most = 0;
		for (let number = 0; number < 10_000; number += 1) {
			// One in each span for which none is forgotten, so that only the number counts.
			through(claims, `id-${number}`, NOW + number * (LATER - NOW));
			most = Math.max(most, deliveries.size);
		}
		const end = NOW + 10_000 * (LATER - NOW);
		expect(most).toBe(110);
		expect(claim(claims, 'id-9999', end)).toBe('done');
		expect(claim(claims, 'id-9900', end)).toBe('done');
		expect(claim(claims, 'id-9889', end)).toBe('claimed');
	});

	test('follows a capacity that the user changes', () => {
		const claims = new InMemoryDedup(3);
		for (const key of ['a', 'b', 'c']) through(claims, key);
		claims.setCapacity(2);
		through(claims, 'd', LATER);
		expect(['c', 'd'].map((key) => claim(claims, key, LATER))).toEqual(['done', 'done']);
		expect(claim(claims, 'b', LATER)).toBe('claimed');
	});

	test('is one per node of a workflow, and lasts', () => {
		const [one, other] = [freshNodeId(), freshNodeId()];
		claim(getInMemoryDedup(nodeName('w', one), 10), 'a');
		expect(claim(getInMemoryDedup(nodeName('w', one), 10), 'a')).toBe('inFlight');
		expect(claim(getInMemoryDedup(nodeName('w', other), 10), 'a')).toBe('claimed');
		expect(claim(getInMemoryDedup(nodeName('v', one), 10), 'a')).toBe('claimed');
	});
});

describe('a delivery that n8n has responded to, and whose execution has not reported back', () => {
	const answered = () => {
		const claims = new InMemoryDedup(10);
		claim(claims, 'a');
		claims.answer(delivery('a'));
		return claims;
	};

	test('is done for copies under the same signature', () => {
		expect(claim(answered(), 'a')).toBe('done');
	});

	test('is done for a copy with that signature next to another one', () => {
		expect(answered().claim(delivery('a', ['anew', 'of a']), NOW, WINDOW)).toBe('done');
	});

	test('is claimed by one that is re-signed: its execution decides, wherever the first one ran', () => {
		const claims = answered();
		expect(claim(claims, 'a', NOW, 'anew')).toBe('claimed');
		claims.answer(delivery('a'));
		for (const signature of ['anew', 'of a']) {
			expect(claim(claims, 'a', NOW, signature)).toBe('done');
		}
	});

	test('is done for all copies once its execution continues', () => {
		const claims = answered();
		claims.confirm(delivery('a'));
		expect(claim(claims, 'a', NOW, 'anew')).toBe('done');
	});

	test('is new once its execution has found the signature to be of another one', () => {
		const claims = answered();
		claims.bindSignature(['of a'], 'a', NOW, WINDOW);
		claims.disown(delivery('a', ['of a']), NOW);
		expect(claims.has(delivery('a'))).toBe(false);
		// The signature itself has no owner any more.
		for (const id of ['a', 'b'])
			expect(claims.bindSignature(['of a'], id, NOW + 1, WINDOW)).toBe(false);
		expect(claims.bindSignature(['anew'], 'a', NOW + 1, WINDOW)).toBe(true);
		expect(claim(claims, 'a', NOW + 1, 'anew')).toBe('claimed');
		// As every signature is, once it is stale.
		expect(claims.bindSignature(['of a'], 'b', LATER, WINDOW)).toBe(true);
	});
});

describe('a delivery whose sender hung up before the response', () => {
	const abandoned = (getState: () => ResponseState) => {
		const claims = new InMemoryDedup(10);
		claim(claims, 'a');
		claims.abandon(delivery('a'), getState, NOW);
		return claims;
	};

	test('is in flight for as long as n8n may still start it, and then claimed again', () => {
		const claims = abandoned(() => 'pending');
		expect(claim(claims, 'a', NOW + PATIENCE_MS)).toBe('inFlight');
		expect(claim(claims, 'a', NOW + PATIENCE_MS + 1)).toBe('claimed');
		expect(claim(claims, 'a', NOW + PATIENCE_MS + 1)).toBe('inFlight');
	});

	test('is done when its execution has begun', () => {
		const claims = abandoned(() => 'pending');
		claims.confirm(delivery('a'));
		expect(claim(claims, 'a', NOW, 'anew')).toBe('done');
	});

	test('is done when n8n has responded after all', () => {
		expect(
			claim(
				abandoned(() => 'accepted'),
				'a',
			),
		).toBe('done');
	});

	test('is claimed again when n8n has failed', () => {
		expect(
			claim(
				abandoned(() => 'failed'),
				'a',
			),
		).toBe('claimed');
	});

	test.each([
		[NOW + PATIENCE_MS, true],
		[NOW + PATIENCE_MS + 1, false],
	])('takes no memory when its time is over: at %o %o', (now, isKept) => {
		const claims = new InMemoryDedup(1);
		for (const key of ['a', 'b', 'c']) {
			claim(claims, key);
			claims.abandon(delivery(key), () => 'pending', NOW);
		}
		claim(claims, 'd', now);
		expect(['a', 'b', 'c'].map((key) => claims.has(delivery(key)))).toEqual([
			isKept,
			isKept,
			isKept,
		]);
	});
});

describe('a signature', () => {
	test('belongs to the delivery that it first came with', () => {
		const claims = new InMemoryDedup(10);
		expect(claims.bindSignature(['s'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.bindSignature(['s'], 'a', NOW + 1, WINDOW)).toBe(true);
		expect(claims.bindSignature(['s'], 'b', NOW + 1, WINDOW)).toBe(false);
		expect(claims.bindSignature(['s'], 'a', NOW + 2, WINDOW)).toBe(true);
		expect(claims.bindSignature(['r'], 'b', NOW + 2, WINDOW)).toBe(true);
	});

	test('a delivery may have several, one for each attempt', () => {
		const claims = new InMemoryDedup(10);
		expect(claims.bindSignature(['s'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.bindSignature(['r'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.bindSignature(['s'], 'b', NOW, WINDOW)).toBe(false);
		expect(claims.bindSignature(['r'], 'b', NOW, WINDOW)).toBe(false);
	});

	test('is one of several, all of which belong to the delivery', () => {
		const claims = new InMemoryDedup(10);
		expect(claims.bindSignature(['s', 'r'], 'a', NOW, WINDOW)).toBe(true);
		for (const fingerprints of [['s'], ['r'], ['r', 's'], ['q', 'r']]) {
			expect(claims.bindSignature(fingerprints, 'b', NOW, WINDOW)).toBe(false);
		}
		// What was refused ties nothing.
		expect(claims.bindSignature(['q'], 'b', NOW, WINDOW)).toBe(true);
	});

	test('is remembered for two windows, since its clock may be one ahead, and then forgotten', () => {
		const claims = new InMemoryDedup(10);
		claims.bindSignature(['s'], 'a', NOW, WINDOW);
		expect(claims.bindSignature(['s'], 'b', NOW + 2 * WINDOW, WINDOW)).toBe(false);
		expect(claims.bindSignature(['s'], 'b', NOW + 2 * WINDOW + 1, WINDOW)).toBe(true);
	});

	test('is not remembered for longer because it comes again', () => {
		const claims = new InMemoryDedup(10);
		for (const now of [NOW, NOW + WINDOW]) claims.bindSignature(['s'], 'a', now, WINDOW);
		expect(claims.bindSignature(['s'], 'b', LATER, WINDOW)).toBe(true);
	});

	test('that comes again when it was forgotten is tied again, however late the old ones are cleaned up', () => {
		const claims = new InMemoryDedup(10);
		claims.bindSignature(['s'], 'a', NOW, WINDOW);
		claims.bindSignature(['other'], 'c', NOW + 2 * WINDOW, WINDOW);
		expect(claims.bindSignature(['s'], 'b', NOW + 2 * WINDOW + 1, WINDOW)).toBe(true);
		expect(claims.bindSignature(['s'], 'a', NOW + 2 * WINDOW + 2, WINDOW)).toBe(false);
		expect(claims.bindSignature(['s'], 'b', NOW + 4 * WINDOW + 1, WINDOW)).toBe(true);
	});

	test('does not depend on how many deliveries are remembered', () => {
		const claims = new InMemoryDedup(1);
		claims.bindSignature(['s'], 'a', NOW, WINDOW);
		for (let number = 0; number < 100; number += 1) {
			claims.bindSignature([`s-${number}`], `id-${number}`, NOW, WINDOW);
			claim(claims, `id-${number}`);
			claims.confirm(delivery(`id-${number}`));
		}
		expect(claims.bindSignature(['s'], 'b', NOW, WINDOW)).toBe(false);
	});

	test('takes no memory once it is stale', () => {
		const claims = new InMemoryDedup(10);
		const { signatures } = claims as unknown as { signatures: Map<string, unknown> };
		for (let number = 0; number < 1_000; number += 1) {
			claims.bindSignature([`s-${number}`], `id-${number}`, NOW + number * 1_000, WINDOW);
		}
		// One a second, for two windows of 300 seconds and the time itself, and cleaned every 30 seconds.
		expect(signatures.size).toBeGreaterThanOrEqual(601);
		expect(signatures.size).toBeLessThanOrEqual(631);
	});
});
