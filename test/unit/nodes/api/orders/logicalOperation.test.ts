import { ApiFailure } from '../../../../../nodes/api/failure';
import type { Identity } from '../../../../../nodes/api/idempotency/key';
import {
	LogicalOperations,
	type LogicalOperation,
} from '../../../../../nodes/api/idempotency/logicalOperation';
import { KEY_LIFETIME_MS } from '../../../../../nodes/api/idempotency/window';
import {
	fakeNodeContext,
	savedAndLoaded,
	type NodeContextOptions,
} from '../../../support/nodeContext';
import { refusalOf } from '../../../support/refusal';

const PAYOUT: Identity = { amount: 1000, pixKey: 'maria@customer.example', document: undefined };
const OTHER: Identity = { ...PAYOUT, amount: 2000 };

/** Each test has a moment of its own, since the process remembers which execution uses which key. */
let moment = Date.parse('2026-11-21T12:00:00Z');
beforeEach(() => {
	moment += 1;
});

const run = (options: NodeContextOptions = {}) => {
	const { context, nodeContext } = fakeNodeContext({ establishedAt: moment, ...options });
	return { operations: new LogicalOperations(context), nodeContext };
};

const open = (operations: LogicalOperations, itemIndex = 0, identity = PAYOUT, ownKey = '') =>
	operations.open(itemIndex, identity, { ownKey, allowLate: false });

const keysOf = (operations: LogicalOperations) => [
	open(operations, 0).key,
	open(operations, 1).key,
	open(operations, 2, OTHER).key,
];

/** As the client does when an attempt is about to go out. */
const attempt = (operation: LogicalOperation, now = moment + 1000) => operation.beforeAttempt(now);

describe('executions that copies of one delivery have started', () => {
	const copy = (executionId: string, deliveryId = 'delivery-1') =>
		run({
			executionId,
			establishedAt: moment + Number(executionId),
			parents: [
				{
					name: 'On Payment',
					type: 'n8n-nodes-brl-payments.brlPaymentsTrigger',
					outputs: [[{ deliveryId, receivedAt: new Date(moment).toISOString() }]],
				},
			],
		});

	test('share their keys', () => {
		const keys = keysOf(copy('101', `delivery of ${moment}`).operations);

		expect(keysOf(copy('102', `delivery of ${moment}`).operations)).toEqual(keys);
	});

	test('share none with another delivery', () => {
		const keys = keysOf(copy('101', 'delivery-1').operations);
		const others = keysOf(copy('101', 'delivery-2').operations);

		expect(others.filter((key) => keys.includes(key))).toEqual([]);
	});
});

describe('keys', () => {
	test('differ between the items of a run', () => {
		expect(new Set(keysOf(run().operations)).size).toBe(3);
	});

	test('are the same when Retry On Fail runs the node again', () => {
		const first = run();
		const keys = keysOf(first.operations);

		expect(keysOf(run({ nodeContext: first.nodeContext }).operations)).toEqual(keys);
	});

	test('are the same when the execution is retried, under whatever execution id', () => {
		const first = run();
		const keys = keysOf(first.operations);
		const retried = run({
			nodeContext: savedAndLoaded(first.nodeContext),
			executionId: '999',
			mode: 'retry',
			establishedAt: moment + 60_000,
		});

		expect(keysOf(retried.operations)).toEqual(keys);
	});

	test('are the same when n8n was killed and nothing but the moment survived', () => {
		const keys = keysOf(run().operations);

		expect(keysOf(run({ executionId: '999', mode: 'retry' }).operations)).toEqual(keys);
	});

	test('are the same when n8n was killed within a loop and starts again with run index 1', () => {
		const keys = keysOf(run({ runIndex: 0 }).operations);

		expect(keysOf(run({ runIndex: 1, executionId: '999', mode: 'retry' }).operations)).toEqual(
			keys,
		);
	});

	test('differ between the runs of a loop', () => {
		const first = run({ runIndex: 0 });
		const key = open(first.operations).key;
		const second = run({ runIndex: 1, nodeContext: first.nodeContext });

		expect(open(second.operations).key).not.toBe(key);
	});

	test.each<[string, NodeContextOptions]>([
		['workflows', { workflowId: 'workflow-2' }],
		['nodes', { nodeId: 'node-2' }],
		['n8n instances', { instanceId: 'instance-2' }],
	])('differ between %s', (_, options) => {
		expect(open(run(options).operations).key).not.toBe(open(run().operations).key);
	});

	test('differ between executions', () => {
		const first = open(run().operations).key;

		expect(open(run({ executionId: '102', establishedAt: moment + 1 }).operations).key).not.toBe(
			first,
		);
	});

	test('hang on the execution id in an n8n that does not tell the moment', () => {
		const old = { establishedAt: null, executionId: `old-${moment}` };
		const first = run(old);
		const key = open(first.operations).key;

		expect(open(run(old).operations).key).toBe(key);
		expect(open(run({ ...old, executionId: 'other' }).operations).key).not.toBe(key);
		expect(
			open(
				run({ ...old, executionId: 'other', mode: 'retry', nodeContext: first.nodeContext })
					.operations,
			).key,
		).toBe(key);
	});

	test('are the same when n8n 1.x lets another worker take over the execution, which establishes it anew', () => {
		const old = { isTriggerNamed: false, mode: 'webhook', executionId: `taken-${moment}` } as const;
		const keys = keysOf(run(old).operations);

		expect(keysOf(run({ ...old, establishedAt: moment + 60_000 }).operations)).toEqual(keys);
	});

	test('do not come from the moment of a retry, which is not that of the first attempt', () => {
		const reestablished = { establishedSource: 'retry', mode: 'retry' } as const;
		const first = run({ ...reestablished, executionId: `old-${moment}` });
		const later = run({
			...reestablished,
			executionId: `old-${moment}`,
			establishedAt: moment + 60_000,
		});

		expect(open(later.operations).key).toBe(open(first.operations).key);
		expect(refusalOf(() => attempt(open(first.operations))).effect).toBe('unknown');
	});

	test('do not change with free text, only with what is paid', () => {
		const { operations } = run();

		expect(open(operations, 0, PAYOUT).key).toBe(open(operations, 0, { ...PAYOUT }).key);
		expect(open(operations, 0, OTHER).key).not.toBe(open(operations, 0, PAYOUT).key);
	});
});

