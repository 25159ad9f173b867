import {
	isWithoutTrace,
	lookUpBefore,
	type LookUpSettings,
} from '../../../../../nodes/api/idempotency/lookUp';
import type { OperationRecord } from '../../../../../nodes/api/idempotency/memory';
import type { ExecutionFacts } from '../../../../../nodes/api/idempotency/root';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1000;

/** A first attempt in an execution of its own, of which the user wants nothing special. */
const facts = (changed: Partial<ExecutionFacts> = {}): ExecutionFacts => ({
	executionId: '101',
	mode: 'trigger',
	establishedAt: NOW,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
	...changed,
});
const FRESH: OperationRecord = { generation: 0 };
const UNCLEAR: OperationRecord = { generation: 0, firstUsedAt: NOW, unclear: true };
const settings = (changed: Partial<LookUpSettings> = {}): LookUpSettings => ({
	isWanted: false,
	hasOwnKey: false,
	allowLate: false,
	isSameRunAgain: false,
	...changed,
});
/** When it was last seen is of no concern, only when the key was first used. */
const reasonToLookUp = (
	record: OperationRecord,
	given: ExecutionFacts,
	wishes: LookUpSettings,
	now = NOW,
) => lookUpBefore(record, given, wishes, now)?.reason ?? null;
const UNTRACED = { mode: 'retry', establishedAt: undefined } as const;

describe('the reason to look up', () => {
	test('is none for a first attempt', () => {
		expect(reasonToLookUp(FRESH, facts(), settings())).toBeNull();
	});

	test('is the wish of the user, with and without a key of their own', () => {
		expect(reasonToLookUp(FRESH, facts(), settings({ isWanted: true }))).toBe('wanted');
		expect(reasonToLookUp(FRESH, facts(), settings({ isWanted: true, hasOwnKey: true }))).toBe(
			'wanted',
		);
	});

	test('is the wish of the user again after an attempt that surely took no effect', () => {
		const refused: OperationRecord = { generation: 0, firstUsedAt: NOW };
		expect(reasonToLookUp(refused, facts(), settings({ isWanted: true }))).toBe('wanted');
	});

	test('is none after an attempt that may have taken effect: it would find itself', () => {
		expect(reasonToLookUp(UNCLEAR, facts(), settings({ isWanted: true }))).toBeNull();
		expect(reasonToLookUp(UNCLEAR, facts({ isSubExecution: true }), settings())).toBeNull();
	});

	test('is the sub-workflow, unless the user chose the key', () => {
		const sub = facts({ mode: 'integrated', isSubExecution: true });
		expect(reasonToLookUp(FRESH, sub, settings())).toBe('subExecution');
		expect(reasonToLookUp(FRESH, sub, settings({ hasOwnKey: true }))).toBeNull();
	});

	describe('is the agent that uses the node as its tool', () => {
		const tool = facts({ isAgentTool: true });

		test('whatever key it uses, and in a sub-workflow too', () => {
			expect(reasonToLookUp(FRESH, tool, settings())).toBe('agentTool');
			expect(reasonToLookUp(FRESH, tool, settings({ hasOwnKey: true }))).toBe('agentTool');
			expect(reasonToLookUp(FRESH, { ...tool, isSubExecution: true }, settings())).toBe(
				'agentTool',
			);
		});

		test('when it asks again after a success', () => {
			expect(reasonToLookUp({ ...UNCLEAR, isDone: true }, tool, settings())).toBe('agentTool');
		});

		test('not after an attempt that may have taken effect: the server recognises its key', () => {
			expect(reasonToLookUp(UNCLEAR, tool, settings())).toBeNull();
		});
	});

	describe('is a retry that has lost every trace of its first attempt', () => {
		// As the memory begins it: nothing tells what the first attempt did.
		const begun: OperationRecord = { generation: 0, unclear: true };

		test('whatever key it uses', () => {
			expect(reasonToLookUp(begun, facts(UNTRACED), settings())).toBe('retriedWithoutTrace');
			expect(reasonToLookUp(begun, facts(UNTRACED), settings({ hasOwnKey: true }))).toBe(
				'retriedWithoutTrace',
			);
		});

		test('not where the user has looked', () => {
			expect(reasonToLookUp(begun, facts(UNTRACED), settings({ allowLate: true }))).toBeNull();
		});

		test.each<[string, OperationRecord, Partial<ExecutionFacts>]>([
			['its first use is recorded', UNCLEAR, UNTRACED],
			['n8n tells when it began', begun, { mode: 'retry' }],
			[
				'it was started by a delivery',
				begun,
				{ ...UNTRACED, delivery: { deliveryId: 'delivery-1', receivedAt: NOW } },
			],
			['it is no retry', FRESH, { establishedAt: undefined }],
		])('not where %s', (_, record, changed) => {
			expect(reasonToLookUp(record, facts(changed), settings())).toBeNull();
			expect(isWithoutTrace(record.firstUsedAt, facts(changed))).toBe(false);
		});
	});
});

