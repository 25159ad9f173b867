/** What must hold in every world, whatever happens. */
import { findPaid, openSendings, PERSON, type Row } from '../../nodes/BrlPayments/orders/protocol';
import { TICK_MS } from './bounds';
import { canStillPay } from './service';
import {
	numberOf,
	remove,
	rowsOf,
	write,
	type Move,
	type Run,
	type Withdrawal,
	type World,
} from './state';

/** `I1`: paid once. `I2`: true words. `I3` (search.ts): at rest, all can be settled. */
export interface Violation {
	readonly invariant: 'I1' | 'I2' | 'I3';
	readonly what: string;
}

/** @param before the world in which the step was made */
export function findViolation(before: World, move: Move): Violation | undefined {
	const twice = findPaidTwice(move.world);
	if (twice) return { invariant: 'I1', what: twice };
	const lie = findLie(before, move) ?? findWordWithoutEffect(before, move);
	if (lie) return { invariant: 'I2', what: lie };
	const given = findGivenUp(before, move) ?? findKept(move);
	return given === undefined ? undefined : { invariant: 'I3', what: given };
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

/** What is said that is not so. */
function findLie(before: World, { world, conclusion: said }: Move): string | undefined {
	if (said === undefined) return undefined;
	const { run, say: conclusion } = said;
	const { order, state } = run;
	const { content } = state.asked;
	const number = 'id' in conclusion ? numberOf(conclusion.id) : -1;
	const named = world.withdrawals[number];
	if ('id' in conclusion && named?.order !== order) {
		const words = state.rows.filter(({ status }) => status === 'paid');
		// A person was mistaken: nobody can know, until a run has named it for the order that it is of.
		if (!words.some((row) => row.run === PERSON && row.withdrawalId === conclusion.id))
			return `names ${conclusion.id}, which is not of this order`;
		const isLiving = (row: Row) => !world.withdrawals[numberOf(row.withdrawalId ?? '')]?.isFailed;
		if (words.some((row) => row.run !== PERSON && isLiving(row)))
			return 'believes a person against the service';
		const toldFor = before.withdrawals[number]?.isToldFor;
		return toldFor !== undefined && toldFor !== order
			? 'calls two orders paid by one withdrawal'
			: undefined;
	}
	switch (conclusion.say) {
		case 'paid':
			if (named?.content !== content) return 'calls a withdrawal of other content paid';
			if (!conclusion.isNew) return named.isFailed ? 'calls a failed withdrawal paid' : undefined;
			if (!isMadeMeanwhile(named, run)) return 'calls new what was made before';
			return before.withdrawals[number]?.isToldAsNew ? 'calls it new twice' : undefined;
		case 'mismatch':
			return named?.content === content ? 'calls the same content another one' : undefined;
		case 'failed':
			return named?.isFailed ? undefined : 'calls a living withdrawal failed';
		case 'elsewhere':
			if (!world.keys.some(({ body }) => body === 'stranger')) return 'blames another tool';
			return findEffect(world, order);
		case 'refused':
			if (isUsedElsewhere(world, run))
				return 'calls refused what another tool has used the key for';
			return findEffect(world, order);
		case 'inDoubt':
			if (conclusion.because !== 'candidates') return undefined;
			return conclusion.ids.some((id) => isRecordedForOther(before, order, id))
				? 'doubts what a run has recorded for another order'
				: undefined;
		case 'recorded':
		case 'later':
			return undefined;
	}
}

function isUsedElsewhere({ keys }: World, { order, state }: Run): boolean {
	return keys.some(
		(key) => key.order === order && key.body === 'stranger' && state.generation === 0,
	);
}

function isRecordedForOther({ ledger }: World, order: number, id: string): boolean {
	return ledger.some(
		({ order: other, row }) =>
			other !== order && row.status === 'paid' && row.withdrawalId === id && row.run !== PERSON,
	);
}

/** A person's word that is accepted, and does not say what the ledger says then. */
function findWordWithoutEffect(before: World, { step, world }: Move): string | undefined {
	const said = world.look?.said;
	const { order = 0 } = step;
	if (step.do !== 'settle' || said === undefined) return undefined;
	const rows = rowsOf(before, order);
	const [next] = write(before, order, { run: PERSON, apiKey: '', content: '' }, said.record);
	const after = rowsOf(remove(next, said.remove), order);
	const id = findPaid(after)?.withdrawalId;
	if (id !== undefined && isRecordedForOther(before, order, id))
		return 'accepts what another order was paid by';
	if (id !== step.found) return 'accepts a word that does not count';
	if (id === undefined)
		return openSendings(after).length > 0 ? 'accepts a word that settles nothing' : undefined;
	const { content, isFailed } = world.withdrawals[numberOf(id)] ?? { content: '', isFailed: true };
	const open = openSendings(rows);
	const isUnknown = open.length === 0 || open.some(({ status }) => status === 'edited');
	const isMeant = isUnknown || open.some((row) => row.content === content);
	return isFailed || !isMeant ? 'accepts a withdrawal that cannot be the order’s' : undefined;
}

/** As often may a run begin anew, or claim a new key, and in these worlds it need not. */
const ROUNDS = 4;

/** A run that begins anew, and keeps its row. */
function findKept({ step, world }: Move): string | undefined {
	const { run: name } = step;
	const run = world.runs.find((one) => one.state.asked.run === name);
	if (run?.action.do !== 'change' || run.action.record.length > 0 || run.half || run.state.answer)
		return undefined;
	const { remove: ids } = run.action;
	const isKept = (row: Row) =>
		row.status === 'sending' &&
		row.run === name &&
		row.at > run.unansweredAt &&
		!ids.includes(row.id);
	return rowsOf(world, run.order).some(isKept) ? 'keeps its row when it begins anew' : undefined;
}

/** A run that ends although it could go on, or leaves open what was answered. */
function findGivenUp(before: World, { step, conclusion: said, world }: Move): string | undefined {
	if (said === undefined) return undefined;
	const { run, say } = said;
	const { action, state } = run;
	const removed = action.do === 'end' ? action.remove : [];
	const isLeft = rowsOf(world, run.order).some(
		({ id, status, run: name }) =>
			status === 'sending' && name === state.asked.run && !removed.includes(id),
	);
	const earlier = before.runs.find((one) => one.state.asked.run === state.asked.run);
	const isUnanswered =
		(earlier?.unansweredAt ?? -Infinity) > -Infinity ||
		(step.do === 'send' && ['none', 'error'].includes(step.result ?? ''));
	if (isLeft && !isUnanswered) return 'leaves open what was answered';
	if (say.say === 'later' && say.from === undefined && step.do === 'call' && state.rounds < ROUNDS)
		return 'ends although it could begin anew';
	const { answer, rounds, rows } = state;
	const isNewKeyAskedFor = answer?.kind === 'refused' && answer.needsNewKey && rounds < ROUNDS;
	if (say.say === 'refused' && isNewKeyAskedFor) return 'ends although another key is asked for';
	const isKnown = (row: Row) => row.status === 'paid' && 'id' in say && row.withdrawalId === say.id;
	if (say.say === 'failed' && step.do === 'call' && rows.some(isKnown))
		return 'does not pay again what it knew to be paid';
	return undefined;
}

/**
 * Whether it was made by this run, or by another one that sent while this one was doing so: nobody can
 * tell these apart, and only one of them calls it new.
 */
function isMadeMeanwhile({ run, at }: Withdrawal, { state }: Run): boolean {
	const { asked, rows, generation } = state;
	const own = rows.filter((row) => row.status === 'sending' && row.run === asked.run);
	const begun = own.filter((row) => row.generation === generation).map((row) => row.at);
	return run === asked.run || at * TICK_MS >= Math.max(...begun);
}

function findEffect(world: World, order: number): string | undefined {
	if (living(world, order).length > 0) return 'says that it had no effect, but it was paid';
	if (canStillPay(world, order)) return 'says that it had no effect, but a request may still pay';
	return undefined;
}
