/**
 * Everything around an order: the ledger, the payment service, the network, time, people, and runs that
 * die. `moves` says what may happen next. What a run does is never decided here, but by `protocol.ts`:
 * this file carries out its actions, one at a time, in any order with everything else.
 */
import * as shipped from '../../nodes/BrlPayments/orders/protocol';
import { PERSON } from '../../nodes/BrlPayments/orders/protocol';
import type {
	Action,
	Answer,
	Conclusion,
	Found,
	List,
	Row,
	Settlement,
	Sought,
	Step as Planned,
} from '../../nodes/BrlPayments/orders/protocol';
import {
	COUNTS,
	LAG,
	LATE,
	SKEW_ALLOWED,
	TICK_MS,
	type Bounds,
	type Counts,
	type Machine,
	type Wish,
} from './bounds';
import { runName, toRun } from './sameness';
import { Service } from './service';
import {
	accountOf,
	addWithdrawal,
	changeWithdrawal,
	idOf,
	numberOf,
	remove,
	rowsOf,
	spend,
	write,
	type Look,
	type Move,
	type Request,
	type Run,
	type Said,
	type Step,
	type World,
} from './state';

/** Everything that may happen in worlds of these bounds. */
export class Environment {
	private readonly service: Service;

	constructor(
		private readonly bounds: Bounds,
		private readonly machine: Machine,
	) {
		this.service = new Service(bounds);
	}

	begin(): World {
		const { bounds, machine } = this;
		const counts = Object.fromEntries(COUNTS.map((count) => [count, bounds[count]]));
		const nothing = {
			ledger: [],
			keys: [],
			withdrawals: [],
			requests: [],
			runs: [],
			look: undefined,
		};
		const left = counts as unknown as Counts;
		const world: World = { ...nothing, now: 0, left, runsBegun: 0, rowsWritten: 0 };
		if (!bounds.isTakenOver) return world;
		const { content } = bounds.wishes[0] as Wish;
		const paid = addWithdrawal(world, { order: 0, account: 'A', content, run: '' });
		const settlement = machine.settlePaid([], idOf(0), content, [], 0);
		if (!('record' in settlement)) return paid;
		return write(paid, 0, { run: PERSON, apiKey: 'a', content: '' }, settlement.record)[0];
	}

	moves(world: World): Move[] {
		// What a run does alone, and what it can do only once it can, needs no interleaving.
		const alone = world.runs.find((run) => this.isOverdue(world, run));
		if (alone) return this.ofRun(world, alone);
		return [
			...this.ofTime(world),
			...this.ofStarts(world),
			...this.ofKills(world),
			...this.ofService(world),
			...this.ofEdits(world),
			...this.ofPeople(world),
			...world.runs.flatMap((run) => this.ofRun(world, run)),
		];
	}

	private isOverdue(world: World, { action, state }: Run): boolean {
		return action.do === 'send' && !this.machine.mayAttempt(state, world.now * TICK_MS);
	}

	private ofTime(world: World): Move[] {
		const { left } = world;
		const moves: Move[] = [];
		if (left.ticks > 0) moves.push(this.wait(spend(world, 'ticks'), 1));
		if (left.jumps > 0) moves.push(this.wait(spend(world, 'jumps'), this.bounds.jump));
		return moves;
	}

	/** Requests that are under way for too long are gone. */
	wait(world: World, ticks: number): Move {
		const now = world.now + ticks;
		const requests = world.requests.filter(({ sentAt }) => sentAt + LATE >= now);
		return { step: { do: 'wait', what: `${ticks} ticks` }, world: { ...world, now, requests } };
	}

	private ofStarts(world: World): Move[] {
		const { bounds } = this;
		if (world.left.runs === 0 || world.runs.length >= bounds.atOnce) return [];
		const spent = spend(world, 'runs');
		return range(bounds.orders).flatMap((order) =>
			bounds.wishes.flatMap((wish) =>
				bounds.apiKeys.map((apiKey) => this.start(spent, order, wish, apiKey)),
			),
		);
	}

