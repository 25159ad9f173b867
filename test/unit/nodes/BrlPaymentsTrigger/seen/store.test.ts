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

describe('an execution that is retried after n8n was killed', () => {
	let database: FakeDeduplication;
	const ask = async (question: SeenQuestion, mode = 'webhook') => {
		const { helpers } = database.context('node-1', 'workflow-1');
		// n8n was killed before anything was removed.
		const removeProcessed = async () => await Promise.reject(new Error('killed'));
		const context = {
			...{ getMode: () => mode, helpers: { ...helpers, removeProcessed } },
			...{ getNode: () => ({ id: 'node-1' }), getWorkflow: () => ({ id: 'workflow-1' }) },
			logger: { warn: () => undefined },
		} as unknown as IExecuteFunctions;
		const asked = { context, question, windowMs: 300_000, isPolled: true, isShared: false };
		return await remember(asked);
	};
	beforeEach(() => {
		database = new FakeDeduplication();
	});

	test('stays what it was: the first one, or a copy of it', async () => {
		const [poll, delivery] = [
			{ ...POLLED, run: 'poll' },
			{ ...BOTH, run: 'delivery' },
		];
		expect(await Promise.all([ask(poll), ask(delivery)])).toEqual(['first', 'polled']);
		expect(await ask({ ...BOTH, run: 'again' })).toBe('copy');

		expect(await ask(delivery, 'retry')).toBe('copy');
		expect(await ask(poll, 'retry')).toBe('first');
	});

	test('is the first one also where Retry On Fail asks a second time', async () => {
		const delivery = { ...DELIVERY, keys: ['id 7'], signatures: ['u'], run: 'twice' };
		expect([await ask(delivery), await ask(delivery)]).toEqual(['first', 'first']);
	});

	test('is the first one where the database has lost what this process remembers', async () => {
		await ask({ ...DELIVERY, run: 'before' });
		database = new FakeDeduplication();
		const delivery = { ...DELIVERY, run: 'now' };

		expect(await ask(delivery)).toBe('first');
		expect(await ask(delivery, 'retry')).toBe('first');
	});
});
