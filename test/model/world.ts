/**
 * Everything around an order: the ledger, the payment service, the network, time, people, and runs that
 * die. `moves` says what may happen next. What a run does is never decided here, but by `protocol.ts`:
 * this file carries out its actions, one at a time, in any order with everything else.
 */
import { readRow, toCells } from '../../nodes/BrlPayments/ledger/ledger';
import * as shipped from '../../nodes/BrlPayments/ledger/protocol';
import type {
	Action,
	Answer,
	Event,
	Fetched,
	Listed,
	NewRow,
	Row,
	State,
	Step as Planned,
	Conclusion,
} from '../../nodes/BrlPayments/ledger/protocol';
import { KEY_LIFE_MS } from '../../nodes/shared/orders/key';

/** The protocol, or one with a planted fault (faults.ts). */
export type Machine = Pick<
	typeof shipped,
	'begin' | 'advance' | 'mayAttempt' | 'settle' | 'shownBefore' | 'doubtful'
>;

/**
 * Time passes in ticks: two of them make a list a proof, and after one of them a `sending` is no longer
 * fresh. A late request executes within one tick, and the list lags by one.
 */
export const TICK_MS = shipped.PROOF_MS / 2;
const LATE = 1;
const LAG = 1;
/** How long the service knows a key: 24 hours. */
export const KEY_LIFE = (24 * 60 * 60_000) / TICK_MS;
/** For how many whole ticks the node uses a key. */
export const USED_LIFE = Math.floor(KEY_LIFE_MS / TICK_MS);
/** What the engine allows for clocks that differ, when it asks for the list since some time. */
const SKEW_ALLOWED = 1;

/** How often something may happen. */
export interface Counts {
	readonly runs: number;
	/** Two minutes pass. */
	readonly ticks: number;
	/** A long time passes, see `jump`. */
	readonly jumps: number;
	/** An attempt gets no answer; its request may execute late, or never. */
	readonly lost: number;
	/** An attempt that got no answer is made again by the same run. */
	readonly repeats: number;
	/** An attempt whose request surely never left. */
	readonly unsent: number;
	readonly refusals: number;
	/** Something on the way sends a request twice: the run gets the refusal of one, the other is late. */
	readonly copies: number;
	readonly kills: number;
	/** Somebody else pays the same amount to the same PIX key. */
	readonly lookalikes: number;
	/** Another tool uses the key of generation 0 for a request of its own. */
	readonly strangers: number;
	readonly bankRefusals: number;
	/** A person looks, and later settles the reference. */
	readonly words: number;
	/** A person edits a row of the table. */
	readonly edits: number;
	/** A person deletes a row of the table. */
	readonly deletions: number;
	/** An attempt is answered with what belongs to another order. */
	readonly mixups: number;
	/** The rows of an outcome cannot be written. */
	readonly failedWrites: number;
	/** A list that is not complete, or a withdrawal that cannot be read. */
	readonly unreadable: number;
}

export interface Wish {
	/** Amount and PIX key. */
	readonly content: string;
	/** The whole request. */
	readonly body: string;
}

/** Within what limits the world is searched. */
export interface Bounds extends Counts {
	readonly name: string;
	/** How many references. */
	readonly orders: number;
	/** What runs ask for: more than one where rows are corrected in between. */
	readonly wishes: readonly Wish[];
	/** `a` and `b` belong to one account, `x` to another one. */
	readonly apiKeys: readonly string[];
	/**
	 * Those that a person settles with, who does not look up what their lists cannot show; undefined: the same,
	 * and the person does.
	 */
	readonly personKeys: readonly string[] | undefined;
	readonly atOnce: number;
	/** How many ticks a jump takes. */
	readonly jump: number;
	/** Where the service refuses: under the key, which keeps that; without keeping it; before it looks at the key. */
	readonly refuses: 'kept' | 'forgotten' | 'early';
	/** Whether its refusals ask for a new key. */
	readonly asksNewKey: boolean;
	/** Whether its refusals are of a kind that may come before it looks at the key. */
	readonly looksEarly: boolean;
	/** The body of a request in which something is wrong: it is refused, and kept, whoever sends it. */
	readonly wrong: string | undefined;
	/** Whether it keeps an error under the key that does not say whether anything was paid. */
	readonly keepsErrors: boolean;
	/**
	 * Whether it answers with what it has made for the order before, under whatever key it is asked: as it
	 * may for a charge with an External ID.
	 */
	readonly findsExisting: boolean;
	/** Whether it answers CONFLICT and decides later. */
	readonly isSlow: boolean;
	readonly keyScope: 'account' | 'apiKey';
	/** Whether the ledger has a withdrawal of each API key, by which accounts can be compared. */
	readonly comparesAccounts: boolean;
	/** Ticks by which the clock of the service is ahead of that of the ledger. */
	readonly skew: number;
	/** Whether others pay the same again before each step of a person who settles, and after it. */
	readonly othersKeepPaying: boolean;
	/** Whether a person may speak of candidates that were recorded after the person looked. */
	readonly isPersonHasty: boolean;
	/** Whether a person may take the withdrawal of another order for this one's. */
	readonly isPersonMistaken: boolean;
}

interface LedgerRow {
	readonly order: number;
	readonly row: Row;
}

interface KnownKey {
	readonly key: string;
	readonly body: string;
	readonly since: number;
	/** The number of the withdrawal. */
	readonly result: number | 'refused' | 'busy' | 'error';
	/** Of a busy one. */
	readonly request: Request;
}

export interface Withdrawal {
	/** Undefined: somebody else's. */
	readonly order: number | undefined;
	readonly account: string;
	readonly content: string;
	readonly at: number;
	readonly run: string;
	readonly isFailed: boolean;
	readonly isByCopy?: true;
	readonly isToldAsNew: boolean;
	/** The order for which a run has said last that it was paid by this one. */
	readonly isToldFor: number | undefined;
	/** The order for which an answer has named it first, and when. */
	readonly named: { readonly order: number; readonly at: number } | undefined;
}