	/** A run begins, and reads the ledger: before that it has done nothing. */
	start(world: World, order: number, wish: Wish, apiKey: string): Move {
		const run = runName(world.runsBegun);
		const { state, action } = this.machine.begin({ run, apiKey, content: wish.content });
		const step: Step = { do: 'start', run, order, what: { ...wish, apiKey } };
		const begun = { ...world, runsBegun: world.runsBegun + 1 };
		const none = toRun({ order, body: wish.body }, state, action);
		const planned = this.machine.sawRows(state, rowsOf(world, order), world.now * TICK_MS);
		return this.tell(begun, none, planned, step);
	}

	/** Notes what the protocol wants next. */
	private tell(world: World, run: Run, planned: Planned, step: Step): Move {
		const { state, action } = planned;
		const next = toRun(run, state, action);
		if (action.do !== 'end') return { step, world: replace(world, run, next) };
		const conclusion = { run: next, say: action.conclusion };
		const told = noteTold(world, run.order, action.conclusion);
		const isOver = action.record.length === 0 && action.remove.length === 0;
		return { step, world: replace(told, run, isOver ? undefined : next), conclusion };
	}

	private ofKills(world: World): Move[] {
		if (world.left.kills === 0) return [];
		const { ledger } = world;
		return world.runs.flatMap((run): Move[] => {
			const { run: name } = run.state.asked;
			const killed = replace(spend(world, 'kills'), run, undefined);
			const idle: Step = { do: 'kill', run: name };
			// A run that has left nothing behind might as well never have begun.
			const moves = ledger.some(({ row }) => row.run === name)
				? [{ step: idle, world: killed }]
				: [];
			if (run.action.do !== 'send') return moves;
			const request = this.request(world, run, run.action.generation);
			const step: Step = { do: 'kill', run: name, what: 'while it sends' };
			return [...moves, { step, world: { ...killed, requests: [...killed.requests, request] } }];
		});
	}

	private request({ now }: World, { order, body, state }: Run, generation: number): Request {
		const { content, apiKey, run } = state.asked;
		return {
			order,
			key: this.key(order, generation, apiKey),
			content,
			body,
			apiKey,
			run,
			sentAt: now,
		};
	}

	private key(order: number, generation: number, apiKey: string): string {
		const scope = this.bounds.keyScope === 'apiKey' ? apiKey : accountOf(apiKey);
		return `${order}${generation}${scope}`;
	}

	/** What happens at the service and at the bank, without a run. */
	private ofService(world: World): Move[] {
		const { left, requests, withdrawals } = world;
		const moves: Move[] = [];
		for (const [index, request] of requests.entries()) {
			const rest = { ...world, requests: requests.filter((_, place) => place !== index) };
			for (const { world: next, result } of this.service.execute(rest, request)) {
				moves.push({ step: { do: 'arrive', run: request.run, result }, world: next });
			}
		}
		const id = idOf(withdrawals.length);
		const others = { order: undefined, account: 'A', run: '' };
		if (left.lookalikes > 0) {
			for (const content of new Set(this.bounds.wishes.map((wish) => wish.content))) {
				const next = addWithdrawal(spend(world, 'lookalikes'), { ...others, content });
				moves.push({ step: { do: 'lookalike', what: content, result: `paid ${id}` }, world: next });
			}
		}
		if (left.strangers > 0) moves.push(...this.ofStrangers(world));
		if (left.bankRefusals > 0) {
			for (const [number, { order, isFailed }] of withdrawals.entries()) {
				if (isFailed || (order === undefined && !this.bounds.isPersonMistaken)) continue;
				const next = changeWithdrawal(spend(world, 'bankRefusals'), number, { isFailed: true });
				moves.push({ step: { do: 'bankRefuses', what: idOf(number) }, world: next });
			}
		}
		return moves;
	}

