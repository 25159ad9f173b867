import { randomUUID } from 'node:crypto';
import {
	findDuplicates,
	parseGuardMode,
	planGuard,
	withoutTaken,
	type GuardMode,
} from '../../../../../nodes/BrlPayments/orders/guard';
import type { ExecutionFacts } from '../../../../../nodes/BrlPayments/orders/execution';
import type { ActedOrder, StoredCells } from '../../../../../nodes/BrlPayments/orders/ledger';
import type { Name } from '../../../../../nodes/BrlPayments/orders/names';
import type { GuardReason } from '../../../../../nodes/BrlPayments/orders/texts';
import { validCells } from '../../../support/cells';
import { getRefusal } from '../../../support/refusal';

test.each<[unknown, GuardMode]>([
	['automatic', 'automatic'],
	['always', 'always'],
	['never', 'never'],
	[undefined, 'automatic'],
])('the mode %o is %s', (value, mode) => {
	expect(parseGuardMode(value)).toBe(mode);
});

test.each([true, null, '', 'Always', {}])('%o is refused, and does not count as off', (value) => {
	expect(getRefusal(() => parseGuardMode(value)).message).toContain(
		'Duplicate Guard must be Automatic, Always or Never',
	);
});

describe('why Duplicate Guard looks', () => {
	interface Given {
		facts?: Partial<ExecutionFacts>;
		mode?: GuardMode;
		isLive?: boolean;
		hasReference?: boolean;
	}
	/** A payout without a reference and with a test key, in an execution that a trigger started. */
	const plan = ({ facts, mode = 'automatic', isLive = false, hasReference = false }: Given = {}) =>
		planGuard(
			!hasReference,
			{ isAgentTool: false, isStartedByHand: false, mode: 'trigger', ...facts },
			mode,
			isLive,
		);
	const BY_HAND: Given = { facts: { isStartedByHand: true }, isLive: true };
	const AGENT: Given = { facts: { isAgentTool: true } };
	const REFERENCE: Given = { hasReference: true };

	test.each<[string, Given, GuardReason | undefined]>([
		['a trigger, test key', {}, undefined],
		['a trigger, live key', { isLive: true }, undefined],
		['a trigger, Always', { mode: 'always' }, 'always'],
		['by hand, live key', BY_HAND, 'manual'],
		['by hand, test key', { ...BY_HAND, isLive: false }, undefined],
		['by hand, Never', { ...BY_HAND, mode: 'never' }, undefined],
		// The list may have been paid with references since.
		['a retry', { facts: { mode: 'retry' } }, 'retry'],
		['a retry, Never', { facts: { mode: 'retry' }, mode: 'never' }, undefined],
		['an agent', AGENT, 'agentTool'],
		['an agent, Never', { ...AGENT, mode: 'never' }, 'agentTool'],
		['an agent, with a reference', { ...AGENT, ...REFERENCE }, 'agentTool'],
		// Somebody may have filled it in after the payout was made without it.
		['a reference', REFERENCE, 'lateReference'],
		['a reference, live key', { ...REFERENCE, isLive: true }, 'lateReference'],
		['a reference, by hand', { ...BY_HAND, ...REFERENCE }, 'lateReference'],
		['a reference, Always', { ...REFERENCE, mode: 'always' }, 'lateReference'],
		['a reference, Never', { ...REFERENCE, mode: 'never' }, undefined],
	])('%s: %j', (_, given, reason) => {
		expect(plan(given)).toBe(reason);
	});
});

describe('a duplicate', () => {
	const asking = { value: 'auto-mine', content: 'ten-to-maria', root: 'root-1' };
	const known = (changed: Partial<ActedOrder> = {}): ActedOrder => ({
		...{ value: 'auto-other', isAutomatic: true, content: 'ten-to-maria', root: 'root-2' },
		...{ paidBy: 'w1', cells: {} as ActedOrder['cells'] },
		...changed,
	});
	const REFERENCE = { value: 'NF-1', isAutomatic: false };
	const GUARD = ['always', 'manual'] as const;
	const ALL = [...GUARD, 'agentTool', 'lateReference', 'retry'] as const;

	test.each<[string, ActedOrder, readonly GuardReason[]]>([
		['of another execution', known(), [...GUARD, 'agentTool', 'lateReference']],
		[
			'that may have been paid',
			known({ ...REFERENCE, paidBy: undefined }),
			[...GUARD, 'agentTool', 'retry'],
		],
		['with a reference', known(REFERENCE), [...GUARD, 'agentTool', 'retry']],
		[
			'with a reference, of the same execution',
			known({ ...REFERENCE, root: 'root-1' }),
			['agentTool'],
		],
		['of the same execution', known({ root: 'root-1' }), ['agentTool', 'lateReference']],
		['with another amount or PIX key', known({ content: 'ten-to-ana' }), []],
		['that is the order itself', known({ value: 'auto-mine' }), []],
	])('is one %s, if it looks for it', (_, order, reasons) => {
		const others = [known({ content: 'five-to-joao' }), order];
		const found = ALL.filter((reason) => findDuplicates(asking, others, reason).includes(order));
		expect(found).toEqual(ALL.filter((reason) => reasons.includes(reason)));
	});

	test('also if nothing of this execution outlives its end', () => {
		expect(findDuplicates({ ...asking, root: undefined }, [known()], 'manual')).toHaveLength(1);
	});
});

describe('a withdrawal that a reference has taken over', () => {
	const asked: Name = { kind: 'payout', isLive: false, value: 'NF-2', isAutomatic: false };
	const [W1, W2] = [randomUUID(), randomUUID()];
	const found = [{ paidBy: W1 }, { paidBy: W2 }, { paidBy: undefined }] as ActedOrder[];
	const row = (changed: Partial<StoredCells> = {}): StoredCells => ({
		...validCells({ reference: 'NF-1', status: 'paid', withdrawalId: W1, ...changed }),
		...{ id: 1, createdAt: 0, updatedAt: 0 },
	});
	const left = (...rows: StoredCells[]) =>
		withoutTaken(found, rows, asked).map(({ paidBy }) => paidBy);

	test.each<[string, StoredCells[], Array<string | undefined>]>([
		['stops no other one', [row()], [W2, undefined]],
		['by the word of a person, either', [row({ run: '' })], [W2, undefined]],
		['is still one for itself', [row({ reference: 'NF-2' })], [W1, W2, undefined]],
		['is none by an automatic name', [row({ kind: 'automatic' })], [W1, W2, undefined]],
		['is none while it is only sent', [row({ status: 'sending' })], [W1, W2, undefined]],
	])('%s', (_, rows, stay) => {
		expect(left(...rows)).toEqual(stay);
	});
});