describe('a retry that was not sent by the execution whose memory this is', () => {
	const retry = facts({ mode: 'retry' });
	const unsent: OperationRecord = { generation: 0, unclear: true };
	const again = (changed: Partial<LookUpSettings> = {}) =>
		settings({ isSameRunAgain: true, ...changed });

	test('is looked up as the user wants, though it may find its own payment', () => {
		expect(reasonToLookUp(unsent, retry, again({ isWanted: true }))).toBe('wantedInRetry');
		expect(reasonToLookUp(unsent, retry, again())).toBeNull();
	});

	test('is looked up in a sub-workflow and for an agent', () => {
		const sub = { ...retry, isSubExecution: true };
		expect(reasonToLookUp(unsent, sub, again())).toBe('subExecution');
		expect(reasonToLookUp(unsent, { ...retry, isAgentTool: true }, again())).toBe('agentTool');
	});

	test('is not looked up once it was sent, or where the memory may have lost that', () => {
		expect(reasonToLookUp(UNCLEAR, retry, again({ isWanted: true }))).toBeNull();
		expect(reasonToLookUp(unsent, retry, settings({ isWanted: true }))).toBeNull();
	});
});

describe('after 24 hours', () => {
	const LATE = NOW + 30 * HOUR;
	const wanted = settings({ isWanted: true, allowLate: true });
	const DONE: OperationRecord = { ...UNCLEAR, doneAt: NOW };

	test('what may have taken effect is looked up where the user wants that, since its first use', () => {
		expect(lookUpBefore(UNCLEAR, facts(), wanted, LATE)).toEqual({
			reason: 'wantedInRetry',
			since: NOW,
			days: 2,
		});
		expect(lookUpBefore(UNCLEAR, facts(), settings({ allowLate: true }), LATE)).toBeNull();
	});

	test('a retry without record is looked up since its execution began', () => {
		const begun: OperationRecord = { generation: 0, unclear: true };
		const retry = facts({ mode: 'retry', establishedAt: NOW - HOUR });

		expect(lookUpBefore(begun, retry, wanted, LATE)?.since).toBe(NOW - HOUR);
	});

	test('a retry of unknown age is looked up as far as n8n keeps executions', () => {
		const begun: OperationRecord = { generation: 0, unclear: true };

		expect(lookUpBefore(begun, facts(UNTRACED), wanted, LATE)).toEqual({
			reason: 'wantedInRetry',
			since: LATE - 14 * 24 * HOUR,
			days: 14,
		});
	});

	test('what is not sent any more is not looked up', () => {
		expect(lookUpBefore(UNCLEAR, facts(), settings({ isWanted: true }), LATE)).toBeNull();
		expect(lookUpBefore(DONE, facts(), wanted, LATE)).toBeNull();
		expect(lookUpBefore(DONE, facts({ isAgentTool: true }), wanted, LATE)).toBeNull();
	});

	test('a first attempt in an execution that has waited looks back 24 hours', () => {
		expect(lookUpBefore(FRESH, facts(), wanted, LATE)).toEqual({
			reason: 'wanted',
			since: LATE - 24 * HOUR,
			days: 1,
		});
	});

	test('begins with the 24th hour', () => {
		expect(lookUpBefore(UNCLEAR, facts(), wanted, NOW + 24 * HOUR - 1)).toBeNull();
		expect(lookUpBefore(UNCLEAR, facts(), wanted, NOW + 24 * HOUR)).not.toBeNull();
	});
});

test('looks back 24 hours, and 14 days where nothing tells how old the first attempt is', () => {
	const back = (record: OperationRecord, given: ExecutionFacts, wishes = settings()) =>
		NOW - (lookUpBefore(record, given, wishes, NOW)?.since ?? NOW);

	expect(back(FRESH, facts(), settings({ isWanted: true }))).toBe(24 * HOUR);
	expect(back(FRESH, facts({ isSubExecution: true }))).toBe(24 * HOUR);
	expect(back(FRESH, facts({ isAgentTool: true }))).toBe(24 * HOUR);
	expect(back(FRESH, facts(UNTRACED))).toBe(14 * 24 * HOUR);
});