	private ofStrangers(world: World): Move[] {
		const [order, apiKey] = [0, 'a'];
		const key = this.key(order, 0, apiKey);
		if (world.keys.some((known) => known.key === key)) return [];
		const number = world.withdrawals.length;
		const made = { order: undefined, account: 'A', run: '', content: 'stranger' };
		const request = { ...made, order, key, body: 'stranger', apiKey, sentAt: world.now };
		const next = this.service.keep(addWithdrawal(spend(world, 'strangers'), made), request, number);
		return [{ step: { do: 'stranger', order, result: `paid ${idOf(number)}` }, world: next }];
	}

	// Runs

	private ofRun(world: World, run: Run): Move[] {
		const { action, order } = run;
		const name = run.state.asked.run;
		const call = (what: string, result = ''): Step => ({ do: 'call', run: name, what, result });
		switch (action.do) {
			case 'change': {
				if (action.record.length > 0) {
					const [next] = write(world, order, run.state.asked, action.record);
					const half = toRun(run, run.state, { ...action, record: [] }, true);
					return [{ step: call('insert'), world: replace(next, run, half) }];
				}
				if (action.remove.length > 0) {
					const next = remove(world, action.remove);
					const half = toRun(run, run.state, { ...action, remove: [] }, run.half);
					return [{ step: call('withdraw'), world: replace(next, run, half) }];
				}
				if (run.half) return this.readBack(world, run, call('readBack'));
				return [this.read(world, run, rowsOf(world, order), call('read'))];
			}
			case 'send':
				return this.send(world, run, action.generation);
			case 'fetch':
				return this.fetch(world, run, action.id).map(([next, found, isSame]) => {
					const owners = ownersOf(world, order, action.id, isByRun);
					const planned = this.machine.sawWithdrawal(run.state, found, isSame, owners);
					return this.tell(next, run, planned, call('fetch', found));
				});
			case 'list': {
				const { apiKey } = run.state.asked;
				return this.list(world, order, apiKey, action).map(([next, list]) =>
					this.tell(
						next,
						run,
						this.machine.sawList(run.state, list),
						call('list', describeList(list)),
					),
				);
			}
			case 'end': {
				if (this.bounds.flaw === 'removesFirst' && action.remove.length > 0) {
					const half = toRun(run, run.state, { ...action, remove: [] });
					const isOver = action.record.length === 0;
					const next = remove(world, action.remove);
					return [{ step: call('remove'), world: replace(next, run, isOver ? undefined : half) }];
				}
				if (!run.half && action.record.length > 0) return [this.record(world, run, action)];
				const next = remove(world, action.remove);
				return [{ step: call('remove'), world: replace(next, run, undefined) }];
			}
		}
	}

	/** What was removed since the run has read the ledger may still be among the rows. */
	private readBack(world: World, run: Run, step: Step): Move[] {
		const rows = rowsOf(world, run.order);
		const gone = run.state.rows.filter(({ id }) => !rows.some((row) => row.id === id));
		const now = this.read(world, run, rows, step);
		return gone.length === 0 ? [now] : [now, this.read(world, run, [...gone, ...rows], step)];
	}

	private read(world: World, run: Run, rows: readonly Row[], step: Step): Move {
		return this.tell(world, run, this.machine.sawRows(run.state, rows, world.now * TICK_MS), step);
	}

	private record(world: World, run: Run, action: Extract<Action, { do: 'end' }>): Move {
		const { run: name } = run.state.asked;
		const [next] = write(world, run.order, run.state.asked, action.record);
		const half = toRun(run, run.state, action, true);
		const isOver = action.remove.length === 0;
		const step: Step = { do: 'call', run: name, what: 'record' };
		return { step, world: replace(next, run, isOver ? undefined : half) };
	}