interface Request {
	readonly order: number;
	readonly key: string;
	readonly content: string;
	readonly body: string;
	readonly apiKey: string;
	readonly run: string;
	readonly sentAt: number;
	/** Nobody who was refused can know of it. */
	readonly isCopy?: true;
}

export interface Run {
	readonly order: number;
	readonly state: State;
	readonly action: Action;
	/** Of a claim, the `sending` as inserted; of an end, that the rows are written. */
	readonly half: Row | true | undefined;
	readonly unansweredAt: number | undefined;
	/** What `describe` says of it. */
	readonly text: Text;
}

/** What a person has found. */
interface Look {
	readonly order: number;
	/** The number of the order's withdrawal; undefined: there is none. */
	readonly found: number | undefined;
	readonly shown: string;
}

export interface World {
	readonly now: number;
	readonly ledger: readonly LedgerRow[];
	readonly keys: readonly KnownKey[];
	readonly withdrawals: readonly Withdrawal[];
	/** Under way, without anybody who waits for the answer. */
	readonly requests: readonly Request[];
	readonly runs: readonly Run[];
	readonly look: Look | undefined;
	readonly left: Counts;
	readonly runsBegun: number;
	readonly rowsWritten: number;
}

/**
 * One thing that happens: plain data, which story.ts words, and which a script consists of
 * (`story.ts`, `Script`).
 */
export type Step =
	| { readonly do: 'wait'; readonly ticks: number }
	| {
			readonly do: 'start';
			readonly run: string;
			readonly order: number;
			readonly wish: Wish;
			readonly apiKey: string;
	  }
	/** The run makes its next call, see `Action`. */
	| { readonly do: 'call'; readonly run: string; readonly call: Call; readonly result?: string }
	/** The run makes an attempt. `result`: the answer that it gets, if it does. */
	| {
			readonly do: 'send';
			readonly run: string;
			readonly generation: number;
			readonly result: Result | 'none' | 'unsent';
			/** Whether the run tries again. */
			readonly repeats?: true;
			/** Whether the same request is still under way. */
			readonly isCopied?: true;
	  }
	| { readonly do: 'kill'; readonly run: string; readonly while: 'idle' | 'sending' }
	/** A request without anybody who waits for its answer executes. */
	| { readonly do: 'arrive'; readonly run: string; readonly result: Result }
	/** The service decides what it has answered with CONFLICT. */
	| { readonly do: 'decide'; readonly run: string; readonly result: Result }
	| { readonly do: 'lookalike'; readonly content: string; readonly result: Result }
	| { readonly do: 'stranger'; readonly order: number; readonly result: Result }
	| { readonly do: 'bankRefuses'; readonly id: string }
	| { readonly do: 'look'; readonly order: number; readonly found: string | undefined }
	| {
			readonly do: 'settle';
			readonly order: number;
			readonly found: string | undefined;
			readonly apiKey: string;
			readonly result: string;
	  }
	| {
			readonly do: 'edit';
			readonly order: number;
			/** Place of the row among those of its order. */
			readonly row: number;
			readonly status: string;
	  }
	| { readonly do: 'delete'; readonly order: number; readonly row: number };

export type Call =
	'read' | 'insert' | 'readBack' | 'withdraw' | 'notSend' | 'fetch' | 'list' | 'record' | 'remove';

/** What the service does with a request. */
export type Result =
	'refused' | 'mismatch' | 'conflict' | 'error' | `paid ${string}` | `failed ${string}`;

export interface Move {
	readonly step: Step;
	readonly world: World;
	/** What a run has decided to say with this step. */
	readonly conclusion?: { readonly run: Run; readonly say: Conclusion };
}

export const COUNTS = [
	'runs',
	'ticks',
	'jumps',
	'lost',
	'repeats',
	'unsent',
	'refusals',
	'copies',
	'kills',
	'lookalikes',
	'strangers',
	'bankRefusals',
	'words',
	'edits',
	'deletions',
	'mixups',
	'failedWrites',
	'unreadable',
] as const satisfies ReadonlyArray<keyof Counts>;

export const NOTHING_LEFT = Object.fromEntries(
	COUNTS.map((name) => [name, 0]),
) as unknown as Counts;

export function accountOf(apiKey: string): string {
	return apiKey === 'x' ? 'X' : 'A';
}

export function idOf(withdrawal: number): string {
	return `w${withdrawal}`;
}

function numberOf(id: string): number {
	return Number(id.slice(1));
}

/** Run names are single characters of a range of their own, so that `keyOf` can rename them. */
function runName(index: number): string {
	return String.fromCharCode(0xe000 + index);
}
const RUN_NAMES = /[\uE000-\uEFFF]/g;

export function begin({ name: _, ...bounds }: Bounds): World {
	return {
		now: 0,
		ledger: [],
		keys: [],
		withdrawals: [],
		requests: [],
		runs: [],
		look: undefined,
		left: Object.fromEntries(COUNTS.map((count) => [count, bounds[count]])) as unknown as Counts,
		runsBegun: 0,
		rowsWritten: 0,
	};
}

/** The world with one thing less that may happen. */
function spend(world: World, count: keyof Counts): World {
	return { ...world, left: { ...world.left, [count]: world.left[count] - 1 } };
}

export function rowsOf({ ledger }: World, order: number): Row[] {
	return ledger.filter((one) => one.order === order).map(({ row }) => row);
}

