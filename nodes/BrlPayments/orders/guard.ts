import type { INodeProperties } from 'n8n-workflow';
import { DAY_MS } from '../../shared/text/time';
import { InputError } from '../../shared/input/inputError';
import type { ExecutionFacts } from './execution';
import { findOwners, type ActedOrder, type StoredCells } from './ledger';
import type { Name } from './names';
import type { GuardReason } from './texts';

export const duplicateGuardOption: INodeProperties = {
	displayName: 'Duplicate Guard',
	name: 'duplicateGuard',
	type: 'options',
	noDataExpression: true,
	// What a person who adds the option wants. Without it, the node works as with Automatic.
	default: 'always',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Check every payout without a reference',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'Check when you press Execute or run an evaluation with a live key, and as a tool of an agent',
		},
		{
			name: 'Never',
			value: 'never',
			description:
				'Check only as a tool of an agent, and pay without a reference in a called workflow',
		},
	],
	description:
		'Whether to look in the table BRL Payouts for payouts of the last 24 hours with the same PIX key and amount, and to stop an item with their IDs instead of paying it again. Without this option: Automatic. Unless this is Never, a new reference is also compared with payouts that were made without one.',
};

/** What the user chose under Duplicate Guard. */
export type GuardMode = 'automatic' | 'always' | 'never';

/** @throws InputError for any other value */
export function parseGuardMode(value: unknown): GuardMode {
	if (value === undefined) return 'automatic';
	if (value === 'automatic' || value === 'always' || value === 'never') return value;
	throw new InputError(
		'Duplicate Guard must be Automatic, Always or Never',
		"Choose one of them in 'Options > Duplicate Guard'.",
	);
}

/** Why payouts of other executions are looked for before one is sent; undefined: not at all. */
export function planGuard(
	isAutomatic: boolean,
	facts: Pick<ExecutionFacts, 'isAgentTool' | 'isStartedByHand' | 'mode'>,
	mode: GuardMode,
	isLive: boolean,
): GuardReason | undefined {
	// Not even a reference is trusted there: it may come from the agent.
	if (facts.isAgentTool) return 'agentTool';
	if (mode === 'never') return undefined;
	// Somebody may have filled it in after the payout was made without it.
	if (!isAutomatic) return 'lateReference';
	if (mode === 'always') return 'always';
	if (facts.isStartedByHand && isLive) return 'manual';
	// The same list may have been paid with references since the execution failed.
	return facts.mode === 'retry' ? 'retry' : undefined;
}

/** How far back payouts are looked for; in a retry also to the beginning of the execution. Milliseconds. */
export const GUARDED_MS = DAY_MS;

/**
 * The orders that may be the same payout. Two references never stop each other, except for an agent, which
 * may invent them.
 * @param acted orders that were paid, or may have been
 */
export function findDuplicates(
	asking: {
		readonly value: string;
		readonly content: string;
		/** Name of the root; undefined if there is none. */
		readonly root: string | undefined;
	},
	acted: readonly ActedOrder[],
	reason: GuardReason,
): ActedOrder[] {
	return acted.filter((one) => {
		if (one.value === asking.value || one.content !== asking.content) return false;
		if (reason === 'agentTool') return true;
		if (reason === 'lateReference') return one.isAutomatic;
		return one.root !== asking.root && (reason !== 'retry' || !one.isAutomatic);
	});
}

/**
 * Without the payouts that another reference has taken over: two references never stop each other.
 * @param rows that name the withdrawals, see `Ledger.findWithdrawals`
 */
export function withoutTaken(
	found: readonly ActedOrder[],
	rows: readonly StoredCells[],
	name: Name,
): ActedOrder[] {
	return found.filter(({ paidBy }) => {
		const own = rows.filter(({ withdrawalId }) => withdrawalId === paidBy);
		return paidBy === undefined || findOwners(own, name, false).length === 0;
	});
}
