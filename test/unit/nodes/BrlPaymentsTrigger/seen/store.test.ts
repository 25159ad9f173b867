import type { IExecuteFunctions } from 'n8n-workflow';
import {
	decide,
	remember,
	type SeenQuestion,
	type Verdict,
} from '../../../../../nodes/BrlPaymentsTrigger/seen/store';
import { FakeDeduplication } from '../../../support/deduplicationStore';

// Restarts, several processes, kills and a database that fails: test/engine/trigger.

const DELIVERY: SeenQuestion = { keys: ['id 1', 'id 2'], run: 'r', signatures: ['s', 't'] };
const BOTH: SeenQuestion = { ...DELIVERY, event: ['e', 'f'] };
const POLLED: SeenQuestion = { keys: ['event e', 'event f'], run: 'r' };

test.each<[string, SeenQuestion, string[], Verdict]>([
	['nothing was there', DELIVERY, [], 'first'],
	['only others were there', DELIVERY, ['id 3', 'run q', 'signature u', 'id', 's', 'r'], 'first'],
	['this execution has asked before', DELIVERY, ['run r'], 'first'],
	['it has, and was first', DELIVERY, ['id 1', 'id 2', 'run r', 'signature s'], 'first'],
	['it has, and was refused', DELIVERY, ['run r', 'signature s'], 'first'],
	['another one has the delivery', DELIVERY, ['id 1', 'id 2'], 'copy'],
	['another one has it under one of its keys', DELIVERY, ['id 2'], 'copy'],
	['another one has it with this signature', DELIVERY, ['id 1', 'signature s'], 'copy'],
	['a signature belongs to another delivery', DELIVERY, ['signature t'], 'foreign'],
	['a poll has brought the event', BOTH, ['event e'], 'polled'],
	['a poll has, under its other ID', BOTH, ['event f'], 'polled'],
	['the event was delivered before', BOTH, ['event e', 'delivered e'], 'first'],
	['it was delivered before under its other ID', BOTH, ['event e', 'delivered f'], 'first'],
	['a poll has brought it, and this is a copy', BOTH, ['event e', 'id 1'], 'copy'],
	['a poll has brought it, and this is foreign', BOTH, ['event e', 'signature s'], 'foreign'],
	['a poll has brought it, and this is run again', BOTH, ['event e', 'run r'], 'first'],
	['a poll finds what is new', POLLED, ['event g', 'delivered e'], 'first'],
	['a poll finds what was delivered', POLLED, ['event f', 'delivered f'], 'copy'],
	['the execution of a poll is run again', POLLED, ['event e', 'event f', 'run r'], 'first'],
])('if %s', (_, question, known, verdict) => {
	expect(decide(question, new Set(known))).toBe(verdict);
});

let database: FakeDeduplication;
/** One for each test: a process remembers what it has asked about a node. */
let node: string;
let nodes = 0;
let warnings: string[];
beforeEach(() => {
	database = new FakeDeduplication();
	node = `node-${(nodes += 1)}`;
	warnings = [];
});

type Helpers = Partial<IExecuteFunctions['helpers']>;
interface How {
	readonly mode?: string;
	readonly isPolled?: boolean;
	readonly isShared?: boolean;
	readonly windowMs?: number;
	readonly helpers?: Helpers;
}

async function ask(question: SeenQuestion, how: How = {}): Promise<Verdict> {
	const { mode = 'webhook', isPolled = true, isShared = false, windowMs = 300_000 } = how;
	const { helpers } = database.context(node);
	const context = {
		...{ getMode: () => mode, helpers: { ...helpers, ...how.helpers } },
		...{ getNode: () => ({ id: node }), getWorkflow: () => ({ id: 'workflow-1' }) },
		logger: { warn: (warning: string) => warnings.push(warning) },
	} as unknown as IExecuteFunctions;
	return await remember({ context, question, windowMs, isPolled, isShared });
}

/** What another process, or this one before a restart, has left in n8n's database. */
async function leave(...entries: string[]): Promise<void> {
	const { checkProcessedAndRecord } = database.context(node).helpers;
	await checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries: 1_000 });
}

/** Which of what a question asks about n8n's database has. */
async function kept(): Promise<string[]> {
	const { checkProcessedAndRecord } = database.context(node).helpers;
	const entries = ['id 1', 'id 2', 'run r', 'signature s', 'signature t'];
	for (const identity of ['e', 'f']) entries.push(`event ${identity}`, `delivered ${identity}`);
	const answer = await checkProcessedAndRecord(entries, 'node', { mode: 'entries' });
	return answer.processed.map(String);
}

test.each<[Verdict, SeenQuestion, string[], string[]]>([
	['first', POLLED, ['event g'], ['run r', 'event e', 'event f']],
	['first', DELIVERY, ['id 3'], ['id 1', 'id 2', 'run r', 'signature s', 'signature t']],
	['copy', DELIVERY, ['id 2'], ['id 1', 'id 2', 'signature s', 'signature t']],
	['foreign', DELIVERY, ['signature t'], ['run r', 'signature t']],
	[
		'polled',
		BOTH,
		['event f'],
		[
			...['id 1', 'id 2', 'signature s', 'signature t'],
			...['event e', 'delivered e', 'event f', 'delivered f'],
		],
	],
])(
	'what is %s leaves what may stop another one: %o after %o',
	async (verdict, question, before, after) => {
		await leave(...before);
		expect(await ask(question)).toBe(verdict);
		const others = before.filter((entry) => !after.includes(entry));
		expect(database.row(node)).toHaveLength(after.length + others.length);
		expect(await kept()).toEqual(after);
	},
);

