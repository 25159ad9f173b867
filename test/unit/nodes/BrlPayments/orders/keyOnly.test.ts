import type { IDataObject } from 'n8n-workflow';
import type { OrderRequest } from '../../../../../nodes/BrlPayments/orderRequest';
import type { ItemCall } from '../../../../../nodes/BrlPayments/item';
import type { ExecutionFacts } from '../../../../../nodes/BrlPayments/orders/execution';
import { checkOwnKey, KeyOnly, settleByKey } from '../../../../../nodes/BrlPayments/orders/keyOnly';
import type { Root } from '../../../../../nodes/BrlPayments/orders/names';
import { KEY_LIFE_MS } from '../../../../../nodes/BrlPayments/orders/protocol';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-27T12:00:00Z');

/** What is said of an order that an earlier attempt may have made. */
function getDoubt(run: () => unknown): Failure {
	try {
		run();
	} catch (error) {
		const { failure } = error as ApiFailure;
		expect(failure).toMatchObject({ code: 'IN_DOUBT', effect: 'unknown' });
		return failure;
	}
	throw new Error('Nothing was refused');
}

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const ROOT: Root = { name: 'root-1', bornAt: NOW, isEvent: false };

interface Given {
	root?: Partial<Root> | null;
	facts?: Partial<ExecutionFacts>;
	operation?: string;
	isLive?: boolean;
	earlier?: Map<string, number>;
	openElsewhere?: string[];
	allowLate?: boolean;
}

/** A run of the node; tests change one aspect. */
function open({
	root,
	facts,
	operation = 'payment.refund',
	isLive = false,
	earlier = new Map<string, number>(),
	openElsewhere = [],
	allowLate,
}: Given = {}) {
	const keys = new KeyOnly(
		{
			...{ executionId: '101', origin: 'origin-1', isAgentTool: false, mode: 'trigger' },
			rootOf: () => (root === null ? undefined : { ...ROOT, ...root }),
			...facts,
		} as ExecutionFacts,
		earlier,
		new Set(openElsewhere),
		operation,
		isLive,
	);
	return (
		inputJson: IDataObject = { row: 1 },
		identity: OrderRequest['identity'] = { paymentId: ID, amount: 1_000 },
		ownKey = '',
		itemIndex = 0,
		body: IDataObject = {},
	) => {
		const call = {
			itemIndex,
			inputJson,
			option: (name: string) => name === 'allowRetryAfter24Hours' && allowLate === true,
		};
		return keys.assign(
			call as unknown as ItemCall,
			{ identity, body } as unknown as OrderRequest,
			ownKey,
		);
	};
}
const keyOf = (given?: Given, ...item: Parameters<ReturnType<typeof open>>) =>
	open(given)(...item).key;

