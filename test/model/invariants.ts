/** What must hold in every world, whatever happens. */
import type { Conclusion } from '../../nodes/BrlPayments/ledger/protocol';
import { canStillPay, TICK_MS, type Move, type Run, type Withdrawal, type World } from './world';

/** `I1`: paid once. `I2`: true words. `I3` (search.ts): at rest, all can be settled. */
export interface Violation {
	readonly invariant: 'I1' | 'I2' | 'I3';
	readonly what: string;
}

/** @param before the world in which the step was made */
export function findViolation(before: World, { world, conclusion }: Move): Violation | undefined {
	const twice = findPaidTwice(world);
	if (twice) return { invariant: 'I1', what: twice };
	const lie = conclusion && findLie(before, world, conclusion.run, conclusion.say);
	return lie === undefined ? undefined : { invariant: 'I2', what: lie };
}

function living({ withdrawals }: World, order: number): Withdrawal[] {
	return withdrawals.filter((one) => one.order === order && !one.isFailed);
}

function findPaidTwice(world: World): string | undefined {
	const paid = new Set<number>();
	for (const { order, isFailed } of world.withdrawals) {
		if (order === undefined || isFailed) continue;
		if (paid.has(order)) return 'paid twice';
		paid.add(order);
	}
	return undefined;
}

const TWO_ORDERS = 'calls two orders paid by one withdrawal';

function findLie(
	before: World,
	world: World,
	run: Run,
	conclusion: Conclusion,
): string | undefined {
	const { order } = run;
	const { content } = run.state.asked;
	const named = 'id' in conclusion ? world.withdrawals[Number(conclusion.id.slice(1))] : undefined;
	const toldFor =
		'id' in conclusion ? before.withdrawals[Number(conclusion.id.slice(1))]?.isToldFor : undefined;
	const isToldForOther = toldFor !== undefined && toldFor !== order;
	if ('id' in conclusion && named?.order !== order) {
		// A person was mistaken, or an answer: nobody can know, until it is named for another order.
		const isByWord = run.state.rows.some(
			(row) => row.isByPerson && row.withdrawalId === conclusion.id,
		);
		if (isByWord || named?.named?.order === order) {
			return isToldForOther ? TWO_ORDERS : undefined;
		}
		return `names ${conclusion.id}, which is not of this order`;
	}
	switch (conclusion.say) {
		case 'paid':
			if (isToldForOther) return TWO_ORDERS;
			if (named?.content !== content) return 'calls a withdrawal of other content paid';
			if (!conclusion.isNew) return named.isFailed ? 'calls a failed withdrawal paid' : undefined;
			if (!isMadeMeanwhile(named, run)) return 'calls new what was made before';
			if (before.withdrawals[Number(conclusion.id.slice(1))]?.isToldAsNew)
				return 'calls it new twice';
			return undefined;
		case 'mismatch':
			return named?.content === content ? 'calls the same content another one' : undefined;
		case 'failed':
			return named?.isFailed ? undefined : 'calls a living withdrawal failed';
		case 'elsewhere':
			if (!world.keys.some(({ body }) => body === 'stranger')) return 'blames another tool';
			return findEffect(world, order);
		case 'refused':
		case 'notSent':
			return findEffect(world, order);
		case 'recorded':
		case 'later':
		case 'inDoubt':
			return undefined;
	}
}

/**
 * Whether it was made by this run, or by another one that sent while this one was doing so: nobody can
 * tell these apart, and only one of them calls it new.
 */
function isMadeMeanwhile({ run, at }: Withdrawal, { state }: Run): boolean {
	return run === state.asked.run || (state.own !== undefined && at * TICK_MS >= state.own.at);
}

function findEffect(world: World, order: number): string | undefined {
	const own = living(world, order).filter(({ isByCopy }) => !isByCopy);
	if (own.length > 0) return 'says that it had no effect, but it was paid';
	if (canStillPay(world, order)) return 'says that it had no effect, but a request may still pay';
	return undefined;
}