function write(world: World, run: Run, rows: readonly NewRow[]): [World, readonly Row[]] {
	const { order } = run;
	const { asked } = run.state;
	const now = world.now * TICK_MS;
	// What a person has said in this tick was said before.
	const said = rowsOf(world, order).flatMap(({ status, at }) =>
		status === 'not paid' ? at + 1 : [],
	);
	const shownAt = Math.max(now, ...said);
	const written = rows.map(({ about = asked, at, ...row }, index): Row => ({
		...row,
		id: world.rowsWritten + index,
		content: about.content,
		body: about.body,
		apiKey: asked.apiKey,
		run: asked.run,
		at: at ?? (row.status === 'in doubt' ? shownAt : now),
	}));
	const ledger = [...world.ledger, ...written.map((row) => ({ order, row }))];
	return [{ ...world, ledger, rowsWritten: world.rowsWritten + rows.length }, written];
}

function remove(world: World, ids: readonly number[]): World {
	if (ids.length === 0) return world;
	return { ...world, ledger: world.ledger.filter(({ row }) => !ids.includes(row.id)) };
}

// The service

function isKnown({ since }: KnownKey, now: number): boolean {
	return now - since < KEY_LIFE;
}

/** Whether a request can still bring a withdrawal into being. */
export function canStillPay(world: World, order: number): boolean {
	const { keys, requests, now } = world;
	const isFree = (request: Request) =>
		!keys.some((known) => known.key === request.key && isKnown(known, now));
	return (
		requests.some((one) => one.order === order && !one.isCopy && isFree(one)) ||
		keys.some((known) => known.result === 'busy' && known.request.order === order)
	);
}

interface Executed {
	readonly world: World;
	readonly result: Result;
	readonly answer: Answer;
}

class Service {
	constructor(private readonly bounds: Bounds) {}

	/** What may become of a request that has arrived. */
	execute(world: World, request: Request): Executed[] {
		const { now, left } = world;
		const { refuses, isSlow, keepsErrors } = this.bounds;
		const early =
			refuses === 'early' && left.refusals > 0
				? [{ ...this.refused, world: spend(world, 'refusals') }]
				: [];
		const known = world.keys.find((one) => one.key === request.key && isKnown(one, now));
		if (known) return [...early, ...this.replay(world, known, request)];
		const existing = this.bounds.findsExisting ? findNewest(world, request) : -1;
		if (existing >= 0) return [...early, this.answerExisting(world, existing, request)];
		if (request.body === this.bounds.wrong) {
			return [{ ...this.refusal(request), world: this.keep(world, request, 'refused') }];
		}
		const mayRefuse = refuses !== 'early' && left.refusals > 0;
		if (keepsErrors && left.refusals > 0) {
			const spent = this.keep(spend(world, 'refusals'), request, 'error');
			return [{ ...this.broken, world: spent }, this.pay(world, request)];
		}
		return [
			...early,
			isSlow
				? {
						world: this.keep(world, request, 'busy'),
						result: 'conflict',
						answer: { kind: 'unknown' },
					}
				: this.pay(world, request),
			...(mayRefuse ? [this.refuse(world, request)] : []),
		];
	}

	/** What the service may decide of a request that it has answered with CONFLICT. */
	decide(world: World, request: Request): Executed[] {
		const freed = { ...world, keys: world.keys.filter(({ key }) => key !== request.key) };
		return [
			this.pay(freed, request),
			...(world.left.refusals > 0 ? [this.refuse(freed, request)] : []),
		];
	}

	private replay(world: World, { body, result }: KnownKey, request: Request): Executed[] {
		if (body !== request.body) return [{ world, result: 'mismatch', answer: { kind: 'mismatch' } }];
		if (result === 'busy') return [{ world, result: 'conflict', answer: { kind: 'unknown' } }];
		if (result === 'refused') return [{ ...this.refusal(request), world }];
		if (result === 'error') return [{ ...this.broken, world }];
		const id = idOf(result);
		const made = world.withdrawals[result];
		const isOlder = made !== undefined && made.at < request.sentAt;
		const answer: Answer = { kind: 'paid', id, made: isOlder ? 'before' : 'since' };
		const stored: Executed = { world, result: `paid ${id}`, answer };
		if (!made?.isFailed) return [stored];
		return [stored, { world, result: `failed ${id}`, answer: { kind: 'failed', id } }];
	}

	private answerExisting(world: World, number: number, request: Request): Executed {
		const id = idOf(number);
		const made = world.withdrawals[number];
		const next = this.keep(world, request, number);
		if (made?.isFailed)
			return {
				world: next,
				result: `failed ${id}`,
				answer: { kind: 'failed', id, made: 'before' },
			};
		const isOlder = made !== undefined && made.at < request.sentAt;
		const answer: Answer = { kind: 'paid', id, made: isOlder ? 'before' : 'since' };
		return { world: next, result: `paid ${id}`, answer };
	}

	private pay(world: World, request: Request): Executed {
		const { order, content, apiKey, run, isCopy } = request;
		const number = world.withdrawals.length;
		const id = idOf(number);
		const made = { order, content, account: accountOf(apiKey), run };
		const paid = addWithdrawal(world, isCopy ? { ...made, isByCopy: true } : made);
		return {
			world: this.keep(paid, request, number),
			result: `paid ${id}`,
			answer: { kind: 'paid', id, made: 'since' },
		};
	}

	private refuse(world: World, request: Request): Executed {
		const spent = spend(world, 'refusals');
		const isKept = this.bounds.refuses === 'kept';
		return { ...this.refused, world: isKept ? this.keep(spent, request, 'refused') : spent };
	}

	private get broken(): Pick<Executed, 'result' | 'answer'> {
		return { result: 'error', answer: { kind: 'unknown' } };
	}

	/** What is said of a request that is refused for what it asks. */
	private refusal({ body }: Request): Pick<Executed, 'result' | 'answer'> {
		if (body !== this.bounds.wrong) return this.refused;
		return { result: 'refused', answer: { kind: 'refused', needsNewKey: false, isLasting: true } };
	}

