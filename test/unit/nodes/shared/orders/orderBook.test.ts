import {
	KEY_LIFE_MS,
	keyOfGeneration,
	toKeyId,
	firstReferenceKey,
	type Identity,
} from '../../../../../nodes/shared/orders/key';
import type { Order } from '../../../../../nodes/shared/orders/order';
import {
	OrderBook,
	type AdoptedKey,
	type OrderRequest,
} from '../../../../../nodes/shared/orders/orderBook';
import { parseReference } from '../../../../../nodes/shared/orders/reference';
import { refused, silent } from '../../../support/failedRequest';
import {
	fakeNodeContext,
	savedAndLoaded,
	type NodeContextOptions,
} from '../../../support/nodeContext';
import { getRefusal } from '../../../support/refusal';

const MARIA: Identity = { amount: 1000, pixKey: 'maria@customer.example', document: undefined };
const JOAO: Identity = { ...MARIA, pixKey: 'joao@customer.example' };
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** Each test has its own time, since the process remembers which execution uses which key. */
let moment = Date.parse('2026-11-21T12:00:00Z');
beforeEach(() => {
	moment += 1;
});

const run = (options: NodeContextOptions = {}) => {
	const { context, nodeContext } = fakeNodeContext({ establishedAt: moment, ...options });
	return { book: new OrderBook(context), saved: () => savedAndLoaded(nodeContext) };
};
type Run = ReturnType<typeof run>;

/** The retry of an execution that n8n has saved. */
const retry = ({ saved }: Run, options: NodeContextOptions = {}) =>
	run({ nodeContext: saved(), mode: 'retry', executionId: '999', ...options });

/** A payout of ten reais to Maria; tests change one aspect. */
const asking = (changed: Partial<OrderRequest> = {}): OrderRequest => ({
	operation: 'withdrawal.create',
	identity: MARIA,
	ownKey: '',
	keyId: 'key-id-1',
	keyPrefix: 'brlpay_test_examplekid',
	isLive: false,
	allowLate: false,
	...changed,
});

const assignAll = ({ book }: Run, ...requests: OrderRequest[]) =>
	requests.map((request, item) => book.assign(item, request));
const getKeys = (given: Run, ...requests: OrderRequest[]) =>
	assignAll(given, ...requests).map(({ key }) => key);

/** Three items, of which two pay the same. */
const LIST = [asking(), asking(), asking({ identity: JOAO })];

const lose = (order: Order) => {
	order.beforeAttempt(moment + 1000);
	order.recordOutcome(silent('timeout'), 'unknown', moment + 2000);
};
const succeed = (order: Order) => {
	order.beforeAttempt(moment + 1000);
	order.recordSuccess(moment + 2000, { id: ID });
};
const refuse = (order: Order) => {
	order.beforeAttempt(moment + 1000);
	order.recordOutcome(refused('INSUFFICIENT_BALANCE'), 'none', moment + 2000);
};

describe('automatic keys', () => {
	test.each<[string, (first: Run) => Run]>([
		['Retry On Fail runs the node again', (first) => run({ nodeContext: first.saved() })],
		['the execution is retried', (first) => retry(first, { establishedAt: moment + 60_000 })],
		[
			'n8n was killed and nothing but the time survived',
			() => run({ executionId: '999', mode: 'retry' }),
		],
	])('are the same when %s', (_, toNext) => {
		const first = run();
		const keys = getKeys(first, ...LIST);

		expect(new Set(keys).size).toBe(3);
		expect(getKeys(toNext(first), ...LIST)).toEqual(keys);
	});

	test('are the same after a kill where rows have changed places', () => {
		const keys = getKeys(run(), ...LIST);
		const turned = run({ executionId: '999', mode: 'retry' });

		expect(getKeys(turned, ...[...LIST].reverse()).sort()).toEqual([...keys].sort());
	});

	test.each<[string, NodeContextOptions]>([
		['workflows', { workflowId: 'workflow-2' }],
		['n8n instances', { instanceId: 'instance-2' }],
	])('differ between %s', (_, options) => {
		expect(getKeys(run(options), asking())).not.toEqual(getKeys(run(), asking()));
	});

	test('rely on the execution ID in an n8n that does not say the time', () => {
		const old = { establishedAt: null, executionId: `old-${moment}` };
		const first = run(old);
		const keys = getKeys(first, ...LIST);

		expect(getKeys(run(old), ...LIST)).toEqual(keys);
		expect(getKeys(run({ ...old, executionId: 'other' }), ...LIST)).not.toEqual(keys);
		expect(getKeys(retry(first, { establishedAt: null }), ...LIST)).toEqual(keys);
	});
});

