/** Breadth first through all worlds that can come about within some bounds: the first violation is a shortest one. */
import { createHash } from 'node:crypto';

import { findViolation, type Violation } from './invariants';
import { findPaid, openSendings, type Row } from '../../nodes/BrlPayments/orders/protocol';
import { NOTHING_LEFT, TICK_MS, type Bounds, type Machine } from './bounds';
import { keyOf, restingKeyOf } from './sameness';
import { accountOf, numberOf, rowsOf, type Move, type World } from './state';
import { Environment, isWord } from './world';

export interface Found extends Violation {
	readonly path: readonly Move[];
	/** Of `I3`: what followed when no fault happened any more. */
	readonly aftermath: readonly Move[];
}

export interface Result {
	readonly states: number;
	/** Whether all worlds were seen. */
	readonly isComplete: boolean;
	readonly found: Found | undefined;
}

export function search(bounds: Bounds, machine: Machine, most = Infinity): Result {
	const environment = new Environment(bounds, machine);
	const first = environment.begin();
	const seen = new Set([digest(keyOf(first))]);
	const resting = new Set<string>();
	// Of each world, the one that it came from, and which of its moves led here: `path` makes them again.
	const parents = [-1];
	const places = [-1];
	let level: Array<{ readonly index: number; readonly world: World }> = [
		{ index: 0, world: first },
	];

	const path = (index: number, last: readonly Move[]): Move[] => {
		const turns: number[] = [];
		for (let at = index; at > 0; at = parents[at] ?? 0) turns.unshift(places[at] ?? 0);
		let world = first;
		const moves = turns.map((turn) => {
			const move = environment.moves(world)[turn];
			if (move === undefined) throw new TypeError('The moves of a world are not always the same');
			world = move.world;
			return move;
		});
		return [...moves, ...last];
	};
	const result = (isComplete: boolean, found?: Found): Result => ({
		...{ states: seen.size, isComplete, found },
	});

	while (level.length > 0) {
		const next: typeof level = [];
		for (const { index, world } of level) {
			if (isAtRest(world)) {
				const key = digest(restingKeyOf(world));
				if (!resting.has(key)) {
					resting.add(key);
					const stuck = new Aftermath(bounds, machine).findStuck(world);
					if (stuck) {
						return result(false, {
							...stuck.violation,
							path: path(index, []),
							aftermath: stuck.moves,
						});
					}
				}
			}
			for (const [place, move] of environment.moves(world).entries()) {
				const violation = findViolation(world, move);
				if (violation) {
					return result(false, { ...violation, path: path(index, [move]), aftermath: [] });
				}
				const key = digest(keyOf(move.world));
				if (seen.has(key)) continue;
				seen.add(key);
				parents.push(index);
				places.push(place);
				next.push({ index: parents.length - 1, world: move.world });
			}
		}
		if (seen.size > most) return result(false);
		level = next;
	}
	return result(true);
}

function digest(text: string): string {
	return createHash('md5').update(text).digest('binary');
}

function isAtRest({ runs, requests, look }: World): boolean {
	return runs.length === 0 && requests.length === 0 && look === undefined;
}

interface Stuck {
	readonly violation: Violation;
	readonly moves: readonly Move[];
}

interface Ended {
	readonly world: World;
	readonly moves: readonly Move[];
	readonly say: string;
	readonly from?: number | undefined;
}

/** More than any run takes. */
const MOST_STEPS = 80;
const MOST_WORLDS = 5_000;

/**
 * I3. From a world at rest, and with no more faults, two runs settle the order, or say what a person has to do;
 * once a truthful person has done so, two runs settle it.
 */
class Aftermath {
	private readonly environment: Environment;

	constructor(
		private readonly bounds: Bounds,
		machine: Machine,
	) {
		this.environment = new Environment(
			{ ...bounds, isPersonMistaken: false, personKeys: undefined },
			machine,
		);
	}

	findStuck(world: World): Stuck | undefined {
		const rested: World = { ...world, left: NOTHING_LEFT };
		for (let order = 0; order < this.bounds.orders; order += 1) {
			for (const wish of this.bounds.wishes) {
				for (const apiKey of this.bounds.apiKeys) {
					const run = (from: World) => this.environment.start(from, order, wish, apiKey);
					const stuck = this.settles(rested, order, apiKey, run);
					if (stuck) return stuck;
				}
			}
		}
		return undefined;
	}

