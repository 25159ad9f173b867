import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { getHeader, readDelivery } from '../../../../nodes/BrlPaymentsTrigger/receive/delivery';
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
	settingsWith,
	TIMESTAMPS,
	validHeaders,
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
			timestamp,
			body,
			hash,
			signature,
			/** Every text that stands for this signature. */
			notations: [
				hmac(content, { hash }),
				hmac(content, { hash }).toUpperCase(),
				hmac(content, { hash, encoding: 'base64' }),
				hmac(content, { hash, encoding: 'base64url' }),
			],
			writeHeader: (value: string) => write({ signature: value, wrong, timestamp, hash }),
		};
	});

/** One to three edits of a text: a character replaced, put in or taken out, or pieces moved. */
const edit = fc.record({
	kind: fc.constantFrom('replace', 'insert', 'remove', 'swap', 'cut', 'double'),
	at: fc.nat(4_000),
	to: fc.nat(4_000),
	text: fc.oneof(
		fc.constantFrom('0', 'a', 'A', '=', '+', '-', '/', '_', ' ', '\n', '.', ':', ',', '"', '}'),
		fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
	),
});
const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function change(original: string, changes: Edit[]): string {
	return changes.reduce((text, { kind, at, to, text: other }) => {
		const from = at % (text.length + 1);
		const until = to % (text.length + 1);
		const [start, end] = [Math.min(from, until), Math.max(from, until)];
		switch (kind) {
			case 'replace':
				return text.slice(0, from) + other + text.slice(from + other.length);
			case 'insert':
				return text.slice(0, from) + other + text.slice(from);
			case 'remove':
				return text.slice(0, from) + text.slice(from + 1);
			case 'swap':
				return text.slice(end) + text.slice(start, end) + text.slice(0, start);
			case 'cut':
				return text.slice(start, end);
			default:
				return text.slice(0, end) + text.slice(start);
		}
	}, original);
}

/** Anything that could stand where a header is expected, once the type is no promise any more. */
const garbage = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.stringMatching(/^[0-9a-f]{64}$/),
	fc.stringMatching(/^v1[=,][A-Za-z0-9+/]{86}==$/),
	fc.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
	fc.array(fc.string(), { maxLength: 3 }),
	fc.constantFrom(undefined, null, '', 0, 1, true, NaN, {}, [], Symbol.iterator, () => 'x'),
	fc.anything(),
);

let cases = 0;
let accepted = 0;

/** Counts the case and refuses to see it accepted. */
function mustBeRefused(headers: IDataObject, body: Buffer): void {
	cases += 1;
	if (!isAccepted(headers, body)) return;
	accepted += 1;
	throw new Error(`Accepted: ${JSON.stringify({ headers, body: body.toString('latin1') })}`);
}

describe('forged deliveries, none of which is accepted', () => {
	test('what is mutated here is accepted as long as it is not mutated', () => {
		fc.assert(
			fc.property(genuine, ({ timestamp, body, signature, writeHeader: write }) => {
				expect(
					isAccepted(
						validHeaders({
							'x-webhook-timestamp': timestamp,
							'x-webhook-signature': write(signature),
						}),
						body,
					),
				).toBe(true);
			}),
			{ numRuns: countCases(500) },
		);
	});

	test('with an edited body', () => {
		fc.assert(
			fc.property(genuine, edits, ({ timestamp, body, signature, writeHeader: write }, changes) => {
				const changed = Buffer.from(change(body.toString('latin1'), changes), 'latin1');
				fc.pre(!changed.equals(body));
				mustBeRefused(
					validHeaders({
						'x-webhook-timestamp': timestamp,
						'x-webhook-signature': write(signature),
					}),
					changed,
				);
			}),
			{ numRuns: countCases(3_000) },
		);
	});

	test('with an edited signature', () => {
		fc.assert(
			fc.property(genuine, edits, (delivery, changes) => {
				const { timestamp, body, signature, notations, writeHeader: write } = delivery;
				const header = write(change(signature, changes));
				// A header that still contains the whole signature is genuine, whatever is next to it.
				const parts = header.split(/[ ,]|v1[=,]|sha(?:256|512)=/);
				fc.pre(!parts.some((part) => notations.includes(part)));
				mustBeRefused(
					validHeaders({ 'x-webhook-timestamp': timestamp, 'x-webhook-signature': header }),
					body,
				);
			}),
			{ numRuns: countCases(3_000) },
		);
	});

	test('with an edited timestamp', () => {
		fc.assert(
			fc.property(genuine, edits, ({ timestamp, body, signature, writeHeader: write }, changes) => {
				const changed = change(timestamp, changes);
				fc.pre(changed !== timestamp);
				// The field t= follows suit or not; neither helps.
				for (const header of [write(signature), write(signature).replace(timestamp, changed)]) {
					mustBeRefused(
						validHeaders({ 'x-webhook-timestamp': changed, 'x-webhook-signature': header }),
						body,
					);
				}
			}),
			{ numRuns: countCases(750) },
		);
	});

	test('with another time within the window', () => {
		fc.assert(
			fc.property(
				genuine,
				fc.integer({ min: -300_000, max: 300_000 }),
				fc.constantFrom(
					(moment: number) => String(Math.floor(moment / 1000)),
					String,
					(moment: number) => new Date(moment).toISOString(),
				),
				({ timestamp, body, signature, writeHeader: write }, shift, form) => {
					const changed = form(NOW + shift);
					fc.pre(changed !== timestamp);
					mustBeRefused(
						validHeaders({
							'x-webhook-timestamp': changed,
							'x-webhook-signature': write(signature).replace(timestamp, changed),
						}),
						body,
					);
				},
			),
			{ numRuns: countCases(1_000) },
		);
	});

	test('signed with another secret, or with no more than a hash', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...Object.values(LAYOUTS)),
				fc.constantFrom(...HASHES),
				fc.constantFrom(...ENCODINGS),
				fc.constantFrom(...Object.values(VALUE_FORMS)),
				fc.oneof(fc.string({ maxLength: 64 }), fc.constantFrom('', SECRET.slice(1), null)),
				(layout, hash, encoding, write, secret) => {
					fc.pre(secret !== SECRET);
					const timestamp = TIMESTAMPS.seconds;
					const content = layout(timestamp, BODY);
					const signature =
						secret === null
							? createHash(hash).update(content).digest(encoding)
							: hmac(content, { secret, hash, encoding });
					mustBeRefused(
						validHeaders({
							'x-webhook-signature': write({ signature, wrong: signature, timestamp, hash }),
						}),
						BODY,
					);
				},
			),
			{ numRuns: countCases(1_000) },
		);
	});

	test('with something else in place of one header', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('x-webhook-signature', 'x-webhook-timestamp'),
				garbage,
				(name, value) => {
					const headers = validHeaders();
					fc.pre(headers[name] !== value);
					mustBeRefused({ ...headers, [name]: value as never }, BODY);
				},
			),
			{ numRuns: countCases(1_000) },
		);
	});

	test('they were as many as they say, and none was accepted', () => {
		expect(cases).toBe(countCases(10_500));
		expect(accepted).toBe(0);
	});
});