describe('executions established in the same millisecond', () => {
	const resumeUrl = 'https://n8n.example/webhook-waiting/201';

	test.each(['trigger', 'retry'] as const)(
		'are not taken for one on an n8n that gives them no token: %s',
		(mode) => {
			const keys = getKeys(run({ executionId: '201', mode, resumeUrl }), asking());

			expect(getKeys(run({ executionId: '201', mode, resumeUrl }), asking())).toEqual(keys);
			expect(() => getKeys(run({ executionId: '202', mode, resumeUrl }), asking())).toThrow(
				'Execution 201 has asked for the same',
			);
		},
	);
});

describe('in a retry, an item that was sent', () => {
	const sent = (happens: (order: Order) => void) => {
		const first = run();
		const [, order] = assignAll(first, ...LIST) as [Order, Order];
		happens(order);
		return { key: order.key, again: retry(first) };
	};
	const corrected = asking({ identity: { ...MARIA, document: '52998224725' } });

	test.each([
		['succeeded', succeed],
		['was lost', lose],
	])('and %s keeps its order, whatever is asked for now', (_, happens) => {
		const { key, again } = sent(happens);
		const order = again.book.assign(1, corrected);

		expect([order.key, order.change]).toEqual([key, 'changed']);
	});

	test.each<[string, Partial<OrderRequest>, Order['change']]>([
		['another API key, which does not change what is asked for', { keyId: 'key-id-2' }, 'none'],
		['a live key instead of a test key', { isLive: true }, 'changed'],
		[
			'a reference, which another retry may not have had',
			{ reference: parseReference('NF-1042') },
			'none',
		],
		['an own key', { ownKey: 'invoice-1042' }, 'changed'],
	])('counts with %s as asked for: %s', (_, changed, place) => {
		expect(sent(succeed).again.book.assign(1, asking(changed)).change).toBe(place);
	});
});

test('a record contains what a look-up needs, and nothing that it does not', () => {
	const payout = {
		cents: 1000,
		pixKey: { value: 'maria@customer.example', type: 'EMAIL' },
	} as const;
	const { record } = run().book.assign(0, asking({ payout, isLive: true }));

	expect(record).toEqual({
		key: expect.stringMatching(/^n8n-/),
		content: expect.any(String),
		keyId: 'key-id-1',
		isLive: true,
		...payout,
		state: 'new',
		generation: 0,
	});
});

describe('in a retry, rows that have changed places', () => {
	const [maria, joao, ana, rui, eva] = ['maria', 'joao', 'ana', 'rui', 'eva'].map((name) =>
		asking({ identity: { ...MARIA, pixKey: `${name}@customer.example` } }),
	) as [OrderRequest, OrderRequest, OrderRequest, OrderRequest, OrderRequest];

	/** All three were sent with unknown effect; the keys that the rows of the retry get or keep. */
	const keysAfter = (...rows: Array<OrderRequest | undefined>) => {
		const first = run();
		const orders = assignAll(first, maria, joao, ana);
		orders.forEach(lose);
		const { book } = retry(first);
		book.begin(rows);
		return {
			before: orders.map(({ key }) => key),
			after: rows.map((row, index) => {
				return row ? book.assign(index, row).key : book.memory.boundTo(index)?.key;
			}),
		};
	};

	test.each<[string, Array<OrderRequest | undefined>, number[]]>([
		['keep their orders in another order', [joao, ana, maria], [1, 2, 0]],
		['leave each new row the order of its place', [rui, eva, ana], [0, 1, 2]],
		['keep their orders in a shorter list', [ana, maria], [2, 0]],
		['leave the rest to a row that cannot be read', [undefined, maria, ana], [1, 0, 2]],
	])('%s', (_, rows, places) => {
		const { before, after } = keysAfter(...rows);
		expect(after).toEqual(places.map((place) => before[place]));
	});

	test('keep their orders behind rows that are new', () => {
		const { before, after } = keysAfter(rui, maria, joao, ana, eva);
		expect(after.slice(1, 4)).toEqual(before);
		expect(new Set(after).size).toBe(5);
	});
});