	get refused(): Pick<Executed, 'result' | 'answer'> {
		const { asksNewKey, looksEarly } = this.bounds;
		const answer: Answer = {
			kind: 'refused',
			needsNewKey: asksNewKey,
			isBeforeKeyCheck: looksEarly,
		};
		return { result: 'refused', answer };
	}

	keep(world: World, request: Request, result: KnownKey['result']): World {
		const { key, body } = request;
		const others = world.keys.filter((one) => one.key !== key);
		return { ...world, keys: [...others, { key, body, since: world.now, result, request }] };
	}
}

/** The number of what was made for the order of a request last; -1 if nothing was. */
function findNewest({ withdrawals }: World, { order, apiKey }: Request): number {
	return withdrawals.findLastIndex(
		(one) => one.order === order && one.account === accountOf(apiKey),
	);
}

function addWithdrawal(
	world: World,
	made: Pick<Withdrawal, 'order' | 'content' | 'account' | 'run' | 'isByCopy'>,
): World {
	const withdrawal = {
		...made,
		at: world.now,
		isFailed: false,
		isToldAsNew: false,
		isToldFor: undefined,
		named: undefined,
	};
	return { ...world, withdrawals: [...world.withdrawals, withdrawal] };
}

function changeWithdrawal(world: World, number: number, change: Partial<Withdrawal>): World {
	const withdrawals = world.withdrawals.map((one, index) =>
		index === number ? { ...one, ...change } : one,
	);
	return { ...world, withdrawals };
}

// All that may happen

/** Everything that may happen in worlds of these bounds. */
export class Environment {
	private readonly service: Service;

	constructor(
		private readonly bounds: Bounds,
		private readonly machine: Machine,
	) {
		this.service = new Service(bounds);
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
		if (left.ticks > 0) moves.push(...this.wait(spend(world, 'ticks'), 1));
		if (left.jumps > 0) moves.push(...this.wait(spend(world, 'jumps'), this.bounds.jump));
		return moves;
	}

	/** Requests that are under way for too long are gone; a slow service has to decide first. */
	wait(world: World, ticks: number): Move[] {
		const now = world.now + ticks;
		const isDue = ({ result, request }: KnownKey) =>
			result === 'busy' && request.sentAt + LATE < now;
		if (world.keys.some(isDue)) return [];
		const requests = world.requests.filter(({ sentAt }) => sentAt + LATE >= now);
		return [{ step: { do: 'wait', ticks }, world: { ...world, now, requests } }];
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
		const asked = { run, apiKey, content: wish.content, body: wish.body };
		const { state } = this.machine.begin(asked);
		const step: Step = { do: 'start', run, order, wish, apiKey };
		const begun = { ...world, runsBegun: world.runsBegun + 1 };
		const none: Run = {
			order,
			state,
			action: { do: 'readLedger' },
			half: undefined,
			unansweredAt: undefined,
			text: { full: '', bare: '' },
		};
		return this.tell(begun, none, { saw: 'ledger', rows: rowsOf(world, order) }, step);
	}