describe('two executions established in the same millisecond', () => {
	test('that pay the same get different keys', () => {
		const first = open(run({ executionId: '201' }).operations);
		const second = open(run({ executionId: '202' }).operations);
		const third = open(run({ executionId: '203' }).operations);

		expect(new Set([first.key, second.key, third.key]).size).toBe(3);
	});

	test('keep their own keys when either is retried', () => {
		const one = run({ executionId: '201' });
		const other = run({ executionId: '202' });
		const keys = [one, other].map(({ operations }) => {
			const operation = open(operations);
			attempt(operation);
			return operation.key;
		});

		const retried = [one, other].map(({ nodeContext }, index) =>
			open(
				run({
					nodeContext: savedAndLoaded(nodeContext),
					executionId: `30${index}`,
					mode: 'retry',
				}).operations,
			),
		);

		expect(retried.map(({ key }) => key)).toEqual(keys);
	});

	test('and a new key after the first one is used up do not meet either', () => {
		const [first, second] = ['201', '202'].map((executionId) => {
			const operation = open(run({ executionId }).operations);
			attempt(operation);
			operation.useNextKey();
			return operation.key;
		});

		expect(first).not.toBe(second);
	});

	test('a retry that lost its memory finds the keys of the execution it retries', () => {
		const key = open(run({ executionId: '201' }).operations).key;

		expect(open(run({ executionId: '202', mode: 'retry' }).operations).key).toBe(key);
	});
});

describe('a new key', () => {
	test('is in the node context before anything can be sent under it', () => {
		const first = run();
		const operation = open(first.operations);
		attempt(operation);
		operation.useNextKey();

		const reopened = open(run({ nodeContext: savedAndLoaded(first.nodeContext) }).operations);

		expect(reopened.key).toBe(operation.key);
		expect(reopened.generation).toBe(1);
	});

	test('is remembered even if it is the first thing that happens to the operation', () => {
		const first = run();
		const operation = open(first.operations);
		operation.useNextKey();

		expect(open(run({ nodeContext: savedAndLoaded(first.nodeContext) }).operations).key).toBe(
			operation.key,
		);
	});

	test('is found again by whoever starts over from the first one', () => {
		const walk = () => {
			const operation = open(run({ mode: 'retry' }).operations);
			const keys = [operation.key];
			for (let bump = 0; bump < 3; bump += 1) {
				operation.useNextKey();
				keys.push(operation.key);
			}
			return keys;
		};
		const keys = walk();

		expect(new Set(keys).size).toBe(4);
		expect(walk()).toEqual(keys);
	});

	test('is one item alone', () => {
		const { operations, nodeContext } = run();
		const keys = keysOf(operations);
		const second = open(operations, 1);
		attempt(second);
		second.useNextKey();

		const reopened = keysOf(run({ nodeContext }).operations);

		expect(reopened).toEqual([keys[0], second.key, keys[2]]);
		expect(second.key).not.toBe(keys[1]);
	});
});

