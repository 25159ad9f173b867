import { Claims, claimsOf } from '../../../../nodes/BrlPaymentsTrigger/claims';
import { freshNodeId } from './support/webhookContext';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const WINDOW = 300_000;

describe('a delivery', () => {
	test('is claimed, in flight, done', () => {
		const claims = new Claims(10);
		expect(claims.claim('a')).toBe('claimed');
		expect(claims.claim('a')).toBe('inFlight');
		claims.confirm('a');
		expect(claims.claim('a')).toBe('done');
		expect(claims.claim('b')).toBe('claimed');
	});

	test('that was released can be claimed again', () => {
		const claims = new Claims(10);
		claims.claim('a');
		claims.release('a');
		expect(claims.claim('a')).toBe('claimed');
	});

	test('that is done cannot be released', () => {
		const claims = new Claims(10);
		claims.claim('a');
		claims.confirm('a');
		claims.release('a');
		expect(claims.claim('a')).toBe('done');
	});

	test('that nobody claimed is neither confirmed nor released', () => {
		const claims = new Claims(10);
		claims.confirm('a');
		claims.release('a');
		expect(claims.claim('a')).toBe('claimed');
	});
});

describe('memory', () => {
	const through = (claims: Claims, key: string) => {
		expect(claims.claim(key)).toBe('claimed');
		claims.confirm(key);
	};

	test('holds as many as allowed; the oldest are forgotten first', () => {
		const claims = new Claims(3);
		for (const key of ['a', 'b', 'c', 'd']) through(claims, key);
		for (const key of ['b', 'c', 'd']) expect(claims.claim(key)).toBe('done');
		expect(claims.claim('a')).toBe('claimed');
	});

	test('never forgets what is in flight', () => {
		const claims = new Claims(2);
		for (const key of ['a', 'b', 'c']) expect(claims.claim(key)).toBe('claimed');
		for (const key of ['a', 'b', 'c']) expect(claims.claim(key)).toBe('inFlight');
		for (const key of ['d', 'e']) through(claims, key);
		for (const key of ['a', 'b', 'c']) expect(claims.claim(key)).toBe('inFlight');
	});

	test('stays in bounds over 10,000 deliveries', () => {
		const claims = new Claims(100);
		const { deliveries } = claims as unknown as { deliveries: Map<string, unknown> };
		let most = 0;
		for (let number = 0; number < 10_000; number += 1) {
			through(claims, `id-${number}`);
			most = Math.max(most, deliveries.size);
		}
		expect(most).toBe(110);
		expect(claims.claim('id-9999')).toBe('done');
		expect(claims.claim('id-9900')).toBe('done');
		expect(claims.claim('id-9889')).toBe('claimed');
	});

	test('follows a capacity that the user changes', () => {
		const claims = new Claims(3);
		for (const key of ['a', 'b', 'c']) through(claims, key);
		claims.setCapacity(2);
		through(claims, 'd');
		expect(['c', 'd'].map((key) => claims.claim(key))).toEqual(['done', 'done']);
		expect(claims.claim('b')).toBe('claimed');
	});

	test('is one per node of a workflow, and lasts', () => {
		const [one, other] = [freshNodeId(), freshNodeId()];
		claimsOf('w', one, 10).claim('a');
		expect(claimsOf('w', one, 10).claim('a')).toBe('inFlight');
		expect(claimsOf('w', other, 10).claim('a')).toBe('claimed');
		expect(claimsOf('v', one, 10).claim('a')).toBe('claimed');
	});
});

describe('a signature', () => {
	test('belongs to the delivery that it first came with', () => {
		const claims = new Claims(10);
		expect(claims.tie(['s'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.tie(['s'], 'a', NOW + 1, WINDOW)).toBe(true);
		expect(claims.tie(['s'], 'b', NOW + 1, WINDOW)).toBe(false);
		expect(claims.tie(['s'], 'a', NOW + 2, WINDOW)).toBe(true);
		expect(claims.tie(['r'], 'b', NOW + 2, WINDOW)).toBe(true);
	});

	test('a delivery may have several, one for each attempt', () => {
		const claims = new Claims(10);
		expect(claims.tie(['s'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.tie(['r'], 'a', NOW, WINDOW)).toBe(true);
		expect(claims.tie(['s'], 'b', NOW, WINDOW)).toBe(false);
		expect(claims.tie(['r'], 'b', NOW, WINDOW)).toBe(false);
	});

	test('is one of several, all of which belong to the delivery', () => {
		const claims = new Claims(10);
		expect(claims.tie(['s', 'r'], 'a', NOW, WINDOW)).toBe(true);
		for (const fingerprints of [['s'], ['r'], ['r', 's'], ['q', 'r']]) {
			expect(claims.tie(fingerprints, 'b', NOW, WINDOW)).toBe(false);
		}
		// What was refused ties nothing.
		expect(claims.tie(['q'], 'b', NOW, WINDOW)).toBe(true);
	});

	test('is remembered for two windows, since its clock may be one ahead, and then forgotten', () => {
		const claims = new Claims(10);
		claims.tie(['s'], 'a', NOW, WINDOW);
		expect(claims.tie(['s'], 'b', NOW + 2 * WINDOW, WINDOW)).toBe(false);
		expect(claims.tie(['s'], 'b', NOW + 2 * WINDOW + 1, WINDOW)).toBe(true);
	});

	test('that comes again when it was forgotten is tied anew, however late the old ones are cleaned up', () => {
		const claims = new Claims(10);
		claims.tie(['s'], 'a', NOW, WINDOW);
		claims.tie(['other'], 'c', NOW + 2 * WINDOW, WINDOW);
		expect(claims.tie(['s'], 'b', NOW + 2 * WINDOW + 1, WINDOW)).toBe(true);
		expect(claims.tie(['s'], 'a', NOW + 2 * WINDOW + 2, WINDOW)).toBe(false);
		expect(claims.tie(['s'], 'b', NOW + 4 * WINDOW + 1, WINDOW)).toBe(true);
	});

	test('does not depend on how many deliveries are remembered', () => {
		const claims = new Claims(1);
		claims.tie(['s'], 'a', NOW, WINDOW);
		for (let number = 0; number < 100; number += 1) {
			claims.tie([`s-${number}`], `id-${number}`, NOW, WINDOW);
			claims.claim(`id-${number}`);
			claims.confirm(`id-${number}`);
		}
		expect(claims.tie(['s'], 'b', NOW, WINDOW)).toBe(false);
	});

	test('takes no memory once it is stale', () => {
		const claims = new Claims(10);
		const { signatures } = claims as unknown as { signatures: Map<string, unknown> };
		for (let number = 0; number < 1_000; number += 1) {
			claims.tie([`s-${number}`], `id-${number}`, NOW + number * 1_000, WINDOW);
		}
		// One a second, for two windows of 300 seconds and the moment itself, and cleaned every 30 seconds.
		expect(signatures.size).toBeGreaterThanOrEqual(601);
		expect(signatures.size).toBeLessThanOrEqual(631);
	});
});