	private send(world: World, run: Run, generation: number): Move[] {
		const { left, now } = world;
		const { run: name } = run.state.asked;
		const { unansweredAt } = run;
		if (!this.machine.mayAttempt(run.state, now * TICK_MS)) {
			const step: Step = { do: 'call', run: name, what: 'notSend' };
			return [this.answer(world, run, { kind: 'stale' }, unansweredAt, step)];
		}
		const request = this.request(world, run, generation);
		const step = (result: string): Step => ({
			...{ do: 'send', run: name, what: `generation ${generation}`, result },
		});
		const moves = this.service
			.execute(world, request)
			.flatMap(({ world: next, result, answer }) => {
				if (answer.kind === 'unknown') return this.unanswered(next, run, step(result));
				return this.answer(next, run, answer, unansweredAt, step(result));
			});
		if (left.lost > 0) {
			const spent = spend(world, 'lost');
			const sent = { ...spent, requests: [...spent.requests, request] };
			moves.push(...this.unanswered(sent, run, step('none')));
		}
		if (left.unsent > 0) {
			const spent = spend(world, 'unsent');
			moves.push(this.answer(spent, run, { kind: 'notSent' }, unansweredAt, step('unsent')));
		}
		return moves;
	}

	private answer(world: World, run: Run, answer: Answer, unansweredAt: number, step: Step): Move {
		const now = world.now * TICK_MS;
		return this.tell(
			world,
			run,
			this.machine.sawAnswer(run.state, answer, unansweredAt, now),
			step,
		);
	}

	/** The run gives up, or tries again. */
	private unanswered(world: World, run: Run, step: Step): Move[] {
		const unansweredAt = world.now * TICK_MS;
		const moves = [this.answer(world, run, { kind: 'unknown' }, unansweredAt, step)];
		if (world.left.repeats > 0) {
			const again = toRun(run, run.state, run.action, false, unansweredAt);
			const next = replace(spend(world, 'repeats'), run, again);
			moves.push({ step: { ...step, what: 'and is going to try again' }, world: next });
		}
		return moves;
	}

	private fetch(world: World, run: Run, id: string): Array<[World, Found, boolean]> {
		const { apiKey, content } = run.state.asked;
		const found = world.withdrawals[numberOf(id)];
		const recorded = run.state.rows.find(
			(row) => row.status === 'paid' && row.withdrawalId === id,
		)?.content;
		const isSameRecorded = recorded === content;
		if (found?.account !== accountOf(apiKey)) return [[world, 'unreadable', isSameRecorded]];
		const state = found.isFailed ? 'failed' : 'living';
		const read: [World, Found, boolean] = [world, state, found.content === content];
		if (world.left.unreadable === 0) return [read];
		return [read, [spend(world, 'unreadable'), 'unreadable', isSameRecorded]];
	}

	private isOthers(world: World, order: number, id: string): boolean {
		if (this.bounds.flaw === 'asksNobody') return false;
		const isMeant = this.bounds.flaw === 'believesPeople' ? undefined : isByRun;
		return ownersOf(world, order, id, isMeant).length > 0;
	}

	/** The list as it is, and as it may be while it lags. */
	private list(world: World, order: number, apiKey: string, sought: Sought): Array<[World, List]> {
		const { now, withdrawals, left } = world;
		const { contents, since } = sought;
		const { flaw } = this.bounds;
		const until =
			flaw === 'listsLater'
				? Infinity
				: sought.until - (flaw === 'listsEarly' ? shipped.PROOF_MS : 0);
		const read = (listedUntil: number): List => {
			const ids = withdrawals.flatMap((one, number): string[] => {
				const id = idOf(number);
				const isListed =
					one.account === accountOf(apiKey) && !one.isFailed && one.at <= listedUntil;
				const madeAt = one.at + this.bounds.skew;
				const isInTime =
					(madeAt + SKEW_ALLOWED) * TICK_MS >= since && (madeAt - SKEW_ALLOWED) * TICK_MS <= until;
				const isMeant = contents.has(one.content) && isInTime;
				return isListed && isMeant && !this.isOthers(world, order, id) ? [id] : [];
			});
			return { ids, apiKey, at: now * TICK_MS };
		};
		const isYoung = withdrawals.some(({ at }) => now - at < LAG);
		const unreadable: List = { ids: undefined, apiKey, at: now * TICK_MS };
		return [
			[world, read(now)],
			...(isYoung ? [[world, read(now - LAG)] as [World, List]] : []),
			...(left.unreadable > 0 ? [[spend(world, 'unreadable'), unreadable] as [World, List]] : []),
		];
	}

