import {
	KEY_LIFE_MS,
	keyOfGeneration,
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
const TO_MARIA = { value: 'maria@customer.example', type: 'EMAIL' } as const;

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

/** The same execution: Retry On Fail, or what the options say. */
const again = ({ saved }: Run, options: NodeContextOptions = {}) =>
	run({ nodeContext: saved(), ...options });
const inLoop = (first: Run) => again(first, { runIndex: 1 });
/** The retry of an execution that n8n has saved. */
const retry = (first: Run, options: NodeContextOptions = {}) =>
	again(first, { mode: 'retry', executionId: '999', ...options });
/** The retry of an execution of which nothing but the time has survived. */
const retryAfterKill = () => run({ mode: 'retry', executionId: '999' });

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
const named = (reference: string, changed: Partial<OrderRequest> = {}) =>
	asking({ reference: parseReference(reference), ...changed });
const own = (ownKey = 'invoice-1042', changed: Partial<OrderRequest> = {}) =>
	asking({ ownKey, ...changed });

/** What the error of an attempt that may have paid left on its item; tests change one aspect. */
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

const getKeys = ({ book }: Run, ...requests: OrderRequest[]) =>
	requests.map((request, item) => book.assign(item, request).key);

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

/** An execution whose only item came to this. */
const after = (happens: (order: Order) => void, request = asking()) => {
	const first = run();
	const order = first.book.assign(0, request);
	happens(order);
	return { first, order };
};

describe('automatic keys', () => {
	test.each<[string, (first: Run) => Run]>([
		['Retry On Fail runs the node again', again],
		['the execution is retried', (first) => retry(first, { establishedAt: moment + 60_000 })],
		['n8n was killed and nothing but the time survived', retryAfterKill],
	])('are the same when %s', (_, toNext) => {
		const first = run();
		const keys = getKeys(first, ...LIST);

		expect(new Set(keys).size).toBe(3);
		expect(getKeys(toNext(first), ...LIST)).toEqual(keys);
	});

	test('are the same after a kill where rows have changed places', () => {
		const keys = getKeys(run(), ...LIST);

		expect(getKeys(retryAfterKill(), ...[...LIST].reverse()).sort()).toEqual([...keys].sort());
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

	test('are not shared by executions of one millisecond that have no token', () => {
		const untold = { resumeUrl: 'https://n8n.example/webhook-waiting/201', executionId: '201' };
		const keys = getKeys(run(untold), asking());

		expect(getKeys(run(untold), asking())).toEqual(keys);
		expect(() => getKeys(run({ ...untold, executionId: '202' }), asking())).toThrow(
			'Execution 201 has asked for the same',
		);
	});
});

describe('in a retry, an item that was sent', () => {
	const corrected: Partial<OrderRequest> = { identity: { ...MARIA, document: '52998224725' } };

	test.each<[string, (order: Order) => void, Partial<OrderRequest>, Order['change']]>([
		['succeeded, with other content', succeed, corrected, 'changed'],
		['was lost, with other content', lose, corrected, 'changed'],
		['succeeded, with another API key', succeed, { keyId: 'key-id-2' }, 'none'],
		['succeeded, with a live key instead of a test key', succeed, { isLive: true }, 'changed'],
		['succeeded, with an own key', succeed, { ownKey: 'invoice-1042' }, 'changed'],
	])('and %s keeps its order', (_, happens, changed, change) => {
		const { first, order } = after(happens);
		const known = retry(first).book.assign(0, asking(changed));

		expect([known.key, known.change]).toEqual([order.key, change]);
	});
});

test('a record contains what a look-up needs, and nothing that it does not', () => {
	const payout = { cents: 1000, pixKey: TO_MARIA };
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
	const to = (name: string) =>
		asking({ identity: { ...MARIA, pixKey: `${name}@customer.example` } });

	test.each<[string, Array<string | undefined>, Array<number | undefined>]>([
		['keep their orders', ['joao', 'ana', 'maria'], [1, 2, 0]],
		['leave the rest to a row that cannot be read', [undefined, 'maria', 'ana'], [1, 0, 2]],
		[
			'keep their orders behind rows that are new',
			['rui', 'maria', 'joao', 'ana', 'eva'],
			[undefined, 0, 1, 2, undefined],
		],
	])('%s', (_, names, places) => {
		const first = run();
		const before = ['maria', 'joao', 'ana'].map((name, item) => {
			const order = first.book.assign(item, to(name));
			lose(order);
			return order.key;
		});
		const rows = names.map((name) => name && to(name)) as Array<OrderRequest | undefined>;
		const { book } = retry(first);
		book.begin(rows);

		const keys = rows.map((row, item) =>
			row ? book.assign(item, row).key : book.memory.boundTo(item)?.key,
		);
		expect(keys).toEqual(
			places.map((place) => (place === undefined ? expect.any(String) : before[place])),
		);
		expect(new Set(keys).size).toBe(rows.length);
	});
});

describe("the user's own key", () => {
	test('is refused for all items that share it, before any of them is sent', () => {
		const shared = run().book.begin([
			own('invoice-3'),
			own('invoice-1'),
			own('invoice-2'),
			own('invoice-1'),
			undefined,
			asking(),
			asking(),
			named('NF-1', { ownKey: 'invoice-2' }),
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
		const { first } = after(happens, own());
		const { message, remedy } = getRefusal(() => inLoop(first).book.assign(0, own()));

		expect(message).toContain('An earlier round');
		expect(remedy).toContain('Use an expression that differs per item');
	});

	test('may be used in another round for the item that failed and came back', () => {
		const { first } = after(lose, own());
		const request = back({ key: 'invoice-1042' }, { ownKey: 'invoice-1042' });

		expect(inLoop(first).book.assign(0, request).isUnclear).toBe(true);
	});
});

describe('a reference', () => {
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

	test('comes before an own key and before an adopted one', () => {
		const request = { ownKey: 'invoice-1', adopted: adopted({ reference: 'NF-1' }) };
		const { kind, isUnclear } = run().book.assign(0, named('NF-1', request));

		expect([kind, isUnclear]).toEqual(['reference', false]);
	});

	test.each([[undefined], ['NF-2']])(
		'is refused with the error of an attempt under %s',
		(reference) => {
			const request = named('NF-1', { adopted: adopted({ reference }) });

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
		const { first, order } = after(happens, named('NF-1'));

		for (const { book } of [again(first), inLoop(first), retry(first)]) {
			const known = book.assign(0, named('NF-1', { identity: JOAO }));
			expect([known.key, known.change]).toEqual([order.key, 'none']);
			expect(known.record.state).not.toBe('new');
		}
	});

	test('that is filled in for a retry does not name the order that was sent before', () => {
		const { first } = after(lose);

		expect(retry(first).book.assign(0, named('NF-1'))).toMatchObject({
			kind: 'automatic',
			change: 'none',
			isUnclear: true,
			reference: undefined,
		});
	});

	test('that is corrected in a retry is another order where the earlier one had no effect', () => {
		const { first } = after(refuse, named('NF-1'));
		const order = retry(first).book.assign(0, named('NF-2'));

		expect([order.kind, order.change]).toEqual(['reference', 'corrected']);
		expect([order.record.state, order.key]).toEqual(['new', firstReferenceKey(named('NF-2'))]);
	});

	test('counts in a corrected row with what that pays now', () => {
		const paying = (cents: number) => named('NF-1', { payout: { cents, pixKey: TO_MARIA } });
		const { first } = after((order) => order.beforeAttempt(moment), paying(1_000));
		const { book } = retry(first);
		succeed(book.assign(0, paying(9_000)));

		expect(book.memory.spentBesides(new Set())).toBe(9_000);
	});
});

describe('an order that the service refused for good under its key', () => {
	const useUp = (order: Order) => {
		refuse(order);
		order.recordUsedUp();
	};

	test.each([
		['with Retry On Fail', again],
		['where it comes back in a loop', inLoop],
	])('keeps that key in the same execution: %s', (_, toNext) => {
		const { first, order } = after(useUp);
		const request = back({ key: order.key, isUnclear: false });

		expect(toNext(first).book.assign(0, request).key).toBe(order.key);
	});

	test('uses the next key in a retry of the execution, once', () => {
		const { first, order } = after(useUp);
		const second = retry(first);
		const next = keyOfGeneration(order.key, 1);

		expect(getKeys(second, asking())).toEqual([next]);
		expect(getKeys(again(second), asking())).toEqual([next]);
		expect(getKeys(retry(second), asking())).toEqual([next]);
	});

	test('keeps that key after a later attempt under it got no answer: it may have paid', () => {
		const { first, order } = after((used) => {
			useUp(used);
			lose(used);
		});

		expect(getKeys(retry(first), asking())).toEqual([order.key]);
	});
});

describe('a failed item that comes back', () => {
	test('is the order that its key names, as old as that key', () => {
		for (const content of [undefined, run().book.contentOf(asking())]) {
			const order = run().book.assign(0, back({ content }));
			expect([order.key, order.kind, order.change]).toEqual(['n8n-adopted', 'adopted', 'none']);
			expect(order.record).toMatchObject({ state: 'unclear', lastTriedAt: moment - 1_000 });
			expect(order.retrySafeUntil).toBe(moment - 60_000 + KEY_LIFE_MS);
		}
	});

	test('in a retry that lacks attempts is not known to have had no effect', () => {
		const { book } = run({ mode: 'retry' });

		expect(book.assign(0, back({ isUnclear: false })).record.state).toBe('new');
	});

	test('with the key of other content that surely had no effect is a new order', () => {
		const order = run().book.assign(0, back({ content: 'other', isUnclear: false }));

		expect([order.kind, order.record.state]).toEqual(['automatic', 'new']);
		expect(order.key).not.toBe('n8n-adopted');
	});

	test('with the key of other content that is in doubt is refused: it may be its corrected row', () => {
		const { message, effect } = getRefusal(() => run().book.assign(0, back({ content: 'other' })));

		expect(message).toContain('carries the error of an attempt with other content');
		expect(effect).toBe('unknown');
	});

	test('is refused if two items bring the same key, unless it is that of another payment', () => {
		const foreign = back({ content: 'other', isUnclear: false });

		expect([...run().book.begin([back(), back(), foreign, foreign]).keys()]).toEqual([0, 1]);
	});

	test.each<[string, (order: Order) => void, string]>([
		['may have taken effect keeps its order', lose, 'changed'],
		['surely had no effect is a new order', refuse, 'none'],
	])('and was corrected after an attempt that %s', (_, happens, change) => {
		const { first, order } = after(happens);
		const known = inLoop(first).book.assign(0, back({ key: order.key }, { identity: JOAO }));

		expect(known.change).toBe(change);
		expect(known.key === order.key).toBe(change === 'changed');
	});
});

test('a call of an agent is bound to no place: a retried agent calls in another order', () => {
	const tool = { nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool' };
	const first = run(tool);
	lose(first.book.assign(0, asking()));
	const { book } = retry(first, tool);

	expect(book.memory.boundTo(0)).toBeUndefined();
	expect(book.assign(0, asking({ identity: JOAO })).change).toBe('none');
});

test('a run is a repetition in a retry and with Retry On Fail, not in the next round', () => {
	const first = run();
	getKeys(first, asking());
	const runs = [first, again(first), inLoop(first), run({ mode: 'retry' })];

	expect(runs.map(({ book }) => book.isRepetition)).toEqual([false, true, false, true]);
});

describe('what an earlier attempt may have done to an item that fails a check', () => {
	const effect = ({ book }: Run) => book.effectBefore(0).effect;

	test('is nothing if the item was never bound', () => {
		expect([effect(run()), effect(retry(run()))]).toEqual(['none', 'none']);
	});

	test.each([
		['succeeded', succeed, 'done', 'done'],
		['was lost', lose, 'unknown', 'unknown'],
		['was refused, which another retry may have sent again', refuse, 'none', 'unknown'],
	])('is known if it %s', (_, happens, inExecution, inRetry) => {
		const { first } = after(happens);

		expect([effect(again(first)), effect(retry(first))]).toEqual([inExecution, inRetry]);
	});
});