describe('the key of an item', () => {
	test('is the same in each attempt of its execution, for fields and content in any order', () => {
		expect(keyOf()).toMatch(/^n8n-[\w-]{43}$/);
		expect(keyOf({ facts: { executionId: '102', mode: 'retry' } })).toBe(keyOf());
		expect(keyOf({}, { row: 1 }, { amount: 1_000, paymentId: ID, reason: undefined })).toBe(
			keyOf(),
		);
		expect(keyOf({}, { b: { y: 1, x: 2 }, a: 1 })).toBe(keyOf({}, { a: 1, b: { x: 2, y: 1 } }));
		expect(keyOf({}, { row: 1, error: { code: 'TIMEOUT' } })).toBe(keyOf());
	});

	test.each<[string, () => string]>([
		['another operation', () => keyOf({ operation: 'payment.create' })],
		['a live key', () => keyOf({ isLive: true })],
		['another content', () => keyOf({}, { row: 1 }, { paymentId: ID, amount: 2_000 })],
		['another row', () => keyOf({}, { row: 2 })],
	])('is another one for %s', (_, other) => {
		expect(other()).not.toBe(keyOf());
	});

	test('counts rows that are equal: each of them is another order', () => {
		const assign = open();
		const keys = [assign(), assign({ row: 2 }), assign(), assign()].map(({ key }) => key);
		const again = open();

		expect(new Set(keys).size).toBe(4);
		expect([again(), again({ row: 2 }), again(), again()].map(({ key }) => key)).toEqual(keys);
	});

	// A copy of an event has other data, and a second call of an agent too.
	test.each<[string, Given, boolean]>([
		['behind the trigger', { root: { isEvent: true } }, true],
		['of an agent', { facts: { isAgentTool: true } }, false],
	])('%s does not depend on the data of the item', (_, given, isCounted) => {
		const assign = open(given);

		expect(assign({ row: 1 }).key).toBe(keyOf(given, { row: 2 }));
		expect(assign({ row: 1 }).key === keyOf(given)).toBe(!isCounted);
	});

	test('of an agent is another one for another customer only', () => {
		const charge = (email: string) =>
			keyOf({ facts: { isAgentTool: true } }, {}, { amount: 1_000 }, '', 0, {
				customer: { email },
			});

		expect(charge('ana@example.com')).toBe(charge('ana@example.com'));
		expect(charge('bia@example.com')).not.toBe(charge('ana@example.com'));
	});

	test('goes on counting where earlier rounds and nodes of the execution have stopped', () => {
		const assign = open();
		const { content = '' } = assign();
		const { key } = assign();

		expect(open({ earlier: new Map([[content, 1]]) })().key).toBe(key);
	});

	test('is given to no item that may be one without an answer, unless it comes back with its error', () => {
		const { key, content = '', order } = open()();
		const given = { openElsewhere: [content] };

		expect(getDoubt(() => keyOf(given)).message).toBe(
			'An equal item got no answer earlier in this execution, and this may be the same one',
		);
		expect(keyOf(given, { row: 1, error: { order } })).toBe(key);
		expect(keyOf(given, { row: 2 })).toMatch(/^n8n-/);
	});

	test('comes back with the order of its error, for the same content', () => {
		const { key, content = '', order } = open()();
		const back = { row: 1, error: { order } };
		const later = (): Given => ({ earlier: new Map([[content, 1]]) });

		expect(keyOf(later(), back)).toBe(key);
		expect(keyOf(later(), back, { paymentId: ID, amount: 2_000 })).not.toBe(key);
		const foreign = { row: 1, error: { order: { ...order, name: 'auto-0123456789abcdef' } } };
		expect(keyOf(later(), foreign)).toBe(keyOf(later()));
	});

	test('without a root is that of this execution of this n8n', () => {
		const [one, other, elsewhere] = [
			keyOf({ root: null }),
			keyOf({ root: null, facts: { executionId: '102' } }),
			keyOf({ root: null, facts: { origin: 'origin-2' } }),
		];
		expect(new Set([one, other, elsewhere]).size).toBe(3);
	});

	test('is a new one after a failure that the service keeps', () => {
		const request = open()();
		const keys = [request.key];
		request.useNextKey();
		keys.push(request.key);
		request.useNextKey();
		keys.push(request.key);

		expect(new Set(keys).size).toBe(3);
		const again = open()();
		again.useNextKey();
		expect(again.key).toBe(keys[1]);
	});
});

describe("a key of the user's own", () => {
	test.each(['invoice-1042', 'x', '!~', 'x'.repeat(100)])('may be %o', (key) => {
		expect(checkOwnKey(key)).toBe(key);
		expect(open()({}, {}, key)).toMatchObject({ key, hasOwnKey: true, hasNextKey: false });
	});

	const UNSUITABLE = 'has spaces or characters that a header cannot contain';

	test.each([
		['with a blank', 'invoice 1042', UNSUITABLE],
		['with an accent', 'fatura-março', UNSUITABLE],
		['with a line break', 'invoice\r\nX-Evil: 1', UNSUITABLE],
		['that begins with a blank, as long as allowed', ' '.padEnd(100, 'x'), UNSUITABLE],
		['that is empty', '', UNSUITABLE],
		['that is too long', 'x'.repeat(101), 'has 101 characters, and at most 100 are allowed'],
	])('is refused %s', (_, key, fault) => {
		const { message, remedy } = getRefusal(() => checkOwnKey(key));
		expect(message).toBe(`The idempotency key ${fault}`);
		expect(remedy).toContain('Use only letters');
	});

	test('belongs to one item: the others would not take effect', () => {
		const assign = open();
		assign({}, {}, 'invoice-1', 0);
		assign({}, {}, 'invoice-2', 1);

		expect(getRefusal(() => assign({}, {}, 'invoice-1', 2)).message).toBe(
			'Rows 1 and 3 have the same idempotency key, so only one of them would take effect',
		);
	});
});