	// People

	private ofEdits(world: World): Move[] {
		if (world.left.edits === 0) return [];
		return world.ledger.map((edited): Move => {
			const { order, row } = edited;
			const unread: Row = { ...row, status: 'edited', content: '' };
			const ledger = world.ledger.map((one) => (one === edited ? { order, row: unread } : one));
			return {
				step: { do: 'edit', order, what: row },
				world: { ...spend(world, 'edits'), ledger },
			};
		});
	}

	private ofPeople(world: World): Move[] {
		const { left, look } = world;
		if (look?.said) return [this.write(world, look, look.said)];
		if (look) {
			const { apiKeys, personKeys = apiKeys } = this.bounds;
			return personKeys.flatMap((apiKey) => this.settle(world, look, apiKey));
		}
		if (left.words === 0) return [];
		return range(this.bounds.orders).flatMap((order) => {
			const rows = rowsOf(world, order);
			const isOpen = this.machine.findDoubt(rows) !== undefined || isWord(rows);
			const mayBeLate = this.bounds.isPersonMistaken && rows.length === 0;
			return isOpen || mayBeLate ? [this.look(spend(world, 'words'), order)] : [];
		});
	}

	/** Others pay the same again, if they do so in these worlds. */
	payAlike(world: World): Move[] {
		if (!this.bounds.othersKeepPaying) return [];
		let paid = world;
		for (const { content } of this.bounds.wishes) {
			paid = addWithdrawal(paid, { order: undefined, account: 'A', run: '', content });
		}
		const { content } = this.bounds.wishes[0] as Wish;
		const result = `paid ${idOf(world.withdrawals.length)}`;
		return [{ step: { do: 'lookalike', what: content, result }, world: paid }];
	}

	/**
	 * A person looks for a withdrawal of the order, at the service and at the bank; both lag.
	 * @param shown what the person was told of, which can be looked up by its ID
	 */
	look(world: World, order: number, shown: readonly string[] = []): Move {
		const { now, withdrawals } = world;
		const numbers = [...withdrawals.keys()];
		const known = [...shown, ...rowsOf(world, order).map(({ withdrawalId }) => withdrawalId)];
		const seen = numbers.filter((number) => {
			const { at = now, isFailed = true } = withdrawals[number] ?? {};
			return !isFailed && (now - at >= LAG || known.includes(idOf(number)));
		});
		const own = seen.find((number) => withdrawals[number]?.order === order);
		const found = own ?? this.findTaken(world, order);
		const ruledOut = seen.filter((number) => number !== found).map(idOf);
		const id = found === undefined ? undefined : idOf(found);
		const look = { order, found, ruledOut, at: now, said: undefined };
		return { step: { do: 'look', order, found: id }, world: { ...world, look } };
	}

	/** What a person takes for the order's own who is mistaken. */
	private findTaken(world: World, order: number): number | undefined {
		if (!this.bounds.isPersonMistaken) return undefined;
		const isSent = rowsOf(world, order).length > 0;
		// Nobody records for a reference that was never sent what a run is about to record.
		const isExcluded = !isSent || this.bounds.sparesRuns;
		const found = world.withdrawals.findIndex((one) => {
			const isUnderWay = isExcluded && world.runs.some((run) => run.order === one.order);
			return one.order !== order && !one.isFailed && !isUnderWay;
		});
		return found === -1 ? undefined : found;
	}