describe('what an attempt told about the effect', () => {
	const afterwards = (...effects: Array<'none' | 'notReached' | 'unknown'>) => {
		const first = run();
		const operation = open(first.operations);
		attempt(operation);
		for (const effect of effects) operation.noteEffect(effect);
		const reopened = open(run({ nodeContext: savedAndLoaded(first.nodeContext) }).operations);
		expect(reopened.isUnclear).toBe(operation.isUnclear);
		return operation.isUnclear;
	};

	test('is remembered across a retry', () => {
		expect(afterwards()).toBe(false);
		expect(afterwards('unknown')).toBe(true);
		expect(afterwards('none')).toBe(false);
		expect(afterwards('notReached')).toBe(false);
	});

	test('is cleared up by an answer about the operation, not by one that never reached it', () => {
		expect(afterwards('unknown', 'notReached')).toBe(true);
		expect(afterwards('unknown', 'none')).toBe(false);
		expect(afterwards('none', 'unknown')).toBe(true);
	});
});

describe('an effect that a later failure must not deny', () => {
	test('is one of an attempt that succeeded before the node was run again', () => {
		const first = run();
		const operation = open(first.operations);
		attempt(operation);
		operation.noteSuccess(moment + 2000, { id: 'w1' });
		const repeated = open(run({ nodeContext: savedAndLoaded(first.nodeContext) }).operations);

		repeated.noteEffect('notReached');

		expect(repeated.isUnclear).toBe(true);
	});

	test.each(['', 'invoice-1042'])(
		'is possible in a retried execution without record, with the own key %p',
		(ownKey) => {
			const retried = open(run({ mode: 'retry' }).operations, 0, PAYOUT, ownKey);
			expect(retried.isUnclear).toBe(true);

			retried.noteEffect('none');

			expect(retried.isUnclear).toBe(false);
		},
	);

	test('is impossible before the first attempt of an execution that is no retry', () => {
		expect(open(run().operations).isUnclear).toBe(false);
	});
});

describe('a success', () => {
	const LATER = KEY_LIFETIME_MS + 5_000;
	const done = (body: unknown = { id: 'w1', pixKey: 'maria@customer.example' }) => {
		const first = run();
		const operation = open(first.operations);
		attempt(operation, moment);
		operation.noteSuccess(moment + 2000, body);
		return savedAndLoaded(first.nodeContext);
	};
	const repeat = (nodeContext: ReturnType<typeof done>, allowLate = true) =>
		run({ nodeContext, mode: 'retry', executionId: '999' }).operations.open(0, PAYOUT, {
			ownKey: '',
			allowLate,
		});
	const refusal = (operation: LogicalOperation, now: number) => {
		try {
			operation.beforeAttempt(now);
		} catch (error) {
			if (error instanceof ApiFailure) return error.failure;
			throw error;
		}
		throw new Error('It may be sent');
	};

	test('is repeated under its key as long as the server recognises that', () => {
		const operation = repeat(done());

		expect(() => operation.beforeAttempt(moment + KEY_LIFETIME_MS - 1)).not.toThrow();
	});

	test.each([true, false])(
		'is never sent again after that, also where the user allows late retries (%p)',
		(allowLate) => {
			const operation = repeat(done(), allowLate);
			const failure = refusal(operation, moment + KEY_LIFETIME_MS);

			expect(failure).toMatchObject({
				code: 'ALREADY_DONE',
				effect: 'done',
				retryable: false,
				httpStatus: null,
				idempotencyKey: operation.key,
			});
			expect(failure.message).toBe(
				`This took effect on ${new Date(moment + 2000).toISOString()} already (ID w1), so it was not sent again`,
			);
		},
	);

	test('is remembered as what it was first, whatever its repetitions are told', () => {
		const operation = repeat(done());
		attempt(operation, moment + 3000);
		operation.noteSuccess(moment + 4000, { id: 'w2' });
		operation.noteEffect('none');

		expect(operation.isDone).toBe(true);
		expect(operation.isUnclear).toBe(true);
		expect(refusal(operation, moment + LATER).message).toContain('(ID w1)');
		expect(refusal(operation, moment + LATER).message).toContain(
			new Date(moment + 2000).toISOString(),
		);
	});

	test.each([null, {}, 'w1', { id: 7 }, { id: 'maria@customer.example' }, { id: '' }])(
		'is remembered without an ID where %p shows none',
		(body) => {
			expect(refusal(repeat(done(body)), moment + LATER).message).toContain(
				`${new Date(moment + 2000).toISOString()} already, so`,
			);
		},
	);

	test('leaves nothing but numbers and its ID in the node context', () => {
		const stored = JSON.stringify(done());

		expect(stored).not.toContain('maria');
		expect(stored.length).toBeLessThan(260);
	});

	test('of one item does not keep another from being sent late', () => {
		const nodeContext = done();
		const other = run({ nodeContext, mode: 'retry' }).operations.open(1, PAYOUT, {
			ownKey: '',
			allowLate: true,
		});

		expect(() => other.beforeAttempt(moment + LATER)).not.toThrow();
	});
});

