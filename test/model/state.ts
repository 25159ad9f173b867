/** What a world consists of, and what may happen in it. */
import type {
	Action,
	Change,
	Conclusion,
	NewRow,
	Row,
	State,
} from '../../nodes/BrlPayments/orders/protocol';
import { TICK_MS, type Counts, type Wish } from './bounds';
import type { Text } from './sameness';

interface LedgerRow {
	readonly order: number;
	readonly row: Row;
}

export interface KnownKey {
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
	readonly isToldAsNew: boolean;
	/** The order for which a run has said last that it was paid by this one. */
	readonly isToldFor: number | undefined;
}

export interface Request {
	readonly order: number;
	readonly key: string;
	readonly content: string;
	readonly body: string;
	readonly apiKey: string;
	readonly run: string;
	readonly sentAt: number;
}

export interface Run {
	readonly order: number;
	/** The whole request, which the service compares. */
	readonly body: string;
	readonly state: State;
	readonly action: Action;
	/** Whether the rows of its change are written. */
	readonly half: boolean;
	readonly unansweredAt: number;
	/** What `describe` says of it. */
	readonly text: Text;
}

/** What a person has found. */
export interface Look {
	readonly order: number;
	/** The number of the order's withdrawal; undefined: there is none. */
	readonly found: number | undefined;
	/** What the person has seen that is not the order's. */
	readonly ruledOut: readonly string[];
	readonly at: number;
	/** What the node has accepted, and is about to write. */
	readonly said: Said | undefined;
}

export type Said = Change & { readonly apiKey: string };

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
	  }
	| { readonly do: 'kill'; readonly run: string; readonly while: 'idle' | 'sending' }
	/** A request without anybody who waits for its answer executes. */
	| { readonly do: 'arrive'; readonly run: string; readonly result: Result }
	/** The service decides what it has answered with CONFLICT. */
	| { readonly do: 'decide'; readonly run: string; readonly result: Result }
	| { readonly do: 'lookalike'; readonly content: string; readonly result: Result }
	| { readonly do: 'stranger'; readonly order: number; readonly result: Result }
	| { readonly do: 'bankRefuses'; readonly id: string }
	| { readonly do: 'edit'; readonly order: number; readonly row: Row }
	| { readonly do: 'look'; readonly order: number; readonly found: string | undefined }
	| {
			readonly do: 'settle';
			readonly order: number;
			readonly found: string | undefined;
			readonly apiKey: string;
			readonly result: string;
	  }
	/** What was accepted is written, or nothing is left to be said. */
	| { readonly do: 'write' | 'leave'; readonly order: number };

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
	/** The orders that a person's word was refused for. */
	readonly owners?: readonly number[];
}

export function accountOf(apiKey: string): string {
	return apiKey === 'x' ? 'X' : 'A';
}

export function idOf(withdrawal: number): string {
	return `w${withdrawal}`;
}

export function numberOf(id: string): number {
	return Number(id.slice(1));
}

/** The world with one thing less that may happen. */
export function spend(world: World, count: keyof Counts): World {
	return { ...world, left: { ...world.left, [count]: world.left[count] - 1 } };
}

export function rowsOf({ ledger }: World, order: number): Row[] {
	return ledger.filter((one) => one.order === order).map(({ row }) => row);
}

export function write(
	world: World,
	order: number,
	asked: State['asked'],
	rows: readonly NewRow[],
): [World, readonly Row[]] {
	const now = world.now * TICK_MS;
	const written = rows.map(({ content = asked.content, at = now, ...row }, index): Row => ({
		...row,
		id: world.rowsWritten + index,
		content,
		apiKey: asked.apiKey,
		run: asked.run,
		at,
	}));
	const ledger = [...world.ledger, ...written.map((row) => ({ order, row }))];
	return [{ ...world, ledger, rowsWritten: world.rowsWritten + rows.length }, written];
}

export function remove(world: World, ids: readonly number[]): World {
	if (ids.length === 0) return world;
	return { ...world, ledger: world.ledger.filter(({ row }) => !ids.includes(row.id)) };
}

export function addWithdrawal(
	world: World,
	made: Pick<Withdrawal, 'order' | 'content' | 'account' | 'run'>,
): World {
	const withdrawal = {
		...made,
		at: world.now,
		isFailed: false,
		isToldAsNew: false,
		isToldFor: undefined,
	};
	return { ...world, withdrawals: [...world.withdrawals, withdrawal] };
}

export function changeWithdrawal(world: World, number: number, change: Partial<Withdrawal>): World {
	const withdrawals = world.withdrawals.map((one, index) =>
		index === number ? { ...one, ...change } : one,
	);
	return { ...world, withdrawals };
}
