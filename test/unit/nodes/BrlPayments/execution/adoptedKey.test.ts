import type { IDataObject } from 'n8n-workflow';
import { getAdoptedKey, keepKey } from '../../../../../nodes/BrlPayments/execution/adoptedKey';
import type { Failure } from '../../../../../nodes/shared/failures/failure';
import type { AdoptedKey } from '../../../../../nodes/shared/orders/orderBook';

const NOW = Date.parse('2026-11-21T12:00:00Z');
/** As an item leaves the node by its error output. */
const ERROR: IDataObject = {
	code: 'TIMEOUT',
	message: 'The server did not respond in time',
	effect: 'unknown',
	idempotencyKey: 'n8n-key-1',
	firstSentAt: '2026-11-21T11:00:00.000Z',
};
const adopt = (changed: IDataObject = {}) =>
	getAdoptedKey({ error: { ...ERROR, ...changed } }, NOW);

test('an item that comes back brings its key, and when it was first sent', () => {
	expect(adopt()).toEqual({
		key: 'n8n-key-1',
		firstUsedAt: Date.parse('2026-11-21T11:00:00Z'),
		content: undefined,
		isUnclear: true,
		lastTriedAt: NOW,
	});
});

test.each<[IDataObject, Partial<AdoptedKey>]>([
	[{ content: 'content-1' }, { content: 'content-1' }],
	[{ content: 7 }, { content: undefined }],
	[{ effect: 'none' }, { isUnclear: false }],
	[{ effect: 'unknown' }, { isUnclear: true }],
	[{ effect: 'done' }, { isUnclear: true }],
	[{ effect: undefined }, { isUnclear: true }],
	[{ firstSentAt: undefined }, { firstUsedAt: undefined }],
	[{ firstSentAt: 'yesterday' }, { firstUsedAt: undefined }],
	[{ firstSentAt: 7 }, { firstUsedAt: undefined }],
	[{ firstSentAt: '2026-11-21T12:00:00.001Z' }, { firstUsedAt: undefined }],
])('with %j it brings %j', (changed, known) => {
	expect(adopt(changed)).toMatchObject(known);
});

test.each([undefined, '', 7, 'invoice 1042', 'fatura-março', 'x'.repeat(101)])(
	'%o is no key to adopt',
	(idempotencyKey) => {
		expect(adopt({ idempotencyKey })).toBeUndefined();
	},
);

test.each<[string, IDataObject | undefined]>([
	['no item', undefined],
	['an item without an error', { idempotencyKey: 'n8n-key-1' }],
	['an error that is text', { error: 'n8n-key-1' }],
	['an error that is a list', { error: [ERROR] }],
	['an error that is null', { error: null }],
])('%s brings none', (_, json) => {
	expect(getAdoptedKey(json, NOW)).toBeUndefined();
});

describe('an item that came with a key and is refused without one', () => {
	const REFUSAL: Failure = {
		code: 'INVALID_INPUT',
		message: 'Amount is empty',
		description: 'Fill in Amount.',
		httpStatus: null,
		retryable: false,
		effect: 'none',
	};
	const KEPT = { idempotencyKey: 'n8n-key-1', firstSentAt: '2026-11-21T11:00:00.000Z' };

	test('keeps the key, when it was first sent, and the doubt', () => {
		expect(keepKey(REFUSAL, adopt())).toEqual({
			...REFUSAL,
			...KEPT,
			lastSentAt: new Date(NOW).toISOString(),
			effect: 'unknown',
			description:
				'Fill in Amount. An earlier attempt at this item may have taken effect: its idempotency key is kept. Leave it with the item.',
		});
	});

	const LAST = { lastSentAt: '2026-11-21T11:30:00.000Z' };

	// So the wait for a proof has an end.
	test('keeps when its last attempt ended, and is in the doubt that the refusal says', () => {
		for (const effect of ['unknown', 'done'] as const) {
			const kept = keepKey({ ...REFUSAL, effect }, adopt(LAST));
			expect(kept).toEqual({ ...REFUSAL, ...KEPT, ...LAST, effect });
		}
	});

	test('is in no doubt if the attempt before certainly had no effect', () => {
		expect(keepKey(REFUSAL, adopt({ effect: 'none' }))).toEqual({ ...REFUSAL, ...KEPT });
	});

	test('keeps the key also if it is unknown when that was first sent', () => {
		const { idempotencyKey, firstSentAt } = keepKey(REFUSAL, adopt({ firstSentAt: undefined }));
		expect([idempotencyKey, firstSentAt]).toEqual(['n8n-key-1', undefined]);
	});

	test('has the key of its own error, or none if it came with none', () => {
		const own = { ...REFUSAL, idempotencyKey: 'n8n-key-2' };
		expect(keepKey(own, adopt())).toBe(own);
		expect(keepKey(REFUSAL, undefined)).toBe(REFUSAL);
	});
});