describe('an item that the execution whose context this is did not come to', () => {
	/** The first of two items was sent in run 1 and refused. */
	const stopped = () => {
		const first = run({ runIndex: 1 });
		const operation = open(first.operations);
		attempt(operation, moment);
		operation.noteEffect('none');
		return savedAndLoaded(first.nodeContext);
	};
	const second = (options: NodeContextOptions) =>
		open(run({ mode: 'retry', executionId: '999', ...options }).operations, 1);

	test('is looked up in the retry where the user wants that', () => {
		const operation = second({ nodeContext: stopped(), runIndex: 1 });

		expect(operation.lookUp(true, moment + 9000)?.reason).toBe('wantedInRetry');
		expect(operation.lookUp(false, moment + 9000)).toBeNull();
		expect(operation.isUnclear).toBe(true);
	});

	test('is not looked up in the next try, after the retry has sent it', () => {
		const nodeContext = stopped();
		const operation = second({ nodeContext, runIndex: 1 });
		attempt(operation, moment + 9000);

		expect(second({ nodeContext, runIndex: 1 }).lookUp(true, moment + 9500)).toBeNull();
	});

	test.each<[string, () => NodeContextOptions]>([
		['in another run, which n8n may have been killed in', () => ({ nodeContext: stopped() })],
		['after a kill that left nothing', () => ({ runIndex: 1 })],
	])('%s, is not looked up: it could be its own', (_, options) => {
		expect(second(options()).lookUp(true, moment + 9000)).toBeNull();
	});
});

describe('the life of a key', () => {
	test('begins with the first attempt and is not prolonged by later ones', () => {
		const { operations } = run();
		const operation = open(operations);
		expect(operation.retrySafeUntil).toBeNull();

		attempt(operation, moment);
		attempt(operation, moment + 5_000);

		expect(operation.retrySafeUntil).toBe(moment + KEY_LIFETIME_MS);
	});

	test('ends also for a retry of the execution', () => {
		const first = run();
		attempt(open(first.operations), moment);
		const retried = run({ nodeContext: savedAndLoaded(first.nodeContext), mode: 'retry' });
		const operation = open(retried.operations);

		expect(() => attempt(operation, moment + KEY_LIFETIME_MS - 1)).not.toThrow();
		expect(refusalOf(() => attempt(operation, moment + KEY_LIFETIME_MS)).effect).toBe('unknown');
	});

	test('can be outlived when the user allows it', () => {
		const { operations, nodeContext } = run();
		attempt(open(operations), moment);
		const allowed = run({ nodeContext }).operations.open(0, PAYOUT, {
			ownKey: '',
			allowLate: true,
		});

		expect(() => allowed.beforeAttempt(moment + 3 * KEY_LIFETIME_MS)).not.toThrow();
	});

	test('is stored before the attempt, so that a crash during it is known afterwards', () => {
		const { operations, nodeContext } = run();
		attempt(open(operations), moment);
		const saved = savedAndLoaded(nodeContext);

		expect(open(run({ nodeContext: saved }).operations).retrySafeUntil).toBe(
			moment + KEY_LIFETIME_MS,
		);
	});
});