describe("the user's own key", () => {
	const own = (ownKey = 'invoice-1042', changed: Partial<OrderRequest> = {}) =>
		asking({ ownKey, ...changed });

	test('is refused for all items that share it, before any of them is sent', () => {
		const reference = parseReference('NF-1');
		const shared = run().book.begin([
			own('invoice-3'),
			own('invoice-1'),
			own('invoice-2'),
			own('invoice-1'),
			undefined,
			asking(),
			asking(),
			own('invoice-2', { reference }),
		]);

		expect([...shared.keys()]).toEqual([1, 3]);
		for (const { message, remedy, effect } of shared.values()) {
			expect(message).toContain('Rows 2 and 4 have the same idempotency key');
			expect(remedy).toContain('Use an expression that differs per item');
			expect(effect).toBe('none');
		}
	});

	test.each([
		['succeeded', succeed],
		['was lost', lose],
	])('is refused in another round of a loop after one that %s', (_, happens) => {
		const first = run();
		happens(first.book.assign(0, own()));
		const { book } = run({ nodeContext: first.saved(), runIndex: 1 });

		const { message, remedy } = getRefusal(() => book.assign(0, own()));
		expect(message).toContain('An earlier round');
		expect(remedy).toContain('Use an expression that differs per item');
	});

	test('may be used in another round for the item that failed and came back', () => {
		const first = run();
		lose(first.book.assign(0, own()));
		const { book } = run({ nodeContext: first.saved(), runIndex: 1 });
		const adopted = {
			key: 'invoice-1042',
			firstUsedAt: moment,
			content: undefined,
			isUnclear: true,
			lastTriedAt: moment,
		};

		expect(book.assign(0, own('invoice-1042', { adopted })).isUnclear).toBe(true);
	});
});

describe('a reference', () => {
	const named = (reference: string, changed: Partial<OrderRequest> = {}) =>
		asking({ reference: parseReference(reference), ...changed });

	test('has one key, wherever it is paid: the service recognizes it', () => {
		const elsewhere: NodeContextOptions = {
			executionId: '102',
			establishedAt: 1,
			workflowId: 'workflow-2',
			nodeId: 'node-2',
			nodeName: 'Pay Fees',
			instanceId: 'instance-2',
		};
		expect(getKeys(run(elsewhere), named('NF-1'))).toEqual(getKeys(run(), named('NF-1')));
	});

	const adopted = (reference?: string) => ({
		key: 'n8n-adopted',
		firstUsedAt: moment,
		content: undefined,
		reference,
		isUnclear: true,
		lastTriedAt: moment,
	});

	test('comes before an own key and before an adopted one', () => {
		const request = named('NF-1', { ownKey: 'invoice-1', adopted: adopted('NF-1') });
		const order = run().book.assign(0, request);

		expect(order.kind).toBe('reference');
		expect(order.isUnclear).toBe(false);
	});

	test.each([[undefined], ['NF-2']])(
		'is refused with the error of an attempt under %s',
		(other) => {
			const request = named('NF-1', { adopted: adopted(other) });

			expect(() => run().book.assign(0, request)).toThrow(
				'error of an attempt without this reference',
			);
		},
	);

	test.each([
		['took effect', succeed],
		['may have taken effect', lose],
		['surely had no effect', refuse],
	])('that %s stays the same order for other content: the service judges that', (_, happens) => {
		const first = run();
		happens(first.book.assign(0, named('NF-1')));
		const [before] = getKeys(run(), named('NF-1'));
		const later = [
			run({ nodeContext: first.saved() }),
			run({ nodeContext: first.saved(), runIndex: 1 }),
			retry(first),
		];

		for (const { book } of later) {
			const order = book.assign(0, named('NF-1', { identity: JOAO }));
			expect([order.key, order.change]).toEqual([before, 'none']);
			expect(order.record.state).not.toBe('new');
		}
	});

	test('that is filled in for a retry does not name the order that was sent before', () => {
		const first = run();
		lose(first.book.assign(0, asking()));
		const order = retry(first).book.assign(0, named('NF-1'));

		expect([order.kind, order.change, order.reference]).toEqual(['automatic', 'none', undefined]);
		expect(order.isUnclear).toBe(true);
	});

	test('that is corrected in a retry is another order where the earlier one had no effect', () => {
		const first = run();
		refuse(first.book.assign(0, named('NF-1')));
		const order = retry(first).book.assign(0, named('NF-2'));

		expect([order.kind, order.change, order.record.state]).toEqual([
			'reference',
			'corrected',
			'new',
		]);
		expect(order.key).toBe(firstReferenceKey(named('NF-2')));
	});
});

