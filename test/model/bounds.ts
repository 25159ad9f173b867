/** Within what limits worlds are searched, and what they take from the protocol. */
import * as shipped from '../../nodes/BrlPayments/orders/protocol';

/** The protocol, or one with a planted fault (faults.ts). */
export type Machine = Pick<
	typeof shipped,
	| 'begin'
	| 'sawRows'
	| 'sawAnswer'
	| 'sawWithdrawal'
	| 'sawList'
	| 'mayAttempt'
	| 'findDoubt'
	| 'settlePaid'
	| 'settleNotPaid'
>;

/**
 * Time passes in ticks: two of them make a list a proof, and after one of them a `sending` is no longer
 * fresh. A late request executes within one tick, and the list lags by one.
 */
export const TICK_MS = shipped.PROOF_MS / 2;
export const LATE = 1;
export const LAG = 1;
/** How long the service knows a key: 24 hours. */
export const KEY_LIFE = (24 * 60 * 60_000) / TICK_MS;
/** For how many whole ticks the node uses a key. */
export const USED_LIFE = Math.floor(shipped.KEY_LIFE_MS / TICK_MS);
/** What the engine allows for clocks that differ, when it asks for the list since some time. */
export const SKEW_ALLOWED = 1;

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
	readonly kills: number;
	/** Somebody else pays the same amount to the same PIX key. */
	readonly lookalikes: number;
	/** Another tool uses the key of generation 0 for a request of its own. */
	readonly strangers: number;
	readonly bankRefusals: number;
	/** A person looks, and later settles the reference. */
	readonly words: number;
	/** A person edits a row, so that it cannot be read. */
	readonly edits: number;
	/** A list that is not complete, or a withdrawal that cannot be read. */
	readonly unreadable: number;
}

export interface Wish {
	/** Amount and PIX key. */
	readonly content: string;
	/** The whole request. */
	readonly body: string;
}

/** A duty of the node that it leaves out. */
export type Flaw =
	/** Rows are removed before others are written. */
	| 'removesFirst'
	/** A withdrawal is another order's if a person says so, or never. */
	| 'believesPeople'
	| 'asksNobody'
	/** What the list shows counts however late it was made, or only if no request was late. */
	| 'listsLater'
	| 'listsEarly';

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
	/** The body of a request in which something is wrong: it is refused, and kept, whoever sends it. */
	readonly wrong: string | undefined;
	/** Whether it keeps an error under the key that does not say whether anything was paid. */
	readonly keepsErrors: boolean;
	/**
	 * Whether it answers with what it has made for the order before, under whatever key it is asked: as it
	 * may for a charge with an External ID.
	 */
	readonly findsExisting: boolean;
	readonly keyScope: 'account' | 'apiKey';
	/** Ticks by which the clock of the service is ahead of that of the ledger. */
	readonly skew: number;
	/** Whether others pay the same again before each step of a person who settles, and after it. */
	readonly othersKeepPaying: boolean;
	/** Whether a person may take any other withdrawal for the order's. */
	readonly isPersonMistaken: boolean;
	/** What a run is about to record for another order is named by nobody, not even by mistake. */
	readonly sparesRuns: boolean;
	/** Whether order 0 was paid under an automatic name, and a person has recorded it before its first run. */
	readonly isTakenOver: boolean;
	/** What the node does wrong that carries out the actions, see faults.ts. */
	readonly flaw: Flaw | undefined;
}

export const COUNTS = [
	'runs',
	'ticks',
	'jumps',
	'lost',
	'repeats',
	'unsent',
	'refusals',
	'kills',
	'lookalikes',
	'strangers',
	'bankRefusals',
	'words',
	'edits',
	'unreadable',
] as const satisfies ReadonlyArray<keyof Counts>;

export const NOTHING_LEFT = Object.fromEntries(
	COUNTS.map((name) => [name, 0]),
) as unknown as Counts;
