import { sleep } from 'n8n-workflow';
import { GroupCommit } from '../../shared/concurrency/sharedCalls';
import { ApiFailure } from '../../shared/failures/failure';
import type { OrderItem, OrderRun } from '../execution/orderProcessor';
import { claimantsOf, toCells, type Cells, type LedgerStore, type StoredCells } from './ledger';
import { takenBack, type Asked, type Doubt, type NewRow, type Row, type State } from './protocol';
import { environmentOf, tryReadRows } from './readRows';
import type { ReferencedKind } from './referencedKind';

/** How long payouts that were refused wait at most for others that the ledger is asked about. */
const LONGEST_REST_MS = 1_000;
/** A long run writes what is settled this often. Milliseconds. */
const RECORD_EVERY_MS = 2_000;

/** The rows that one payout writes before it is sent; the last one is the `sending`. */
export interface Claim {
	readonly item: OrderItem;
	readonly asked: Asked;
	readonly rows: readonly NewRow[];
}

/** What stands in the ledger afterwards. `own`: the `sending` as written; undefined if it is gone. */
export interface Claimed {
	readonly own: Row | undefined;
	readonly rows: readonly Row[];
}

type ClaimedTwice = Extract<Doubt, { readonly reason: 'claimedTwice' }>;

/** What is to be written of one order. */
interface Outcome extends Pick<State, 'asked' | 'keyUsedAt'> {
	readonly item: OrderItem;
	readonly record: readonly NewRow[];
	readonly cells: readonly Cells[];
	readonly remove: readonly number[];
}

/** What one run of the node reads from the ledger and writes to it: many payouts share each call. */
export class LedgerRun {
	readonly clock: LedgerClock;
	private readonly reads: GroupCommit<string, StoredCells[]>;
	private outcomes: Outcome[] = [];
	/** By reference, why what this run has recorded as paid is in doubt since. */
	readonly disputes = new Map<string, ClaimedTwice>();
	private recording: Promise<void> = Promise.resolve();
	private recordedAt: number;
	/** Epoch ms, by the clock of this n8n. */
	private readonly now: () => number;

	/** @param onNotWritten called if outcomes could not be written */
	constructor(
		private readonly orders: OrderRun,
		readonly store: LedgerStore,
		private readonly kind: ReferencedKind,
		private readonly onNotWritten: () => void,
	) {
		this.now = orders.node.client.now;
		this.clock = new LedgerClock(this.now);
		this.recordedAt = this.now();
		let took = 0;
		const read = async (references: readonly string[]) => {
			const begunAt = Date.now();
			const rows = groupByReference(await store.read(references));
			took = Date.now() - begunAt;
			return references.map((reference) => rows.get(reference) ?? []);
		};
		// A call takes n8n as long as many payouts: those that are refused meanwhile share the next one.
		this.reads = new GroupCommit(
			read,
			async () => await sleep(Math.min(3 * took, LONGEST_REST_MS)),
		);
	}

	/** @throws LedgerUnavailable, ApiFailure if somebody has made a row unreadable */
	async read(item: OrderItem): Promise<Row[]> {
		const rows = this.toRows(item, await this.reads.ask(referenceOf(item)));
		if (rows instanceof ApiFailure) throw rows;
		return rows;
	}

	/** Writes the rows of all claims, all or none, and reads their references back. */
	async claim(claims: readonly Claim[]): Promise<Array<Claimed | ApiFailure>> {
		const begunAt = this.now();
		const cells = claims.flatMap(({ item, asked, rows }) =>
			rows.map((row) => this.toCells(item, asked, row)),
		);
		const claimed = await this.store.claim(cells);
		const all = groupByReference(claimed.all);
		const ownIds = new Set(claimed.own.map(({ id }) => id));
		return claims.map(({ item, rows: written }) => {
			const { generation } = written.at(-1) as NewRow;
			const rows = this.toRows(item, all.get(referenceOf(item)) ?? []);
			// One unreadable reference stops no other one.
			if (rows instanceof ApiFailure) return rows;
			const [own] = rows
				.filter(({ id, status }) => ownIds.has(id) && status === 'sending')
				.filter((row) => row.generation === generation)
				.sort((one, other) => other.id - one.id);
			if (own) this.clock.set(own.at, begunAt);
			return { own, rows };
		});
	}

