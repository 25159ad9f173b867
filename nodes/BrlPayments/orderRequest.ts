import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { PixKey } from '../shared/input/pixKey';
import type { Reference } from '../shared/input/reference';
import type { BodyReader } from '../shared/transport/outcome';
import type { ApiRecord } from '../shared/transport/schemas';

/** What one input item becomes; `pairedItem` is added by the router. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

/**
 * What is bought or paid, in canonical form. Never free text: a description with the current time
 * differs on every attempt, and a key that changed with it would do it twice.
 */
type Identity = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** What a payout pays, and to whom. */
export interface PaidContent {
	/** Centavos that the recipient receives. */
	readonly cents: number;
	readonly pixKey: PixKey;
}

/** What a customer is charged. */
export interface ChargedContent {
	readonly externalId: string;
	/** Centavos, without a fee that the payer pays on top; undefined if the price is a product's. */
	readonly cents: number | undefined;
	readonly productId: string | undefined;
	/** CPF or CNPJ of the customer, if it is given. */
	readonly document?: string | undefined;
}

/** What one item asks for, checked and ready to be sent under a key. */
export interface OrderRequest {
	/** Encoded, from the tag `path`. */
	readonly path: string;
	readonly body: IDataObject;
	/** What is bought or paid, see `Identity`. */
	readonly identity: Identity;
	/** Further fields that Additional Body Fields must not replace, see `OrderOperation`. */
	readonly guardedFields?: readonly string[];
	/** @throws InputError for a completed body that the server would certainly refuse */
	readonly checkBody?: (completed: IDataObject) => void;
	/** What counts as success. */
	readonly read: BodyReader;
	/** `keyed` if absent. */
	readonly kind?: 'keyed' | 'boletoCreation';
	readonly reference?: Reference | undefined;
	/** What the item shows if the first response lacks it. */
	readonly echo?: IDataObject;
	/** What can be looked up in the list of withdrawals; for payouts. */
	readonly payout?: PaidContent;
	/** What can be looked up in the list of payments; for charges. */
	readonly charge?: ChargedContent;
	/** Reads again what was created; absent if the API has no such endpoint. */
	readonly current?: (id: string) => Promise<ApiRecord>;
}