	/** The person says what was found when looking, which may have been some time ago; the node reads and checks. */
	settle(world: World, look: Look, apiKey: string): Move[] {
		const { machine, bounds } = this;
		const { order, found, ruledOut } = look;
		const rows = rowsOf(world, order);
		const conclude = (next: World, settlement: Settlement): Move => {
			const step: Step = {
				do: 'settle',
				order,
				found: found === undefined ? undefined : idOf(found),
				what: apiKey,
				result: 'record' in settlement ? 'accepted' : settlement.because,
			};
			if ('record' in settlement) {
				return { step, world: { ...next, look: { ...look, said: { apiKey, ...settlement } } } };
			}
			const over = { ...next, look: undefined };
			if (settlement.because === 'otherOrder')
				return { step, world: over, owners: settlement.ids.map(orderOf) };
			const isShown = settlement.because === 'candidates';
			return { step, world: isShown ? this.look(over, order, settlement.ids).world : over };
		};
		if (found !== undefined) {
			const withdrawal = world.withdrawals[found];
			if (withdrawal?.account !== accountOf(apiKey)) return [];
			const { content, isFailed } = withdrawal;
			const id = idOf(found);
			const owners = ownersOf(world, order, id).filter(
				(owner) => shipped.findPaid(rowsOf(world, orderOf(owner)))?.withdrawalId === id,
			);
			return [
				conclude(
					world,
					machine.settlePaid(rows, id, isFailed ? '' : content, owners, world.now * TICK_MS),
				),
			];
		}
		// Who looks only at lists has looked nothing up elsewhere.
		const lookedAt = bounds.personKeys === undefined ? look.at * TICK_MS : -Infinity;
		const sought = machine.findDoubt(rows);
		if (sought === undefined) {
			if (!isWord(rows))
				return [{ step: { do: 'leave', order }, world: { ...world, look: undefined } }];
			const none: List = { ids: undefined, apiKey, at: world.now * TICK_MS };
			return [conclude(world, machine.settleNotPaid(rows, none, ruledOut, lookedAt))];
		}
		return this.list(world, order, apiKey, sought).map(([next, list]) =>
			conclude(next, machine.settleNotPaid(rows, list, ruledOut, lookedAt)),
		);
	}

	/** What was accepted is written, which may be some time later. */
	write(world: World, { order }: Look, { apiKey, record, remove: ids }: Said): Move {
		const over = { ...world, look: undefined };
		const [written] = write(over, order, { run: PERSON, apiKey, content: '' }, record);
		return { step: { do: 'write', order }, world: remove(written, ids) };
	}
}

const isByRun = (row: Row) => row.run !== PERSON;

/** Whether a person has said that the order was paid, and no run has. */
export const isWord = (rows: readonly Row[]) => shipped.findPaid(rows)?.run === PERSON;

/** The other orders that the ledger has a withdrawal for. */
function ownersOf(
	{ ledger }: World,
	order: number,
	id: string,
	isMeant: (row: Row) => boolean = () => true,
): string[] {
	const rows = ledger.filter(
		({ row }) => row.withdrawalId === id && row.status === 'paid' && isMeant(row),
	);
	const others = new Set(rows.map((one) => one.order).filter((one) => one !== order));
	return [...others].map((one) => `order ${one}`);
}

const orderOf = (owner: string) => Number(owner.slice('order '.length));

function noteTold(world: World, order: number, conclusion: Conclusion): World {
	if (conclusion.say !== 'paid') return world;
	const isNew = conclusion.isNew ? { isToldAsNew: true } : {};
	return changeWithdrawal(world, numberOf(conclusion.id), { ...isNew, isToldFor: order });
}

function replace(world: World, run: Run, next: Run | undefined): World {
	const others = world.runs.filter((one) => one !== run);
	return { ...world, runs: next ? [...others, next] : others };
}

function range(length: number): number[] {
	return Array.from({ length }, (_, index) => index);
}

function describeList({ ids }: List): string {
	if (ids === undefined) return 'not complete';
	return ids.length === 0 ? 'absent' : ids.join(', ');
}