	/**
	 * Keeps what is to be written and removed, and writes it from time to time.
	 * @param keyUsedAt see `State`
	 * @param shows see `ReferencedKind.toKept`
	 */
	keep(
		item: OrderItem,
		{ asked, keyUsedAt }: Pick<State, 'asked' | 'keyUsedAt'>,
		record: readonly NewRow[],
		remove: readonly number[],
		shows?: Readonly<Record<string, string>>,
	): void {
		if (record.length > 0 || remove.length > 0) {
			const cells = record.map((row) => this.toCells(item, asked, row, shows));
			this.outcomes.push({ item, asked, keyUsedAt, record, cells, remove });
		}
		if (this.now() - this.recordedAt < RECORD_EVERY_MS) return;
		this.recordedAt = this.now();
		this.recording = this.flush();
	}

	/** Writes all that is kept. */
	async flush(): Promise<void> {
		await this.recording;
		const outcomes = this.outcomes.splice(0);
		const cells = outcomes.flatMap((one) => one.cells);
		const remove = [...new Set(outcomes.flatMap((one) => one.remove))];
		if (cells.length === 0 && remove.length === 0) return;
		// If this fails, the `sending` rows are still there: the next run sends the same requests under their
		// keys, which pays nobody twice. If the table is gone, only the service remembers, for 24 hours.
		const others = (await this.store.record(cells, remove).catch(this.onNotWritten)) ?? [];
		const taken = new Set(others.map(({ withdrawalId }) => withdrawalId ?? undefined));
		const shared = outcomes.filter(({ record }) =>
			record.some(({ status, withdrawalId: id }) => status === 'paid' && taken.has(id)),
		);
		for (const outcome of shared) await this.takeBack(outcome, others);
	}

	/** Something on the way has given two runs the same answer: this one has written after it, or sees it too. */
	private async takeBack(
		{ item, asked, keyUsedAt, record }: Outcome,
		others: readonly StoredCells[],
	): Promise<void> {
		const reference = referenceOf(item);
		for (const paid of record.filter(({ status }) => status === 'paid')) {
			const { withdrawalId: id = '' } = paid;
			const claimants = claimantsOf(others, id, reference, ['paid']);
			if (claimants.length === 0) continue;
			this.disputes.set(reference, { reason: 'claimedTwice', id, claimants });
			const cells = takenBack(paid, keyUsedAt).map((row) => this.toCells(item, asked, row));
			const isOwn = (row: StoredCells) =>
				row.run === asked.run && row.withdrawalId === id && row.status === 'paid';
			const write = async () => {
				const own = (await this.store.read([reference])).filter(isOwn);
				await this.store.record(
					cells,
					own.map((row) => row.id),
				);
			};
			await write().catch(this.onNotWritten);
		}
	}

	private toRows(item: OrderItem, cells: readonly StoredCells[]): Row[] | ApiFailure {
		const environment = environmentOf(item.request.isLive);
		return tryReadRows(cells, shownOf(item), environment, this.kind.kind);
	}

	private toCells(
		item: OrderItem,
		asked: Asked,
		row: NewRow,
		shows?: Readonly<Record<string, string>>,
	): Cells {
		const { context } = this.orders.node;
		return {
			reference: referenceOf(item),
			...this.kind.toCells(item.draft),
			environment: environmentOf(item.request.isLive),
			workflow: context.getWorkflow().id ?? null,
			execution: context.getExecutionId(),
			...toCells(row, asked, this.clock.now(), shows),
		};
	}
}

/** The clock of n8n's database, as far as this run has seen it. */
class LedgerClock {
	private lead = 0;

	/** @param local epoch ms */
	constructor(private readonly local: () => number) {}

	/** @param writtenAt by the ledger; @param begunAt local time before it was written */
	set(writtenAt: number, begunAt: number): void {
		this.lead = writtenAt - begunAt;
	}

	/** Never too early: what was written may look older than it is, not younger. */
	now(): number {
		return this.local() + this.lead;
	}

	toLocal(time: number): number {
		return time - this.lead;
	}
}

function groupByReference(cells: readonly StoredCells[]): Map<string, StoredCells[]> {
	const groups = new Map<string, StoredCells[]>();
	for (const cell of cells) {
		const group = groups.get(cell.reference);
		if (group) group.push(cell);
		else groups.set(cell.reference, [cell]);
	}
	return groups;
}

function shownOf({ order }: OrderItem): string {
	return order.reference?.shown ?? '';
}

/** The reference as the ledger has it. */
export function referenceOf({ request }: OrderItem): string {
	return request.reference?.value ?? '';
}
