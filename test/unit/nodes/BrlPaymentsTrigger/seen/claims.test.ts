import { EventEmitter } from 'node:events';
import { Claims, claimsOf } from '../../../../../nodes/BrlPaymentsTrigger/seen/claims';

const WINDOW = 300_000;
const MINUTE = 60_000;

class Response extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	destroyed = false;

	end(statusCode = 200): this {
		Object.assign(this, { statusCode, writableEnded: true });
		this.emit('close');
		return this;
	}

	hangUp(): this {
		this.destroyed = true;
		this.emit('close');
		return this;
	}
}

let claims: Claims;
beforeEach(() => {
	claims = new Claims();
});
const claim = (keys: string[], response = new Response(), now = 0) =>
	claims.claim(keys, response, now, WINDOW);

test.each<[string, (response: Response) => unknown, number, string]>([
	['is not out', () => undefined, 60 * MINUTE, 'inFlight'],
	['is out with 200', (response) => response.end(200), 0, 'done'],
	['is out with 299', (response) => response.end(299), 0, 'done'],
	['is out with 199', (response) => response.end(199), 0, 'claimed'],
	['is out with 300', (response) => response.end(300), 0, 'claimed'],
	['is out with 500', (response) => response.end(500), 0, 'claimed'],
	['hung up', (response) => response.hangUp(), 15 * MINUTE, 'inFlight'],
	['hung up long ago', (response) => response.hangUp(), 15 * MINUTE + 1, 'claimed'],
	['is out after it hung up', (response) => response.hangUp().end(200), 16 * MINUTE, 'done'],
	['fails after it hung up', (response) => response.hangUp().end(500), 0, 'claimed'],
])('a delivery whose response %s', (_, happen, after, state) => {
	const response = new Response();
	expect(claim(['a'], response, MINUTE)).toBe('claimed');
	happen(response);
	expect(claim(['a'], new Response(), MINUTE + after)).toBe(state);
});

test('each node has its own', () => {
	const [one, other] = ['workflow:node', 'workflow:other'].map(claimsOf);
	expect(claimsOf('workflow:node')).toBe(one);
	expect(other).not.toBe(one);
});

test('one that continues is done, and one that is disowned is free', () => {
	claim(['a', 'b']);
	expect(claims.has(['x', 'b'])).toBe(true);
	claims.confirm(['a', 'b']);
	expect(claim(['b'])).toBe('done');
	claims.revoke(['a', 'b'], [], 0);
	expect(claims.has(['a', 'b'])).toBe(false);
	expect(claim(['a'])).toBe('claimed');
});

test('copies of one delivery have a key in common, each with the one before it', () => {
	const response = new Response();
	claim(['a'], response);
	expect(claim(['a', 'b'])).toBe('inFlight');
	response.end();
	expect(claim(['b', 'c'])).toBe('done');
	expect(claim(['c'])).toBe('done');
	expect(claim(['d'])).toBe('claimed');
});

test('a signature belongs to the delivery that it first came with, for two windows', () => {
	const owns = (owner: string, signatures: string[], now: number) =>
		claims.ownsSignatures(owner, signatures, now, WINDOW);
	expect(owns('a', ['s', 't'], 0)).toBe(true);
	expect(owns('b', ['u', 't'], 1)).toBe(false);
	// What was refused has tied nothing.
	expect(owns('c', ['u'], 1)).toBe(true);
	expect(owns('a', ['s'], 2 * WINDOW)).toBe(true);
	expect(owns('b', ['s'], 2 * WINDOW)).toBe(false);
	expect(owns('b', ['s'], 2 * WINDOW + 1)).toBe(true);
});

test('a disowned signature is nobody’s, for two windows from then on', () => {
	claims.ownsSignatures('a', ['s'], 0, WINDOW);
	claims.revoke(['a'], ['s'], WINDOW);
	expect(claims.ownsSignatures('a', ['s'], 3 * WINDOW, WINDOW)).toBe(false);
	expect(claims.ownsSignatures('a', ['s'], 3 * WINDOW + 1, WINDOW)).toBe(true);
});

test('of more than are remembered, the oldest are forgotten, but none within two windows or in flight', () => {
	const fill = (prefix: string, count: number, now: number) => {
		for (let index = 0; index < count; index += 1)
			claim([`${prefix}${index}`], new Response().end(), now);
		claims.confirm(Array.from({ length: count }, (_, index) => `${prefix}${index}`));
	};
	claim(['in flight']);
	fill('old', 60_000, 0);
	fill('new', 60_000, 2 * WINDOW);
	expect(claims.has(['old0'])).toBe(true);
	fill('more', 1, 2 * WINDOW + 1);
	expect([['old0'], ['old59999'], ['new0'], ['in flight']].map((keys) => claims.has(keys))).toEqual(
		[false, true, true, true],
	);
});