test('two events that are new cost one call, also when one of them was delivered before', async () => {
	await leave('event e', 'delivered e', 'delivered f');
	await ask({ ...BOTH, keys: ['id 8'], signatures: ['u'], run: 'before' });
	database.calls.length = 0;

	const others = { ...POLLED, keys: ['event g'], run: 'q' };
	expect(await Promise.all([ask(BOTH), ask(others)])).toEqual(['first', 'first']);
	expect(database.calls).toEqual(['record']);
});

test.each([
	['of a webhook, 16,000', { isPolled: false, windowMs: 60_000 }, 16_000],
	['of a webhook with a wide window, more', { isPolled: false }, 36_000],
	['of a poll, 80,000', { isPolled: true }, 80_000],
])('entries are kept: %s', async (_, how, least) => {
	const old = Array.from({ length: 90_000 }, (_unused, index) => `old ${index}`);
	database.rows.set(`workflow-1 n:${node}`, old);
	await ask(DELIVERY, how);
	expect(database.row(node)).toHaveLength(least + 5);
});

describe('a database that another process writes to', () => {
	/** The other process has read the row before our first call, and writes it back after it. */
	const overwriteOnce = (): Helpers => {
		const { checkProcessedAndRecord } = database.context(node).helpers;
		let isFirst = true;
		return {
			checkProcessedAndRecord: async (...call) => {
				const answer = await checkProcessedAndRecord(...call);
				if (isFirst) database.rows.set(`workflow-1 n:${node}`, []);
				isFirst = false;
				return answer;
			},
		};
	};

	test('is asked until it has what was recorded', async () => {
		expect(await ask(DELIVERY, { isShared: true, helpers: overwriteOnce() })).toBe('first');
		expect(database.calls).toEqual(['record', 'record', 'record']);
		expect(await ask({ ...DELIVERY, run: 'q' }, { isShared: true })).toBe('copy');
	});

	test('is asked once if there is none', async () => {
		expect(await ask(DELIVERY, { helpers: overwriteOnce() })).toBe('first');
		expect(database.calls).toEqual(['record']);
	});
});

describe('a database that fails', () => {
	test('is asked again', async () => {
		await leave('id 1');
		database.failAt(1);
		expect(await ask(DELIVERY)).toBe('copy');
		expect(warnings).toEqual([
			expect.stringMatching(/cannot be remembered \(1\): The database is gone/),
		]);
	});

	test('five times loses no event', async () => {
		const fail = async () => {
			database.calls.push('failed');
			return await Promise.reject(new Error('gone, with a key of 12345678909'));
		};
		expect(await ask(DELIVERY, { helpers: { checkProcessedAndRecord: fail } })).toBe('first');
		expect(database.calls.slice(0, 5)).toEqual(Array(5).fill('failed'));
		expect(warnings[4]).toMatch(/\(5\): gone, with a key of /);
		expect(warnings.join()).not.toContain('12345678909');
	});
});

describe('an execution that is retried after n8n was killed', () => {
	/** n8n was killed before anything was removed. */
	const killed: Helpers = {
		removeProcessed: async () => await Promise.reject(new Error('killed')),
	};
	const retry: How = { mode: 'retry', helpers: killed };

	test('stays what it was: the first one, or a copy of it', async () => {
		const poll = { ...POLLED, run: 'poll' };
		const delivery = { ...BOTH, run: 'delivery' };
		const again = { ...BOTH, run: 'again' };
		const how = { helpers: killed };
		expect(await Promise.all([ask(poll, how), ask(delivery, how)])).toEqual(['first', 'polled']);
		expect(await ask(again, how)).toBe('copy');

		expect(await ask(delivery, retry)).toBe('copy');
		expect(await ask(again, retry)).toBe('copy');
		expect(await ask(poll, retry)).toBe('first');
	});

	test.each<[string, SeenQuestion, SeenQuestion, Verdict]>([
		['one of its IDs', DELIVERY, { keys: ['id 9', 'id 2'], run: 'q' }, 'copy'],
		['one ID of its event', { keys: ['event e'], run: 'r' }, { ...BOTH, run: 'q' }, 'polled'],
	])('stays a copy that this process knows by %s', async (_, first, copy, verdict) => {
		await ask(first);
		expect(await ask(copy, { helpers: killed })).toBe(verdict);
		expect(await ask(copy, retry)).toBe('copy');
	});

	test('is the first one where only the database knows it', async () => {
		await leave('id 1', 'run before');
		expect(await ask(DELIVERY)).toBe('copy');
		expect(await ask({ ...DELIVERY, run: 'before' }, retry)).toBe('first');
	});

	test('is the first one also where Retry On Fail asks a second time', async () => {
		expect([await ask(DELIVERY), await ask(DELIVERY)]).toEqual(['first', 'first']);
	});

	test('is the first one where the database has lost what this process remembers', async () => {
		await ask({ ...DELIVERY, run: 'before' });
		database = new FakeDeduplication();

		expect(await ask(DELIVERY)).toBe('first');
		expect(await ask(DELIVERY, retry)).toBe('first');
	});
});