describe('the age of a key', () => {
	const RETRY: Given = { facts: { mode: 'retry' } };
	const EVENT: Given = { root: { isEvent: true }, isLive: true };
	const at = (given: Given, bornAt: number | undefined): Given => ({
		...given,
		...(given.root === null ? {} : { root: { ...given.root, bornAt } }),
	});
	const DEAD = NOW - KEY_LIFE_MS;

	test.each<[string, Given, string | undefined]>([
		['a first attempt in an execution that has waited', at({}, DEAD), undefined],
		['a retry within a day', at(RETRY, DEAD + 1), undefined],
		['a retry a day later', at(RETRY, DEAD), 'This execution began on 2026-11-26 09:10'],
		['a retry of unknown age', { ...RETRY, root: null }, 'it is not known when it began'],
		['a retry a day later that is allowed', { ...at(RETRY, DEAD), allowLate: true }, undefined],
		['an event that is run again days later, live', at(EVENT, DEAD), 'began on 2026-11-26'],
		[
			'an event that is run again days later, test',
			{ ...at(EVENT, DEAD), isLive: false },
			undefined,
		],
	])('of %s is looked at before anything is sent', (_, given, refusal) => {
		const request = open(given)();
		if (refusal === undefined) return expect(() => request.beforeAttempt(NOW)).not.toThrow();
		const { message, description } = getDoubt(() => request.beforeAttempt(NOW));

		expect(message).toContain(refusal);
		expect(description).toContain('Allow Retry After 24 Hours');
	});

	test('counts from the first attempt of the run, and stops one that has waited too long', () => {
		const request = open()();
		expect(request.retrySafeUntil).toBeUndefined();
		request.beforeAttempt(NOW);
		request.beforeAttempt(NOW + KEY_LIFE_MS - 1);

		expect(request.firstUsedAt).toBe(NOW);
		expect(request.retrySafeUntil).toBe(NOW + KEY_LIFE_MS);
		expect(() => request.beforeAttempt(NOW + KEY_LIFE_MS)).toThrow();
	});

	test('of an own key is not known: other executions may have used it', () => {
		const request = open(at(RETRY, DEAD))({}, {}, 'invoice-1');
		request.beforeAttempt(NOW);

		expect(request.retrySafeUntil).toBeUndefined();
		expect(request.isRetry).toBe(false);
		expect(() => request.beforeAttempt(NOW + KEY_LIFE_MS)).toThrow();
	});

	test('that nobody knows is not counted from', () => {
		const request = open({ ...RETRY, root: null, allowLate: true })();
		request.beforeAttempt(NOW);

		expect(request.retrySafeUntil).toBeUndefined();
	});
});

test('what is unknown stays so after a refusal, and not after a success', () => {
	const outcome = { kind: 'unclear', cause: 'timeout', status: null, neverSent: false } as const;
	const request = open()();
	const seen = [request.isUnclear];
	request.recordOutcome(outcome, 'unknown');
	request.recordOutcome(outcome, 'none');
	seen.push(request.isUnclear);
	request.recordSuccess();
	seen.push(request.isUnclear);
	request.recordOutcome(outcome, 'unknown');
	request.recordUsedUp();

	expect([...seen, request.isUnclear]).toEqual([false, true, false, false]);
});

describe('after a success', () => {
	const settle = async (given: Given, current?: OrderRequest['current'], id = ID) => {
		const stored = { id, status: 'NEW', pixCode: '000201' };
		const call = { sendOrder: async () => await Promise.resolve(stored) };
		const request = open(given)();
		const { json } = await settleByKey(
			call as unknown as ItemCall,
			{ body: { externalId: 'PED-1' }, ...(current && { current }) } as unknown as OrderRequest,
			request,
		);
		return json;
	};
	const RETRY: Given = { facts: { mode: 'retry' } };
	const paid = async () => await Promise.resolve({ id: ID, status: 'PAID', externalId: null });
	const gone = async () =>
		await Promise.reject<never>(
			new ApiFailure({ code: 'NOT_FOUND', message: '', description: '', effect: 'none' }),
		);

	// The service may have stored the answer a day ago.
	test.each<[string, Given, OrderRequest['current'], string]>([
		['in a retry the record is read again', RETRY, paid, 'PAID'],
		['in a retry it stays if the record cannot be read', RETRY, gone, 'NEW'],
		['in a retry it stays if there is no record to read', RETRY, undefined, 'NEW'],
	])('%s', async (_, given, current, status) => {
		expect(await settle(given, current)).toEqual({
			...{ id: ID, status, pixCode: '000201' },
			// The service need not show it.
			externalId: 'PED-1',
		});
	});

	test('in a retry it stays if it shows no ID', async () => {
		expect((await settle(RETRY, paid, 'none')).status).toBe('NEW');
	});

	test('in a retry it fails with what is no answer of the service', async () => {
		const broken = async () => await Promise.reject<never>(new TypeError('broken'));
		await expect(settle(RETRY, broken)).rejects.toThrow('broken');
	});
});
