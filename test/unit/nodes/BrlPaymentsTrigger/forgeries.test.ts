import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { countCases } from '../../support/cases';
import {
	BODY,
	ENCODINGS,
	HASHES,
	hmac,
	isAccepted,
	LAYOUTS,
	NOW,
	OTHER_SECRET,
	SECRET,
	TIMESTAMPS,
	VALUE_FORMS,
} from './support/delivery';

/** What a genuine delivery may look like. */
const genuine = fc
	.record({
		layout: fc.constantFrom(...Object.values(LAYOUTS)),
		hash: fc.constantFrom(...HASHES),
		encoding: fc.constantFrom(...ENCODINGS),
		write: fc.constantFrom(...Object.values(VALUE_FORMS)),
		timestamp: fc.constantFrom(...Object.values(TIMESTAMPS)),
		body: fc.oneof(
			fc.constant(BODY),
			fc
				.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
				.map((json) => Buffer.from(JSON.stringify(json))),
		),
	})
	.map(({ layout, hash, encoding, write, timestamp, body }) => {
		const content = layout(timestamp, body);
		const signature = hmac(content, { hash, encoding });
		const wrong = hmac(content, { hash, encoding, secret: OTHER_SECRET });
		return {
			...{ timestamp, body, content, hash, encoding, signature },
			writeHeader: (value: string) => write({ signature: value, wrong, timestamp, hash }),
		};
	});

/** One to three edits of a text, each of which puts something, or nothing, in the place of a piece. */
const edits = fc.array(
	fc.record({
		at: fc.nat(4_000),
		length: fc.oneof(fc.constantFrom(0, 1), fc.nat(100)),
		other: fc.oneof(
			fc.constantFrom('0', 'a', 'A', '=', '+', '-', '/', '_', ' ', '\n', '.', ':', ',', '"', '}'),
			fc.string({ unit: 'binary', maxLength: 3 }),
		),
	}),
	{ minLength: 1, maxLength: 3 },
);
type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

const change = (original: string, changes: Edits): string =>
	changes.reduce((text, { at, length, other }) => {
		const start = at % (text.length + 1);
		return text.slice(0, start) + other + text.slice(start + length);
	}, original);

type Genuine = typeof genuine extends fc.Arbitrary<infer T> ? T : never;
/** Timestamp, header and body. */
type Forged = [timestamp: string, signature: string, body: Buffer];

/** That what is made of a genuine delivery by some means is never accepted. */
function refuseAll<T>(
	runs: number,
	means: fc.Arbitrary<T>,
	forge: (delivery: Genuine, means: T) => Forged[],
): void {
	const property = fc.property(genuine, means, (delivery, given) => {
		for (const [timestamp, signature, body] of forge(delivery, given)) {
			if (!isAccepted(timestamp, signature, body)) continue;
			throw new Error(
				`Accepted: ${JSON.stringify([timestamp, signature, body.toString('latin1')])}`,
			);
		}
	});
	fc.assert(property, { numRuns: countCases(runs) });
}

describe('forged deliveries, none of which is accepted', () => {
	test('what is mutated here is accepted as long as it is not mutated', () => {
		const property = fc.property(genuine, ({ timestamp, body, signature, writeHeader }) => {
			expect(isAccepted(timestamp, writeHeader(signature), body)).toBe(true);
		});
		fc.assert(property, { numRuns: countCases(500) });
	});

	test('with an edited body', () => {
		refuseAll(3_000, edits, ({ timestamp, body, signature, writeHeader }, changes) => {
			const changed = Buffer.from(change(body.toString('latin1'), changes), 'latin1');
			fc.pre(!changed.equals(body));
			return [[timestamp, writeHeader(signature), changed]];
		});
	});

	test('with an edited signature', () => {
		refuseAll(3_000, edits, ({ timestamp, body, signature, encoding, writeHeader }, changes) => {
			const header = writeHeader(change(signature, changes));
			// A header that still contains the whole signature is genuine, whatever is next to it.
			const digest = Buffer.from(signature, encoding);
			const decode = (run: string) => [Buffer.from(run, 'hex'), Buffer.from(run, 'base64')];
			const runs = header.split(/[^\w+/-]+/).flatMap(decode);
			fc.pre(!runs.some((run) => run.equals(digest)));
			return [[timestamp, header, body]];
		});
	});

	test('with an edited timestamp, or another time within the window', () => {
		const moments = fc.integer({ min: NOW - 300_000, max: NOW + 300_000 });
		refuseAll(1_000, fc.tuple(edits, moments), (delivery, [changes, moment]) => {
			const { timestamp, body, signature, writeHeader } = delivery;
			const others = [
				...[change(timestamp, changes), String(Math.floor(moment / 1000))],
				...[String(moment), new Date(moment).toISOString()],
			].filter((other) => other !== timestamp);
			const header = writeHeader(signature);
			// The field t= follows suit or not; neither helps.
			return others.flatMap((other): Forged[] => [
				[other, header, body],
				[other, header.replace(timestamp, other), body],
			]);
		});
	});

	test('signed with another secret, or with no more than a hash', () => {
		const known = fc.constantFrom('', SECRET.slice(1), null);
		const secrets = fc.oneof(fc.string({ maxLength: 64 }), known);
		refuseAll(1_000, secrets, (delivery, secret) => {
			fc.pre(secret !== SECRET);
			const { timestamp, body, content, hash, encoding, writeHeader } = delivery;
			const signature =
				secret === null
					? createHash(hash).update(content).digest(encoding)
					: hmac(content, { secret, hash, encoding });
			return [[timestamp, writeHeader(signature), body]];
		});
	});
});