describe('an order that the service refused for good under its key', () => {
	const usedUp = (request = asking()) => {
		const first = run();
		const order = first.book.assign(0, request);
		refuse(order);
		order.recordUsedUp();
		return { first, key: order.key };
	};

	test.each<[string, NodeContextOptions]>([
		['with Retry On Fail', {}],
		['where it comes back in a loop', { runIndex: 1 }],
	])('keeps that key in the same execution: %s', (_, options) => {
		const { first, key } = usedUp();
		const adopted = { key, firstUsedAt: moment, content: undefined };
		const request = asking({ adopted: { ...adopted, isUnclear: false, lastTriedAt: moment } });
		const { book } = run({ nodeContext: first.saved(), ...options });

		expect(book.assign(0, request).key).toBe(key);
	});

	test('uses the next key in a retry of the execution, once', () => {
		const { first, key } = usedUp();
		const second = retry(first);
		const next = second.book.assign(0, asking());
		expect(next.key).toBe(keyOfGeneration(key, 1));

		for (const again of [run({ nodeContext: second.saved() }), retry(second)]) {
			expect(again.book.assign(0, asking()).key).toBe(next.key);
		}
	});

	test('keeps that key after a later attempt under it got no answer: it may have paid', () => {
		const first = run();
		const order = first.book.assign(0, asking());
		order.beforeAttempt(moment);
		order.recordUsedUp();
		lose(order);

		expect(retry(first).book.assign(0, asking()).key).toBe(order.key);
	});
});

describe('a failed item that comes back', () => {
	const adopted = (changed: Partial<AdoptedKey> = {}): AdoptedKey => ({
		key: 'n8n-adopted',
		firstUsedAt: moment - 60_000,
		content: undefined,
		isUnclear: true,
		lastTriedAt: moment - 1_000,
		...changed,
	});
	const back = (changed: Partial<AdoptedKey> = {}, request: Partial<OrderRequest> = {}) =>
		asking({ adopted: adopted(changed), ...request });

	test('is the order that its key names, as old as that key', () => {
		const order = run().book.assign(0, back());

		expect([order.key, order.kind, order.change]).toEqual(['n8n-adopted', 'adopted', 'none']);
		expect(order.record).toMatchObject({ state: 'unclear', lastTriedAt: moment - 1_000 });
		expect(order.retrySafeUntil).toBe(moment - 60_000 + KEY_LIFE_MS);
	});

	test('in a retry that lacks attempts is not known to have had no effect', () => {
		const { book } = run({ mode: 'retry' });

		expect(book.assign(0, back({ isUnclear: false })).record.state).toBe('new');
	});

	test('with the key of its own content keeps it', () => {
		const { book } = run();
		const order = book.assign(0, back({ content: book.contentOf(asking()) }));

		expect(order.key).toBe('n8n-adopted');
	});

	test('with the key of other content that surely had no effect is a new order', () => {
		const order = run().book.assign(0, back({ content: 'other', isUnclear: false }));

		expect([order.kind, order.record.state]).toEqual(['automatic', 'new']);
		expect(order.key).not.toBe('n8n-adopted');
	});

	test('with the key of other content that is in doubt is refused: it may be its corrected row', () => {
		const refused = getRefusal(() => run().book.assign(0, back({ content: 'other' })));

		expect(refused.message).toContain('carries the error of an attempt with other content');
		expect(refused.effect).toBe('unknown');
	});

	test('is refused if two items bring the same key, unless it is that of another payment', () => {
		const foreign = back({ content: 'other', isUnclear: false });

		expect([...run().book.begin([back(), back(), foreign, foreign]).keys()]).toEqual([0, 1]);
	});

	test.each<[string, (order: Order) => void, string]>([
		['may have taken effect keeps its order', lose, 'changed'],
		['surely had no effect is a new order', refuse, 'none'],
	])('and was corrected after an attempt that %s', (_, happens, place) => {
		const first = run();
		const order = first.book.assign(0, asking());
		happens(order);
		const { book } = run({ nodeContext: first.saved(), runIndex: 1 });
		const corrected = back({ key: order.key }, { identity: JOAO });
		const again = book.assign(0, corrected);

		expect(again.change).toBe(place);
		expect(again.key === order.key).toBe(place === 'changed');
	});
});