test('custom schemes refuse what was signed with the named ones', () => {
	// Text around the parts, so that no layout is one of the named ones by chance.
	const word = fc.stringMatching(/^[a-z ]{1,5}$/);
	let count = 0;
	fc.assert(
		fc.property(genuine, word, word, word, (delivery, before, between, after) => {
			const settings = settingsWith({
				signatureScheme: 'custom',
				layout: `${before}{timestamp}${between}{body}${after}`,
				hash: delivery.hash,
				encoding: 'hex',
				prefix: '',
			});
			const { timestamp, body, notations } = delivery;
			const headers = (signature: string) =>
				validHeaders({ 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature });
			const content = Buffer.concat([
				Buffer.from(`${before}${timestamp}${between}`),
				body,
				Buffer.from(after),
			]);

			count += 1;
			expect(isAccepted(headers(notations[0] ?? ''), body, settings)).toBe(false);
			const own = hmac(content, { hash: delivery.hash });
			expect(isAccepted(headers(own), body, settings)).toBe(true);
		}),
		{ numRuns: countCases(1_000) },
	);
	expect(count).toBe(countCases(1_000));
});

test('garbage in headers and body: a delivery or a problem, and nothing is thrown', () => {
	let count = 0;
	fc.assert(
		fc.property(
			fc.oneof(
				fc.dictionary(
					fc.constantFrom(
						'x-webhook-event',
						'x-webhook-delivery-id',
						'x-webhook-signature',
						'__proto__',
					),
					garbage,
				),
				fc.record({
					'x-webhook-event': fc.stringMatching(/^[A-Za-z_.:-]{1,70}$/),
					'x-webhook-delivery-id': fc.string({ unit: 'binary-ascii', maxLength: 210 }),
				}),
			),
			fc.oneof(
				fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
				fc.json().map((json) => Buffer.from(json)),
				fc.constantFrom(BODY, Buffer.alloc(0), Buffer.from('{'), Buffer.from('{}')),
			),
			(headers, body) => {
				count += 1;
				const reading = readDelivery(headers, body);
				if ('problem' in reading) {
					expect(reading.problem).toMatch(/missing or malformed$|not a JSON object$/);
					return;
				}
				const { event, deliveryId, body: json } = reading.delivery;
				expect(event).toBe(getHeader(headers, 'X-Webhook-Event'));
				expect(event).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/);
				expect(deliveryId).toBe(getHeader(headers, 'X-Webhook-Delivery-Id'));
				expect(deliveryId).not.toMatch(/[\s,]/);
				expect(deliveryId.length).toBeLessThanOrEqual(200);
				expect(json).toEqual(JSON.parse(body.toString()));
			},
		),
		{ numRuns: countCases(2_000) },
	);
	expect(count).toBe(countCases(2_000));
});
