import type { IDataObject } from 'n8n-workflow';
import { getAdoptedKey, keepKey } from '../../../../../nodes/BrlPayments/execution/adoptedKey';
import type { Failure } from '../../../../../nodes/shared/failures/failure';

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

test.each([
	['content-1', 'content-1'],
	[undefined, undefined],
	[7, undefined],
])('of the content %o it brings %o', (content, known) => {
	expect(adopt({ content })?.content).toBe(known);
});

test.each<[unknown, boolean]>([
	['none', false],
	['unknown', true],
	['done', true],
	[undefined, true],
])('with effect %o it may have taken effect: %o', (effect, isUnclear) => {
	expect(adopt({ effect } as IDataObject)?.isUnclear).toBe(isUnclear);
});

test.each([undefined, 'yesterday', 7, '2026-11-21T12:00:00.001Z'])(
	'nothing shows when it was first sent: %o',
	(firstSentAt) => {
		expect(adopt({ firstSentAt })?.firstUsedAt).toBeUndefined();
	},
);

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

	test('keeps when its last attempt ended, so that the wait for a proof has an end', () => {
		const lastSentAt = '2026-11-21T11:30:00.000Z';
		expect(keepKey(REFUSAL, adopt({ lastSentAt })).lastSentAt).toBe(lastSentAt);
	});

	test('is in no doubt if the attempt before surely had no effect', () => {
		expect(keepKey(REFUSAL, adopt({ effect: 'none' }))).toEqual({ ...REFUSAL, ...KEPT });
	});

	test('keeps the key where it is unknown when that was first sent', () => {
		const { idempotencyKey, firstSentAt } = keepKey(REFUSAL, adopt({ firstSentAt: undefined }));
		expect([idempotencyKey, firstSentAt]).toEqual(['n8n-key-1', undefined]);
	});

	test.each(['unknown', 'done'] as const)('is said to be %s if the refusal says so', (effect) => {
		const lastSentAt = new Date(NOW).toISOString();
		const kept = keepKey({ ...REFUSAL, effect }, adopt());
		expect(kept).toEqual({ ...REFUSAL, ...KEPT, lastSentAt, effect });
	});

	test('has the key of its own error, if that names one', () => {
		const own = { ...REFUSAL, idempotencyKey: 'n8n-key-2' };
		expect(keepKey(own, adopt())).toBe(own);
	});

	test('has none if it came with none', () => {
		expect(keepKey(REFUSAL, undefined)).toBe(REFUSAL);
	});
});