	/** Tells the protocol what its action has brought, and notes what it wants next. */
	private tell(world: World, run: Run, event: Event, step: Step): Move {
		const now = world.now * TICK_MS;
		let planned: Planned = this.machine.advance(run.state, event, now);
		// To compare accounts reads what never changes.
		if (planned.action.do === 'compareAccounts') {
			const account = accountOf(planned.state.asked.apiKey);
			const same = planned.action.apiKeys.filter(
				(key) => this.bounds.comparesAccounts && accountOf(key) === account,
			);
			planned = this.machine.advance(planned.state, { saw: 'compared', same }, now);
			if (planned.action.do === 'compareAccounts') throw new Error('It compares accounts for ever');
		}
		const { state, action } = planned;
		const next = toRun(run.order, state, action);
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
			const idle: Step = { do: 'kill', run: name, while: 'idle' };
			// A run that has left nothing behind might as well never have begun.
			const moves = ledger.some(({ row }) => row.run === name)
				? [{ step: idle, world: killed }]
				: [];
			if (run.action.do !== 'send') return moves;
			const request = this.request(world, run, run.action.generation);
			const step: Step = { do: 'kill', run: name, while: 'sending' };
			return [...moves, { step, world: { ...killed, requests: [...killed.requests, request] } }];
		});
	}

	private request({ now }: World, { order, state }: Run, generation: number): Request {
		const { content, body, apiKey, run } = state.asked;
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
		const { left, requests, keys, withdrawals } = world;
		const moves: Move[] = [];
		for (const [index, request] of requests.entries()) {
			const rest = { ...world, requests: requests.filter((_, place) => place !== index) };
			for (const { world: next, result } of this.service.execute(rest, request)) {
				moves.push({ step: { do: 'arrive', run: request.run, result }, world: next });
			}
		}
		for (const { result: state, request } of keys) {
			if (state !== 'busy') continue;
			for (const { world: next, result } of this.service.decide(world, request)) {
				moves.push({ step: { do: 'decide', run: request.run, result }, world: next });
			}
		}
		const id = idOf(withdrawals.length);
		const others = { order: undefined, account: 'A', run: '' };
		if (left.lookalikes > 0) {
			for (const content of new Set(this.bounds.wishes.map((wish) => wish.content))) {
				const next = addWithdrawal(spend(world, 'lookalikes'), { ...others, content });
				moves.push({ step: { do: 'lookalike', content, result: `paid ${id}` }, world: next });
			}
		}
		if (left.strangers > 0) moves.push(...this.ofStrangers(world));
		if (left.bankRefusals > 0) {
			for (const [number, { order, isFailed }] of withdrawals.entries()) {
				if (order === undefined || isFailed) continue;
				const next = changeWithdrawal(spend(world, 'bankRefusals'), number, { isFailed: true });
				moves.push({ step: { do: 'bankRefuses', id: idOf(number) }, world: next });
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
		const call = (what: Call, result?: string): Step => ({
			do: 'call',
			run: name,
			call: what,
			...(result === undefined ? {} : { result }),
		});
		switch (action.do) {
			case 'readLedger': {
				const event: Event = { saw: 'ledger', rows: rowsOf(world, order) };
				return [this.tell(world, run, event, call('read'))];
			}
			case 'claim': {
				if (typeof run.half === 'object')
					return this.readBack(world, run, run.half, call('readBack'));
				const [next, written] = write(world, run, action.rows);
				const half = toRun(order, run.state, action, written.at(-1));
				return [{ step: call('insert'), world: replace(next, run, half) }];
			}
			case 'withdraw': {
				const next = remove(world, action.ids);
				return [this.tell(next, run, { saw: 'withdrawn' }, call('withdraw'))];
			}
			case 'send':
				return this.send(world, run, action.generation);
			case 'fetch':
				return this.fetch(world, run, action.id).map(([next, withdrawal]) =>
					this.tell(
						next,
						run,
						{
							saw: 'fetched',
							withdrawal,
							claimants: claimantsOf(world, order, action.id, action.claims),
						},
						call('fetch', withdrawal.state),
					),
				);
			case 'list': {
				const { apiKey } = run.state.asked;
				return this.list(world, order, apiKey, action).map(([next, list]) => {
					const event: Event = { saw: 'listed', list, begunAt: world.now * TICK_MS };
					return this.tell(next, run, event, call('list', describeList(list)));
				});
			}
			case 'compareAccounts':
				throw new TypeError('It is done at once');
			case 'end': {
				if (run.half === undefined && action.record.length > 0) {
					return this.record(world, run, action);
				}
				const next = remove(world, action.remove);
				return [{ step: call('remove'), world: replace(next, run, undefined) }];
			}
		}
	}

	/**
	 * What was removed since the run has read the ledger may still be among the rows. Of what it has
	 * written itself, it sees what others have made of that.
	 */
	private readBack(world: World, run: Run, written: Row, step: Step): Move[] {
		const rows = rowsOf(world, run.order);
		const own = rows.includes(written) ? written : undefined;
		const gone = run.state.rows.filter(({ id }) => !rows.some((row) => row.id === id));
		const read = (all: readonly Row[]) =>
			this.tell(world, run, { saw: 'claimed', own, rows: all }, step);
		return gone.length === 0 ? [read(rows)] : [read(rows), read([...gone, ...rows])];
	}

	private record(world: World, run: Run, action: Extract<Action, { do: 'end' }>): Move[] {
		const { run: name } = run.state.asked;
		const [next] = write(world, run, action.record);
		const half = toRun(run.order, run.state, action, true);
		const isOver = action.remove.length === 0;
		const step: Step = { do: 'call', run: name, call: 'record' };
		const moves: Move[] = [{ step, world: replace(next, run, isOver ? undefined : half) }];
		if (world.left.failedWrites > 0) {
			const failed = replace(spend(world, 'failedWrites'), run, undefined);
			moves.push({ step: { ...step, result: 'failed' }, world: failed });
		}
		return moves;
	}

	private send(world: World, run: Run, generation: number): Move[] {
		const { left, now } = world;
		const { run: name } = run.state.asked;
		const { unansweredAt } = run;
		if (!this.machine.mayAttempt(run.state, now * TICK_MS)) {
			const step: Step = { do: 'call', run: name, call: 'notSend' };
			return [this.tell(world, run, { saw: 'stale', unansweredAt }, step)];
		}
		const request = this.request(world, run, generation);
		const step = (result: Result | 'none' | 'unsent'): Step => ({
			do: 'send',
			run: name,
			generation,
			result,
		});
		const moves = this.service
			.execute(world, request)
			.flatMap(({ world: next, result, answer }) => {
				if (answer.kind === 'unknown') return this.unanswered(next, run, step(result));
				return this.withMixups(next, run.order, answer, result).map(([mixed, named, said]) =>
					this.tell(mixed, run, { saw: 'answered', answer: named, unansweredAt }, step(said)),
				);
			});
		if (left.copies > 0 && left.refusals > 0 && this.bounds.refuses !== 'kept') {
			const spent = spend(spend(world, 'copies'), 'refusals');
			const copied = {
				...spent,
				requests: [...spent.requests, { ...request, isCopy: true as const }],
			};
			const { answer } = this.service.refused;
			moves.push(
				this.tell(copied, run, { saw: 'answered', answer, unansweredAt }, {
					...step('refused'),
					isCopied: true,
				} as Step),
			);
		}
		if (left.lost > 0) {
			const spent = spend(world, 'lost');
			const sent = { ...spent, requests: [...spent.requests, request] };
			moves.push(...this.unanswered(sent, run, step('none')));
		}
		if (left.unsent > 0) {
			const event: Event = { saw: 'answered', answer: { kind: 'notSent' }, unansweredAt };
			moves.push(this.tell(spend(world, 'unsent'), run, event, step('unsent')));
		}
		return moves;
	}

	/** The answer, noted as the process does, and those of other orders that may come in its place. */
	private withMixups(
		world: World,
		order: number,
		answer: Answer,
		result: Result,
	): Array<[World, Answer, Result]> {
		const told = claimWithdrawal(world, order, answer, result);
		if (world.left.mixups === 0) return [told];
		const mixed = world.withdrawals.flatMap((one, number): Array<[World, Answer, Result]> => {
			if (one.order === undefined || one.order === order || one.isFailed) return [];
			const id = idOf(number);
			const made = one.at < world.now ? 'before' : 'since';
			const other: Answer = { kind: 'paid', id, made };
			return [claimWithdrawal(spend(world, 'mixups'), order, other, `paid ${id}`)];
		});
		return [told, ...mixed];
	}

	/** The run gives up, or tries again. */
	private unanswered(world: World, run: Run, step: Step): Move[] {
		const unansweredAt = world.now * TICK_MS;
		const event: Event = { saw: 'answered', answer: { kind: 'unknown' }, unansweredAt };
		const moves = [this.tell(world, run, event, step)];
		if (world.left.repeats > 0) {
			const again = toRun(run.order, run.state, run.action, undefined, unansweredAt);
			const next = replace(spend(world, 'repeats'), run, again);
			moves.push({ step: { ...step, repeats: true } as Step, world: next });
		}
		return moves;
	}

	private fetch(world: World, run: Run, id: string): Array<[World, Fetched]> {
		const { apiKey, content } = run.state.asked;
		const found = world.withdrawals[numberOf(id)];
		const recorded = run.state.rows.find(
			(row) => row.status === 'paid' && row.withdrawalId === id,
		)?.content;
		const isSameRecorded = [undefined, '', content].includes(recorded);
		const unreadable: Fetched = { state: 'unreadable', isSameContent: isSameRecorded };
		if (found?.account !== accountOf(apiKey)) return [[world, unreadable]];
		const state = found.isFailed ? 'failed' : 'living';
		const isSameContent = found.content === content;
		const read: [World, Fetched] = [world, { state, isSameContent }];
		return world.left.unreadable > 0 ? [read, [spend(world, 'unreadable'), unreadable]] : [read];
	}

	/** The list as it is, and as it may be while it lags. */
	private list(
		world: World,
		order: number,
		apiKey: string,
		{
			contents,
			since,
			until = Infinity,
			ruledOut,
			named,
		}: Pick<Extract<Action, { do: 'list' }>, 'contents' | 'since' | 'ruledOut' | 'named'> & {
			readonly until?: number;
		},
	): Array<[World, Listed]> {
		const { now, withdrawals, left } = world;
		const certain = {
			...world,
			ledger: world.ledger.filter(({ row }) => row.isByPerson !== true),
		};
		const isOthers = (id: string) => claimantsOf(certain, order, id, ['paid']).length > 0;
		const read = (listedUntil: number): Listed => {
			const candidates = withdrawals.flatMap((one, number): string[] => {
				const id = idOf(number);
				const isListed =
					one.account === accountOf(apiKey) && !one.isFailed && one.at <= listedUntil;
				const madeAt = one.at + this.bounds.skew;
				const isInTime =
					(madeAt + SKEW_ALLOWED) * TICK_MS >= since && (madeAt - SKEW_ALLOWED) * TICK_MS <= until;
				const isMeant = contents.has(one.content) && isInTime && !ruledOut.has(id);
				return isListed && isMeant && (named.has(id) || !isOthers(id)) ? [id] : [];
			});
			return { isComplete: true, candidates };
		};
		const isYoung = withdrawals.some(({ at }) => now - at < LAG);
		return [
			[world, read(now)],
			...(isYoung ? [[world, read(now - LAG)] as [World, Listed]] : []),
			...(left.unreadable > 0
				? [[spend(world, 'unreadable'), { isComplete: false }] as [World, Listed]]
				: []),
		];
	}

	// People

	private ofPeople(world: World): Move[] {
		const { left, look } = world;
		const moves: Move[] = [];
		if (left.words > 0 && look === undefined) {
			for (const order of range(this.bounds.orders)) {
				if (this.machine.doubtful(rowsOf(world, order)) === undefined) continue;
				moves.push(this.look(spend(world, 'words'), order));
			}
		}
		const { apiKeys, personKeys = apiKeys } = this.bounds;
		if (look) moves.push(...personKeys.flatMap((apiKey) => this.settle(world, look, apiKey)));
		if (left.edits > 0) {
			for (const order of range(this.bounds.orders)) moves.push(...this.edit(world, order));
		}
		if (left.deletions > 0) {
			for (const order of range(this.bounds.orders)) {
				for (const [index, { id, at }] of rowsOf(world, order).entries()) {
					// What is seconds old may be told as new again: the service shows no finer time.
					if (at >= world.now * TICK_MS) continue;
					const next = remove(spend(world, 'deletions'), [id]);
					moves.push({ step: { do: 'delete', order, row: index }, world: next });
				}
			}
		}
		return moves;
	}

	/** Others pay the same again, if they do so in these worlds. */
	payAlike(world: World): Move[] {
		if (!this.bounds.othersKeepPaying) return [];
		let paid = world;
		for (const { content } of this.bounds.wishes) {
			paid = addWithdrawal(paid, { order: undefined, account: 'A', run: '', content });
		}
		const { content } = this.bounds.wishes[0] as Wish;
		const result: Result = `paid ${idOf(world.withdrawals.length)}`;
		return [{ step: { do: 'lookalike', content, result }, world: paid }];
	}

	/** A person looks for a withdrawal of the order, at the service and at the bank; both lag. */
	look(world: World, order: number): Move {
		const found = this.findTaken(world, order);
		const look = { order, found, shown: this.shown(world, order) };
		const id = found === undefined ? undefined : idOf(found);
		return { step: { do: 'look', order, found: id }, world: { ...world, look } };
	}

	private findOwn(world: World, order: number): number | undefined {
		const { withdrawals, now } = world;
		// What the node has shown can be looked up by its ID.
		const shown = this.machine.shownBefore(rowsOf(world, order));
		const found = withdrawals.findIndex(
			(one, number) =>
				one.order === order && !one.isFailed && (now - one.at >= LAG || shown.has(idOf(number))),
		);
		return found === -1 ? undefined : found;
	}

	/** What a person takes for the order's own. */
	private findTaken(world: World, order: number): number | undefined {
		return this.findOwn(world, order) ?? this.findOthers(world, order);
	}

	/** What a person takes for the order's own who is mistaken. */
	private findOthers(world: World, order: number): number | undefined {
		if (!this.bounds.isPersonMistaken) return undefined;
		const contents = rowsOf(world, order).map(({ content }) => content);
		const found = world.withdrawals.findIndex(
			(one) => one.order !== order && !one.isFailed && contents.includes(one.content),
		);
		return found === -1 ? undefined : found;
	}

	private shown(world: World, order: number): string {
		return [...this.machine.shownBefore(rowsOf(world, order))].sort().join();
	}

	/** The person says what was found when looking, which may have been some time ago. */
	settle(world: World, { order, found, shown }: Look, apiKey: string): Move[] {
		const { machine, bounds } = this;
		const over = { ...world, look: undefined };
		// What was listed since, and what the list of another account does not show: look once more.
		const isBlind =
			bounds.personKeys === undefined &&
			rowsOf(world, order).some((row) => accountOf(row.apiKey) !== accountOf(apiKey));
		const isOutdated =
			this.shown(world, order) !== shown || (isBlind && this.findOwn(world, order) !== found);
		if (isOutdated && !bounds.isPersonHasty) return [this.look(world, order)];
		const rows = rowsOf(world, order);
		const step = (result: string): Step => ({
			do: 'settle',
			order,
			found: found === undefined ? undefined : idOf(found),
			apiKey,
			result,
		});
		const conclude = (next: World, settlement: ReturnType<Machine['settle']>): Move => {
			const asked = { run: PERSON, apiKey, content: '', body: '' };
			const person = toRun(order, this.machine.begin(asked).state, { do: 'readLedger' });
			const [, rowsWritten] = write(next, person, settlement.record);
			const said = rowsWritten.map((row) => ({ order, row: { ...row, isByPerson: true } }));
			const written = {
				...next,
				ledger: [...next.ledger, ...said],
				rowsWritten: next.rowsWritten + said.length,
			};
			return {
				step: step(settlement.isAccepted ? 'accepted' : settlement.because),
				world: written,
			};
		};
		if (found !== undefined) {
			const withdrawal = world.withdrawals[found];
			if (withdrawal?.account !== accountOf(apiKey)) return [];
			const id = idOf(found);
			const { content, isFailed } = withdrawal;
			const settlement = machine.settle(rows, {
				outcome: 'paid',
				id,
				withdrawal: { content, isLiving: !isFailed },
				owners: claimantsOf(world, order, id, ['paid']),
			});
			return [conclude(over, settlement)];
		}
		const doubt = machine.doubtful(rows);
		if (doubt === undefined) {
			const word = { outcome: 'notPaid', list: { isComplete: false } } as const;
			return [conclude(over, machine.settle(rows, word))];
		}
		return this.list(over, order, apiKey, { ...doubt, ruledOut: new Set(), named: new Set() }).map(
			([next, list]) => conclude(next, machine.settle(rows, { outcome: 'notPaid', list })),
		);
	}

	/** As an error asks: in rows that have the withdrawal of another order, a person enters what is true. */
	correct(world: World): Move[] {
		return range(this.bounds.orders).flatMap((order) => {
			const rows = rowsOf(world, order);
			const row = rows.findIndex(
				({ status, withdrawalId }) =>
					status === 'paid' && world.withdrawals[numberOf(withdrawalId ?? '')]?.order !== order,
			);
			if (row === -1) return [];
			const own = this.findOwn(world, order);
			const id = own === undefined ? undefined : idOf(own);
			const wrong = numberOf(rows[row]?.withdrawalId ?? '');
			const corrected = changeWithdrawal(world, wrong, { isToldFor: undefined });
			return [this.change(corrected, order, row, own === undefined ? 'not paid' : 'paid', id)];
		});
	}

	private change(
		world: World,
		order: number,
		index: number,
		status: string,
		withdrawalId: string | undefined,
	): Move {
		const row = rowsOf(world, order)[index];
		if (row === undefined) throw new TypeError('There is no such row');
		const read = readEdited(row, status, withdrawalId, world.now * TICK_MS);
		const ledger = world.ledger.flatMap((one) =>
			one.row === row ? read.map((as) => ({ order, row: as })) : [one],
		);
		return { step: { do: 'edit', order, row: index, status }, world: { ...world, ledger } };
	}

	/** A person changes the status of a row of the table to what is true at that moment. */
	private edit(world: World, order: number): Move[] {
		const found = this.findTaken(world, order);
		const statuses = found === undefined ? ['not paid', 'refused'] : ['paid'];
		const rows = rowsOf(world, order);
		return rows.flatMap((row, index): Move[] => {
			if (row.status !== 'sending' && row.status !== 'in doubt') return [];
			return statuses.flatMap((status) => {
				if (status === row.status) return [];
				const withdrawalId = found === undefined ? undefined : idOf(found);
				return [this.change(spend(world, 'edits'), order, index, status, withdrawalId)];
			});
		});
	}
}

export const PERSON = 'person';

/** The other orders that the ledger has a withdrawal for. */
function claimantsOf(
	{ ledger }: World,
	order: number,
	id: string,
	statuses: readonly string[],
): string[] {
	const rows = ledger.filter(({ row }) => row.withdrawalId === id && statuses.includes(row.status));
	const others = new Set(rows.map((one) => one.order).filter((one) => one !== order));
	return [...others].map((one) => `order ${one}`);
}

/** What ledger.ts reads of a row that a person has changed. */
function readEdited(
	row: Row,
	status: string,
	withdrawalId: string | undefined,
	now: number,
): readonly Row[] {
	const { generation, shown, content, body, run, apiKey, at } = row;
	const about = { content, body };
	const written = { status: row.status, generation, withdrawalId, shown, at, about } as NewRow;
	const cells = toCells(written, { run, apiKey, ...about }, at);
	const unused = {
		reference: '',
		amount: null,
		pixKey: null,
		environment: 'live',
		kind: 'payout',
		workflow: null,
		execution: null,
	};
	// Milliseconds later, where it is within the same tick.
	const updatedAt = now + 1;
	const read = readRow({ ...unused, ...cells, status, id: row.id, createdAt: at, updatedAt });
	if (read === undefined) throw new TypeError('It cannot be read');
	return read;
}

/** As `namedWithdrawals` of the process does. */
function claimWithdrawal(
	world: World,
	order: number,
	answer: Answer,
	result: Result,
): [World, Answer, Result] {
	if (answer.kind !== 'paid' && answer.kind !== 'failed') return [world, answer, result];
	const number = numberOf(answer.id);
	const { now } = world;
	const before = world.withdrawals[number]?.named;
	const claimants = before?.at === now && before.order !== order ? [`order ${before.order}`] : [];
	const next =
		before?.at !== now ? changeWithdrawal(world, number, { named: { order, at: now } }) : world;
	return [next, { ...answer, claimants }, result];
}

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

function describeList(list: Listed): string {
	if (!list.isComplete) return 'not complete';
	return list.candidates.length === 0 ? 'absent' : list.candidates.join(', ');
}

// What tells two worlds apart

/** `bare`: without the names of runs, by which parts are sorted. */
interface Text {
	readonly full: string;
	readonly bare: string;
}

function toText(full: string): Text {
	return { full, bare: full.replace(RUN_NAMES, '') };
}

function toRun(
	order: number,
	state: State,
	action: Action,
	half?: Row | true,
	unansweredAt: number | undefined = state.unansweredAt,
): Run {
	// Reading the ledger replaces what was known of it.
	const isRead = action.do === 'readLedger';
	const { rows, ...rest } = state;
	const known = isRead ? '' : describeRows(rows);
	const ids = action.do === 'withdraw' ? action.ids : action.do === 'end' ? action.remove : [];
	const removed = describeRows(
		[...rows, ...(state.own ? [state.own] : [])].filter(({ id }) => ids.includes(id)),
	);
	const what = action.do === 'withdraw' ? '' : describe(action);
	const full = `${order}${describe(rest)}${known}>${what}-${removed}/${describe(half)}${unansweredAt}`;
	return { order, state, action, half, unansweredAt, text: toText(full) };
}

const rowTexts = new WeakMap<Row, Text>();

function describeRow(row: Row): Text {
	const cached = rowTexts.get(row);
	if (cached) return cached;
	const text = toText(describe(row));
	rowTexts.set(row, text);
	return text;
}

function describeRows(rows: readonly Row[]): string {
	return sorted(rows.map(describeRow));
}

function sorted(texts: Text[]): string {
	if (texts.length > 1)
		texts.sort((one, other) => (one.bare < other.bare ? -1 : one.bare > other.bare ? 1 : 0));
	let all = '';
	for (const { full } of texts) all += `${full};`;
	return all;
}

/** Plain data, without IDs of rows. */
function describe(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (Array.isArray(value)) return `[${value.map(describe).join()}]`;
	if (value instanceof Set) return `{${[...(value as Set<unknown>)].sort().join()}}`;
	let text = '';
	for (const name in value) {
		if (name !== 'id' && name !== 'remove')
			text += `${describe((value as Record<string, unknown>)[name])},`;
		else if (name === 'id' && typeof (value as Row).id === 'string')
			text += `${(value as Row).id as unknown as string},`;
	}
	return `(${text})`;
}

/**
 * The same for worlds that differ in nothing that matters: IDs of rows, and which of two runs is which.
 * Times are absolute: what is left to happen says what time it is.
 */
export function keyOf(world: World): string {
	const left = COUNTS.map((count) => world.left[count]).join();
	return rename(`${left}|${describeWorld(world)}`);
}

function describeWorld({ ledger, keys, withdrawals, requests, runs, look, now }: World): string {
	const rows = ledger.map(({ order, row }) => {
		const { full, bare } = describeRow(row);
		return order === 0 ? { full, bare } : { full: order + full, bare: order + bare };
	});
	let text = `${now}|${sorted(runs.map((run) => run.text))}|${sorted(rows)}|`;
	text += sorted(requests.map((one) => toText(describe(one))));
	text += '|';
	text += sorted(
		keys.map(({ request, ...known }) =>
			toText(describe(known) + (known.result === 'busy' ? describe(request) : '')),
		),
	);
	text += '|';
	for (const one of withdrawals) text += describe(one);
	return look ? `${text}|${describe(look)}` : text;
}

/** As `keyOf`, whatever is left to happen, and whenever it is: for the worlds in which all is at rest. */
export function restingKeyOf(world: World): string {
	const { now } = world;
	const ago = (at: number) => at - now * TICK_MS;
	return rename(
		describeWorld({
			...world,
			now: 0,
			ledger: world.ledger.map(({ order, row }) => ({ order, row: { ...row, at: ago(row.at) } })),
			keys: world.keys.map((known) => ({ ...known, since: known.since - now })),
			withdrawals: world.withdrawals.map((one) => ({
				...one,
				at: Math.max(one.at - now, -2 * KEY_LIFE),
			})),
		}),
	);
}

function rename(text: string): string {
	const names = new Map<string, string>();
	return text.replace(RUN_NAMES, (name) => {
		const known = names.get(name);
		if (known !== undefined) return known;
		const next = String.fromCharCode(0xe000 + names.size);
		names.set(name, next);
		return next;
	});
}