describe("the user's own key", () => {
	test('is used as it is, whatever the execution', () => {
		const one = open(run({ executionId: '201' }).operations, 0, PAYOUT, 'invoice-1042');
		const other = open(run({ executionId: '202' }).operations, 5, OTHER, 'invoice-1042');

		expect([one.key, other.key]).toEqual(['invoice-1042', 'invoice-1042']);
	});

	test('is refused for a second item of the run', () => {
		const { operations } = run();
		open(operations, 0, PAYOUT, 'invoice-1042');
		open(operations, 1, PAYOUT, 'invoice-1043');
		const refused = refusalOf(() => open(operations, 2, OTHER, 'invoice-1042'));

		expect(refused.message).toContain('Items 0 and 2 have the same idempotency key');
		expect(refused.effect).toBe('none');
	});

	test('is refused before the first of two items is sent, when both are claimed beforehand', () => {
		const { operations } = run();
		operations.claimOwnKey('', 0);
		operations.claimOwnKey('', 1);
		operations.claimOwnKey('invoice-1042', 2);
		operations.claimOwnKey('invoice-1043', 3);

		expect(refusalOf(() => operations.claimOwnKey('invoice-1042', 4)).message).toContain(
			'Items 2 and 4 have the same idempotency key',
		);
		expect(open(operations, 2, PAYOUT, 'invoice-1042').key).toBe('invoice-1042');
	});

	test('may be opened again for the same item', () => {
		const { operations } = run();
		open(operations, 0, PAYOUT, 'invoice-1042');

		expect(open(operations, 0, PAYOUT, 'invoice-1042').key).toBe('invoice-1042');
	});

	test('is refused when a header cannot carry it', () => {
		expect(refusalOf(() => open(run().operations, 0, PAYOUT, 'invoice 1042')).message).toContain(
			'blanks',
		);
	});

	test('leads to the same next key when it is used up', () => {
		const next = () => {
			const operation = open(run().operations, 0, PAYOUT, 'invoice-1042');
			operation.useNextKey();
			return operation.key;
		};

		expect(next()).toBe(next());
		expect(next()).not.toBe('invoice-1042');
	});
});

describe('as a tool of an agent', () => {
	const TOOL = { nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool' };
	const openIn = (
		context: ReturnType<typeof run>,
		{ isGuarded = true, ownKey = '', identity = PAYOUT } = {},
	) => context.operations.open(0, identity, { ownKey, allowLate: false, isGuarded });
	const succeed = (operation: LogicalOperation) => {
		attempt(operation);
		operation.noteSuccess(moment + 2000, { id: 'w1' });
	};

	test('calls with the same payout have the same key, whatever run they are', () => {
		const first = run(TOOL);
		const { key } = openIn(first);
		const { nodeContext } = first;

		expect(openIn(run({ ...TOOL, runIndex: 3, nodeContext })).key).toBe(key);
		expect(openIn(run({ ...TOOL, runIndex: 3, nodeContext }), { identity: OTHER }).key).not.toBe(
			key,
		);
	});

	test('what cannot be looked up is told apart by its run, as always', () => {
		const first = run(TOOL);
		const { key } = openIn(first, { isGuarded: false });
		const second = run({ ...TOOL, runIndex: 3, nodeContext: first.nodeContext });

		expect(openIn(second, { isGuarded: false }).key).not.toBe(key);
	});

	test('without an agent a payout in another run has another key', () => {
		const first = run();
		const { key } = openIn(first);

		expect(openIn(run({ runIndex: 3, nodeContext: first.nodeContext })).key).not.toBe(key);
	});

	test('everything is looked up, under a key of the user too', () => {
		expect(openIn(run(TOOL)).lookUp(false, moment + 9000)?.reason).toBe('agentTool');
		expect(openIn(run(TOOL), { ownKey: 'invoice-1' }).lookUp(false, moment + 9000)?.reason).toBe(
			'agentTool',
		);
	});

	test('a call after a success is looked up, and one after an unknown outcome is not', () => {
		const paid = run(TOOL);
		succeed(openIn(paid));
		const again = run({ ...TOOL, runIndex: 1, nodeContext: savedAndLoaded(paid.nodeContext) });
		expect(openIn(again).lookUp(false, moment + 9000)?.reason).toBe('agentTool');

		const lost = run({ ...TOOL, establishedAt: moment + 5000 });
		const operation = openIn(lost);
		attempt(operation);
		operation.noteEffect('unknown');
		const repeated = run({
			...TOOL,
			establishedAt: moment + 5000,
			runIndex: 1,
			nodeContext: savedAndLoaded(lost.nodeContext),
		});
		expect(openIn(repeated).lookUp(false, moment + 9000)).toBeNull();
		expect(openIn(repeated).key).toBe(operation.key);
	});

	test('a success without an agent is no reason to look up', () => {
		const paid = run();
		succeed(openIn(paid));

		expect(openIn(run({ nodeContext: paid.nodeContext })).lookUp(true, moment + 9000)).toBeNull();
	});
});
