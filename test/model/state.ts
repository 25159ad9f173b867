/** What a world consists of, and what may happen in it. */
import type {
	Action,
	Change,
	Conclusion,
	NewRow,
	Row,
	State,
} from '../../nodes/BrlPayments/orders/protocol';
import { TICK_MS, type Counts } from './bounds';
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
	readonly result: number | 'refused' | 'error';
	readonly order: number;
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

/** What the service does with a request. */
export type Result = 'refused' | 'mismatch' | 'error' | `paid ${string}` | `failed ${string}`;

/** One thing that happens, as a counterexample shows it. */
export interface Step {
	readonly do:
		| ('start' | 'call' | 'send' | 'kill' | 'arrive')
		| ('wait' | 'lookalike' | 'stranger' | 'bankRefuses')
		| ('edit' | 'look' | 'settle' | 'write' | 'leave');
	readonly run?: string;
	readonly order?: number;
	/** The ID of the withdrawal that a person has found. */
	readonly found?: string | undefined;
	/** What came of it; of an attempt: `none` without an answer, `unsent` if it never left. */
	readonly result?: string;
	/** What else tells what happened. */
	readonly what?: unknown;
}

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