	private settles(
		world: World,
		order: number,
		apiKey: string,
		start: (world: World) => Move,
	): Stuck | undefined {
		for (const end of this.runTwice([], world, start)) {
			if ('violation' in end) return end;
			if (isDoubt(end) && this.isCalm())
				return stuckWith('asks a person where only an answer is missing', end.moves);
			const isSettled = !isDoubt(end) && !isWronglySettled(end.world, order);
			const stuck = isSettled
				? findLeftovers(end, order)
				: (this.findGrowth(end, order, start) ?? this.findStuckInDoubt(end, order, apiKey, start));
			if (stuck) return stuck;
		}
		return undefined;
	}

	/** Nobody else pays, and whoever asks for the order asks for the same while its key is alive. */
	private isCalm(): boolean {
		const { lookalikes, strangers, refusals, jumps, unreadable, edits } = this.bounds;
		const { keepsErrors, wrong, orders, wishes, apiKeys } = this.bounds;
		return (
			lookalikes + strangers + refusals + jumps + unreadable + edits === 0 &&
			orders + wishes.length + apiKeys.length === 3 &&
			!keepsErrors &&
			wrong === undefined
		);
	}

	/** Somebody may run what is in doubt every minute. */
	private findGrowth(
		{ world, moves }: Ended,
		order: number,
		start: (world: World) => Move,
	): Stuck | undefined {
		for (const again of this.runOnce(moves, world, start)) {
			if ('violation' in again) return again;
			// A list that lags may hide a look-alike that another one has shown: then the order is paid.
			if (!isDoubt(again)) continue;
			if (outcomesOf(again.world, order).length > outcomesOf(world, order).length)
				return stuckWith('a doubt that is run again adds a row', again.moves);
		}
		return undefined;
	}

	private findStuckInDoubt(
		end: Ended,
		order: number,
		apiKey: string,
		start: (world: World) => Move,
	): Stuck | undefined {
		for (const word of this.word(end, order, apiKey)) {
			if ('violation' in word) return word;
			const next = this.payAlike(word);
			for (const last of this.runTwice(next.moves, next.world, start)) {
				if ('violation' in last) return last;
				if (isDoubt(last) || isWronglySettled(last.world, order))
					return stuckWith(`after a person's word: ${end.say}, then ${last.say}`, last.moves);
				const stuck = findLeftovers(last, order);
				if (stuck) return stuck;
			}
		}
		return undefined;
	}

	/** The second one when the first one said that it will be known. */
	private runTwice(
		before: readonly Move[],
		world: World,
		start: (world: World) => Move,
	): Array<Ended | Stuck> {
		return this.runOnce(before, world, start).flatMap((end): Array<Ended | Stuck> => {
			if ('violation' in end || !this.isToRunAgain(end.say)) return [end];
			// When the service gives no clear answer, a person tries again some minutes later.
			const least = isUnclear(end) ? 2 : 0;
			const ticks = Math.max(least, Math.ceil((end.from ?? 0) / TICK_MS) - end.world.now);
			const waited = this.wait(end, ticks);
			return this.runOnce(waited.moves, waited.world, start).map((again) =>
				'violation' in again || !this.isToRunAgain(again.say)
					? again
					: stuckWith(`says ${again.say} twice`, again.moves),
			);
		});
	}

	/** But a charge that has failed may be found under any key, and what is wrong is refused under any. */
	private isToRunAgain(say: string): boolean {
		const { findsExisting, wrong } = this.bounds;
		if (say === 'failed') return !findsExisting;
		return say === 'later' || (say === 'refused' && wrong === undefined);
	}

	private wait(
		{ world, moves }: Pick<Ended, 'world' | 'moves'>,
		ticks: number,
	): Pick<Ended, 'world' | 'moves'> {
		if (ticks === 0) return { world, moves };
		const move = this.environment.wait(world, ticks);
		return { world: move.world, moves: [...moves, move] };
	}

	/** All that a run alone may do. */
	private runOnce(
		before: readonly Move[],
		world: World,
		start: (world: World) => Move,
	): Array<Ended | Stuck> {
		const ended: Array<Ended | Stuck> = [];
		const seen = new Set<string>();
		const follow = (
			from: World,
			move: Move,
			moves: readonly Move[],
			said: Ended['say'] | undefined,
			at?: number,
		): void => {
			const path = [...moves, move];
			const violation = findViolation(from, move);
			if (violation) {
				ended.push({ violation, moves: path });
				return;
			}
			if (path.length - before.length > MOST_STEPS || seen.size > MOST_WORLDS) {
				ended.push(stuckWith('does not end', path));
				return;
			}
			const conclusion = move.conclusion?.say;
			const say = conclusion ? sayOf(conclusion) : said;
			const until = conclusion?.say === 'later' ? conclusion.from : at;
			if (move.world.runs.length === 0) {
				ended.push({ world: move.world, moves: path, say: say ?? 'nothing', from: until });
				return;
			}
			const key = `${say} ${until} ${keyOf(move.world)}`;
			if (seen.has(key)) return;
			seen.add(key);
			for (const next of this.environment.moves(move.world))
				follow(move.world, next, path, say, until);
		};
		follow(world, start(world), before, undefined);
		return ended;
	}

