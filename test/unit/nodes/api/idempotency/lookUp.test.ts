import {
	isWithoutTrace,
	lookUpSince,
	reasonToLookUp,
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
	...changed,
});
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

test('looks back 24 hours, and 14 days where nothing tells how old the first attempt is', () => {
	expect(NOW - lookUpSince('wanted', NOW)).toBe(24 * HOUR);
	expect(NOW - lookUpSince('subExecution', NOW)).toBe(24 * HOUR);
	expect(NOW - lookUpSince('agentTool', NOW)).toBe(24 * HOUR);
	expect(NOW - lookUpSince('retriedWithoutTrace', NOW)).toBe(14 * 24 * HOUR);
});
