import type { IDataObject } from 'n8n-workflow';
import type { ApiFailure } from '../../shared/failures/failure';
import type { Order } from '../../shared/orders/order';
import type { ApiRecord } from '../../shared/transport/schemas';
import type { OrderDraft } from '../execution/draft';
import type { Looks } from './absence';
import type { AccountList } from './accountHistory';
import type { Cells, Kind } from './ledger';
import type { Doubt } from './protocol';

/** What an item asks for, of the kinds that have references. */
export type Wanted = Pick<OrderDraft, 'payout' | 'charge'>;

/**
 * What orders with a reference are, as far as the protocol leaves that open: payouts, or charges with an
 * External ID.
 */
export interface ReferencedKind {
	readonly kind: Kind;
	/** Where they are listed. */
	readonly list: AccountList;
	/**
	 * Names what an item asks for. Two orders with the same name may be one another's look-alikes.
	 * @param salt of this n8n
	 */
	toContent(wanted: Wanted, salt: string): string;
	/** What people read of it in the ledger. */
	toCells(wanted: Wanted): Pick<Cells, 'amount' | 'pixKey'>;
	/** Whether nothing comes of it any more, so that the reference may be used again. */
	isOver(record: ApiRecord): boolean;
	/** Whether a record is what an item asks for. @param isRecordedSame whether the ledger says so */
	isSame(record: ApiRecord, wanted: Wanted, isRecordedSame: boolean): boolean;
	/** Finds in the list what may be an order with one of these contents. @param salt of this n8n */
	looksLikeOneOf(contents: ReadonlySet<string>, wanted: Wanted, salt: string): Looks;
	/** What the ledger keeps of a record because later responses may not show it. */
	toKept(record: ApiRecord): Readonly<Record<string, string>>;
	/**
	 * What an item becomes.
	 * @param kept see `toKept`
	 * @throws ApiFailure if a person has to decide what follows from the state of the record
	 */
	toOutput(
		order: Order,
		record: IDataObject,
		wasMadeBefore: boolean,
		kept: Readonly<Record<string, string>>,
	): IDataObject;
	readonly texts: ReferencedTexts;
}

/** How the outcomes of the protocol are told, see `Conclusion` and `Doubt`. Times in epoch ms. */
export interface ReferencedTexts {
	/** Hint for records with the status UNKNOWN. */
	readonly notShown: string;
	/** Hint if the ledger could not be written. */
	readonly notWritten: string;
	/** What an order of other content is called beside the name of this one. */
	readonly otherContent: string;
	mismatch(order: Order, id: string): ApiFailure;
	elsewhere(order: Order): ApiFailure;
	/** `recorded` by another API key. */
	foreign(order: Order, id: string): ApiFailure;
	failed(order: Order, record: ApiRecord): ApiFailure;
	/** @param why the attempt of this run was refused, or never left */
	later(
		order: Order,
		wanted: Wanted,
		from: number | undefined,
		why: string | undefined,
	): ApiFailure;
	/** @param unread why the list shows nothing, as a sentence */
	inDoubt(order: Order, wanted: Wanted, doubt: Doubt, unread: string | undefined): ApiFailure;
	ledgerUnavailable(order: Order | undefined, error: unknown, mayHaveActed: boolean): ApiFailure;
}
