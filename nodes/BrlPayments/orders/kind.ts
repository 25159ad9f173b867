import type { IDataObject } from 'n8n-workflow';
import type { ApiFailure } from '../../shared/failures/failure';
import type { ApiRecord } from '../../shared/transport/schemas';
import type { OrderRequest } from '../orderRequest';
import type { IsAlike } from './absence';
import type { AccountList } from './accountList';
import type { Kind } from './names';
import type { OrderTexts } from './texts';

/** What payouts and charges differ in, as orders that are made once. */
export interface OrderKind {
	readonly kind: Kind;
	/** Where they are listed. */
	readonly list: AccountList;
	/** Fingerprint of what is asked for. Equal: one may be taken for the other. @param salt of this n8n */
	contentOf(request: OrderRequest, salt: string): string;
	/** What people read of it in the table. Amount in reais. */
	cellsOf(request: OrderRequest): {
		readonly amount: number | null;
		readonly pixKey: string | null;
	};
	/** Whether nothing comes of it any more, so that its name may be used again. */
	isOver(record: ApiRecord): boolean;
	/** Whether the content that the ledger has may be the one asked for. */
	isSameContent(recorded: string, asked: string): boolean;
	/** Whether a record is what an item asks for. @param isRecordedSame whether the ledger says so */
	isSame(record: ApiRecord, request: OrderRequest, isRecordedSame: boolean): boolean;
	/** Finds living rows of the list that may be an order with one of these contents. @param salt of this n8n */
	looksLike(contents: ReadonlySet<string>, request: OrderRequest, salt: string): IsAlike;
	/** What the ledger keeps of a record because later responses may not show it. */
	shows(record: ApiRecord): Readonly<Record<string, string>>;
	/**
	 * What an item becomes.
	 * @param isNew this run has made it, and no other
	 * @param kept see `shows`
	 */
	toOutput(
		record: IDataObject,
		request: OrderRequest,
		isNew: boolean,
		kept: Readonly<Record<string, string>>,
	): IDataObject;
	/** Why a record that exists is none to hand on; undefined if it is. */
	objection?(record: ApiRecord, request: OrderRequest): ApiFailure | undefined;
	readonly texts: OrderTexts;
}