describe('as a tool of an agent', () => {
	const TOOL = { nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool' };

	test('a call is bound to no place: a retried agent calls in another order', () => {
		const first = run(TOOL);
		lose(first.book.assign(0, asking()));
		const { book } = retry(first, TOOL);

		expect(book.memory.boundTo(0)).toBeUndefined();
		expect(book.assign(0, asking({ identity: JOAO })).change).toBe('none');
	});
});

test('a run is a repetition in a retry and with Retry On Fail, not in the next round', () => {
	const first = run();
	assignAll(first, asking());
	const runs = [
		first,
		run({ nodeContext: first.saved() }),
		run({ nodeContext: first.saved(), runIndex: 1 }),
		run({ mode: 'retry' }),
	];

	expect(runs.map(({ book }) => book.isRepetition)).toEqual([false, true, false, true]);
});

test('an API key is named without showing its key', () => {
	const name = toKeyId('https://api.example.com', 'brlpay_test_examplekid');

	expect(name).not.toContain('examplekid');
	expect(toKeyId('https://api.example.com', 'brlpay_test_exampleoth')).not.toBe(name);
	expect(toKeyId('https://other.example.com', 'brlpay_test_examplekid')).not.toBe(name);
});

describe('what an earlier attempt may have done to an item that fails a check', () => {
	const effect = (before: Run) => before.book.effectBefore(0).effect;
	const after = (happens: (order: Order) => void) => {
		const first = run();
		happens(first.book.assign(0, asking()));
		return first;
	};

	test('is nothing if the item was never bound', () => {
		expect([effect(run()), effect(retry(run()))]).toEqual(['none', 'none']);
	});

	test.each([
		['succeeded', succeed, 'done', 'done'],
		['was lost', lose, 'unknown', 'unknown'],
		['was refused, which another retry may have sent again', refuse, 'none', 'unknown'],
	])('is known if it %s', (_, happens, inExecution, inRetry) => {
		const first = after(happens);

		expect(effect(run({ nodeContext: first.saved() }))).toBe(inExecution);
		expect(effect(retry(first))).toBe(inRetry);
	});
});

test('a corrected row with a reference counts with what it pays now', () => {
	const pixKey = { value: 'maria@customer.example', type: 'EMAIL' } as const;
	const reference = parseReference('NF-1');
	const first = run();
	first.book
		.assign(0, asking({ reference, payout: { cents: 1_000, pixKey } }))
		.beforeAttempt(moment);
	const second = retry(first);
	const corrected = asking({ reference, payout: { cents: 9_000, pixKey } });
	second.book.assign(0, corrected).recordSuccess(moment, { id: ID });

	expect(second.book.memory.spentBesides(new Set())).toBe(9_000);
});
