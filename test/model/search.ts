/** Breadth first through all worlds that can come about within some bounds: the first violation is a shortest one. */
import { createHash } from 'node:crypto';

import { findViolation, type Violation } from './invariants';
import {
	begin,
	Environment,
	keyOf,
	NOTHING_LEFT,
	restingKeyOf,
	TICK_MS,
	type Bounds,
	type Machine,
	type Move,
	type World,
} from './world';

export interface Found extends Violation {
	readonly path: readonly Move[];
	/** Of `I3`: what followed when no fault happened any more. */
	readonly aftermath: readonly Move[];
}

export interface Result {
	readonly states: number;
	readonly depth: number;
	/** Whether all worlds were seen. */
	readonly isComplete: boolean;
	readonly found: Found | undefined;
	/** How often the worlds at rest ended how. */
	readonly ends: ReadonlyMap<string, number>;
}

export function search(bounds: Bounds, machine: Machine, most = Infinity): Result {
	const environment = new Environment(bounds, machine);
	const first = begin(bounds);
	const seen = new Set([digest(keyOf(first))]);
	const resting = new Set<string>();
	const ends = new Map<string, number>();
	// Of each world, the one that it came from, and which of its moves led here: `path` makes them again.
	const parents = [-1];
	const places = [-1];
	let level: Array<{ readonly index: number; readonly world: World }> = [
		{ index: 0, world: first },
	];
	let depth = 0;

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
		states: seen.size,
		depth,
		isComplete,
		found,
		ends,
	});

	while (level.length > 0) {
		const next: typeof level = [];
		for (const { index, world } of level) {
			if (isAtRest(world)) {
				const key = digest(restingKeyOf(world));
				if (!resting.has(key)) {
					resting.add(key);
					const stuck = new Aftermath(bounds, machine, ends).findStuck(world);
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
		if (level.length > 0) depth += 1;
	}
	return result(true);
}

function digest(text: string): string {
	return createHash('md5').update(text).digest('binary');
}

function isAtRest({ runs, requests, keys, look }: World): boolean {
	return (
		runs.length === 0 &&
		requests.length === 0 &&
		look === undefined &&
		!keys.some(({ result }) => result === 'busy')
	);
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

const CLAIMED_TWICE = 'in doubt (claimedTwice)';

/** More than any run takes. */
const MOST_STEPS = 80;

/**
 * I3. From a world at rest, and with no more faults, two runs settle the order, or say what a person has to do;
 * once a truthful person has done so, two runs settle it.
 */
class Aftermath {
	private readonly environment: Environment;

	constructor(
		private readonly bounds: Bounds,
		machine: Machine,
		private readonly ends: Map<string, number>,
	) {
		this.environment = new Environment(
			{ ...bounds, isSlow: false, isPersonMistaken: false },
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
			if (!isDoubt(end)) {
				this.count(end.say);
				continue;
			}
			const stuck = this.findStuckInDoubt(end, order, apiKey, start);
			if (stuck) return stuck;
		}
		return undefined;
	}

	/** @param said what a person was told before */
	private findStuckInDoubt(
		end: Ended,
		order: number,
		apiKey: string,
		start: (world: World) => Move,
		said: readonly string[] = [end.say],
	): Stuck | undefined {
		for (const word of this.word(end, order, apiKey)) {
			if ('violation' in word) return word;
			const next = this.payAlike(word);
			for (const last of this.runTwice(next.moves, next.world, start)) {
				if ('violation' in last) return last;
				const all = [...said, last.say];
				// Once the table is corrected, it may still be in doubt.
				const isCorrected = said.length === 1 && end.say === CLAIMED_TWICE;
				const isTold = isDoubt(last) && isCorrected && last.say !== CLAIMED_TWICE;
				if (isDoubt(last) && !isTold)
					return stuckWith(`after a person's word: ${all.join(', then ')}`, last.moves);
				const stuck = isTold ? this.findStuckInDoubt(last, order, apiKey, start, all) : undefined;
				if (stuck) return stuck;
				if (!isTold) this.count(all.join(', then '));
			}
		}
		return undefined;
	}

	private count(end: string): void {
		this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
	}

	/** The second one when the first one said that it will be known. */
	private runTwice(
		before: readonly Move[],
		world: World,
		start: (world: World) => Move,
	): Array<Ended | Stuck> {
		return this.runOnce(before, world, start).flatMap((end): Array<Ended | Stuck> => {
			if ('violation' in end || end.say !== 'later') return [end];
			// When the service gives no clear answer, a person tries again some minutes later.
			const least = isUnclear(end) ? 2 : 0;
			const ticks = Math.max(least, Math.ceil((end.from ?? 0) / TICK_MS) - end.world.now);
			const waited = this.wait(end, ticks);
			return this.runOnce(waited.moves, waited.world, start).map((again) =>
				'violation' in again || again.say !== 'later'
					? again
					: stuckWith('says later twice', again.moves),
			);
		});
	}

	private wait(
		{ world, moves }: Pick<Ended, 'world' | 'moves'>,
		ticks: number,
	): Pick<Ended, 'world' | 'moves'> {
		if (ticks === 0) return { world, moves };
		const [move] = this.environment.wait(world, ticks);
		if (move === undefined) throw new TypeError('It is not at rest');
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
			if (path.length - before.length > MOST_STEPS) {
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

	/** A truthful person who has read the conclusion some minutes later, and settles; if refused, looks once more. */
	private word(
		end: Ended,
		order: number,
		apiKey: string,
	): Array<Pick<Ended, 'world' | 'moves'> | Stuck> {
		if (end.say === CLAIMED_TWICE) {
			// Some minutes later, a person corrects what is wrong in the table, if anything is.
			const later = this.wait(end, 2);
			const moves = this.environment.correct(later.world);
			if (moves.length === 0) return [later];
			return moves.map((move) => ({ world: move.world, moves: [...later.moves, move] }));
		}
		const attempt = (
			before: Pick<Ended, 'world' | 'moves'>,
			again: boolean,
		): Array<Pick<Ended, 'world' | 'moves'> | Stuck> => {
			const { world, moves } = this.payAlike(this.wait(before, 2));
			const look = this.environment.look(world, order);
			const seen = look.world.look;
			if (seen === undefined) throw new TypeError('A person looks');
			const account = seen.found === undefined ? undefined : world.withdrawals[seen.found]?.account;
			const keys = [apiKey, ...this.bounds.apiKeys];
			const key =
				keys.find((one) => account === undefined || (one === 'x' ? 'X' : 'A') === account) ??
				apiKey;
			return this.environment.settle(look.world, seen, key).flatMap((move) => {
				const next = { world: move.world, moves: [...moves, look, move] };
				const result = move.step.do === 'settle' ? move.step.result : 'nothing';
				if (result === 'accepted') return [next];
				if (result === 'newCandidates' && again) return attempt(next, false);
				return [stuckWith(`a person's word is refused: ${result}`, next.moves)];
			});
		};
		return attempt(end, true);
	}
}

function sayOf(conclusion: NonNullable<Move['conclusion']>['say']): string {
	return conclusion.say === 'inDoubt' ? `in doubt (${conclusion.because.reason})` : conclusion.say;
}

function isUnclear({ moves }: Ended): boolean {
	const last = moves.findLast(({ step }) => step.do === 'send')?.step;
	return last?.do === 'send' && last.result === 'error';
}

/** A withdrawal that the API key cannot read is settled by a run with another API key. */
function isDoubt({ say }: Ended): boolean {
	return say.startsWith('in doubt') && say !== 'in doubt (unreadableWord)';
}

function stuckWith(what: string, moves: readonly Move[]): Stuck {
	return { violation: { invariant: 'I3', what }, moves };
}