	private payAlike({
		world,
		moves,
	}: Pick<Ended, 'world' | 'moves'>): Pick<Ended, 'world' | 'moves'> {
		const [move] = this.environment.payAlike(world);
		return move === undefined ? { world, moves } : { world: move.world, moves: [...moves, move] };
	}

	/**
	 * A truthful person who has read the conclusion some minutes later, and settles; if the list shows what the
	 * person has not seen, looks at it, and settles once more; if the withdrawal is recorded for another order,
	 * settles that one first.
	 */
	private word(
		end: Pick<Ended, 'world' | 'moves'>,
		order: number,
		apiKey: string,
		isFirst = true,
	): Array<Pick<Ended, 'world' | 'moves'> | Stuck> {
		const { world, moves } = this.payAlike(this.wait(end, 2));
		const look = this.environment.look(world, order);
		const found = look.world.look?.found;
		const account = found === undefined ? undefined : world.withdrawals[found]?.account;
		const keys = [apiKey, ...this.bounds.apiKeys];
		const key = keys.find((one) => account === undefined || accountOf(one) === account) ?? apiKey;
		const say = (
			before: Pick<Ended, 'world' | 'moves'>,
			again: boolean,
		): Array<Pick<Ended, 'world' | 'moves'> | Stuck> => {
			const seen = before.world.look;
			if (seen === undefined) throw new TypeError('A person looks');
			return this.environment.settle(before.world, seen, key).flatMap((move) => {
				const next = { world: move.world, moves: [...before.moves, move] };
				const violation = findViolation(before.world, move);
				if (violation) return [{ violation, moves: next.moves }];
				const { result } = move.step;
				const { look: said } = next.world;
				if (said?.said) {
					const write = this.environment.write(next.world, said, said.said);
					return [{ world: write.world, moves: [...next.moves, write] }];
				}
				if (next.world.look !== undefined && again) return say(this.payAlike(next), false);
				const [owner] = move.owners ?? [];
				if (owner !== undefined && isFirst)
					return this.word(next, owner, apiKey, false).flatMap((other) =>
						'violation' in other ? [other] : this.word(other, order, apiKey, false),
					);
				return [stuckWith(`a person's word is refused: ${result}`, next.moves)];
			});
		};
		return say({ world: look.world, moves: [...moves, look] }, true);
	}
}

function sayOf(conclusion: NonNullable<Move['conclusion']>['say']): string {
	return conclusion.say === 'inDoubt' ? `in doubt (${conclusion.because})` : conclusion.say;
}

function isUnclear({ moves }: Ended): boolean {
	const last = moves.findLast(({ step }) => step.do === 'send')?.step;
	return last?.result === 'error';
}

function outcomesOf(world: World, order: number): Row[] {
	return rowsOf(world, order).filter(({ status }) => status !== 'sending');
}

/** A person's word may be taken back, and what it settles stays open until then. */
function findLeftovers({ say, world, moves }: Ended, order: number): Stuck | undefined {
	const rows = rowsOf(world, order);
	if (say !== 'paid') return undefined;
	if (findPaid(rows) === undefined) return stuckWith('removes the payout', moves);
	if (isWord(rows) || openSendings(rows).length > 0) return undefined;
	const highest = Math.max(...rows.map(({ generation }) => generation));
	const isNeeded = ({ status, generation }: Row) =>
		status === 'paid' || (status !== 'sending' && generation === highest);
	return rows.every(isNeeded) ? undefined : stuckWith('leaves rows behind', moves);
}

/** By the word of a person who was mistaken. */
function isWronglySettled(world: World, order: number): boolean {
	const rows = rowsOf(world, order);
	const paid = world.withdrawals[numberOf(findPaid(rows)?.withdrawalId ?? '')];
	return isWord(rows) && paid?.order !== order;
}

function isDoubt({ say }: Ended): boolean {
	return say.startsWith('in doubt');
}

function stuckWith(what: string, moves: readonly Move[]): Stuck {
	return { violation: { invariant: 'I3', what }, moves };
}
