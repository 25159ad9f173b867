import { ApiFailure, type OwnFailure } from '../../shared/failures/failure';
import type { Order } from '../../shared/orders/order';
import { maskText } from '../../shared/privacy/text';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { LedgerUnavailable, type Kind, type LedgerProblem } from './ledger';
import { PROOF_MS } from './protocol';

/** All that these texts say of an order: its reference. */
export type Named = Pick<Order, 'reference'>;

/** A failure that says nothing of other items. */
export function failure(order: Named | undefined, own: OwnFailure): ApiFailure {
	const { reference } = order ?? {};
	return new ApiFailure({
		...omitUndefined({ reference: reference?.shown }),
		...own,
		concernsItemOnly: true,
	});
}

/** How long after the last attempt a person may say that nothing was paid. */
export const PROOF_TIME = `${Math.ceil(PROOF_MS / 60_000)} minutes`;

export const quote = ({ reference }: Named): string => `"${maskText(reference?.shown ?? '')}"`;
/** `ID 1`, or `IDs 1, 2`. */
export const listIds = (ids: readonly string[]): string =>
	`${ids.length === 1 ? 'ID' : 'IDs'} ${ids.join(', ')}`;

const OF_KIND: Record<
	Kind,
	{ readonly code: string; readonly statuses: string; readonly id: string }
> = {
	payout: {
		code: 'PAYOUT_IN_DOUBT',
		statuses: 'sending, paid, failed, refused, in doubt or not paid',
		id: 'a row that is paid has the ID of its withdrawal',
	},
	charge: {
		code: 'CHARGE_IN_DOUBT',
		statuses: 'sending, created, ended, refused, in doubt or not created',
		id: 'a row that is created has the ID of its payment',
	},
};

/** Somebody has edited a row of the ledger so that it cannot be read. @param row its ID */
export function unreadableRow(reference: string, row: number, kind: Kind): ApiFailure {
	const { code, statuses, id } = OF_KIND[kind];
	return failure(undefined, {
		code,
		effect: 'unknown',
		message: `Row ${row} of the table BRL Payouts cannot be read, so nothing is known of the reference "${maskText(reference)}"`,
		description: `Open the table under Data tables and correct the row: Status is ${statuses}, Generation is a whole number, Environment is live or test, Kind is payout or charge, ${id}, and Details is empty or JSON. Then run the workflow again.`,
	});
}

const LEDGER_REMEDIES: Record<LedgerProblem, string> = {
	noDataTables:
		'References need n8n 2.3 or later with its Data Table module turned on (remove data-table from N8N_DISABLED_MODULES).',
	gone: 'The table BRL Payouts, which remembers the references of this n8n project, was deleted. Restore it from a backup of the database of n8n. Without it, references that were paid would be paid again. To start over on purpose, replace this node with a new one, and remove all rows that were paid from the list.',
	renamed:
		'There is no table BRL Payouts, but another table has its columns. If somebody renamed it, give it its name back. If BRL Payouts was deleted and this is a copy, rename the copy to BRL Payouts, then add what was paid since it was made: without these rows, those references are paid again. Delete it only if nothing was ever paid by its references.',
	columns:
		'There is a table named BRL Payouts that does not have the columns that references require. If somebody removed one, restore the column with its values, for example from a backup. If one has the wrong type, write down its values, delete the column, add it again with the right type, and enter the values again. Then run the workflow again. If the table never had the columns reference and withdrawalId, it is a table of your own: rename it, and the node creates the right one.',
	full: 'The data tables of this n8n are full. Delete rows that are no longer needed, or increase N8N_DATA_TABLES_MAX_SIZE_BYTES. Then run the workflow again.',
	failed: 'Have the database of n8n checked, and run the workflow again.',
};

/** References are remembered in n8n's data table: without it, nobody knows whether one was paid. */
export function ledgerUnavailable(
	order: Order | undefined,
	error: unknown,
	mayHavePaid: boolean,
): ApiFailure {
	const problem = error instanceof LedgerUnavailable ? error.problem : 'failed';
	const sent = mayHavePaid
		? 'Nothing more was sent. An earlier attempt may have taken effect.'
		: 'Nothing was sent.';
	return failure(order, {
		code: 'REFERENCES_UNAVAILABLE',
		message: `The table BRL Payouts, which remembers references, cannot be used`,
		description: `${sent} ${LEDGER_REMEDIES[problem]} n8n said: ${reasonOf(error)}.`,
		effect: mayHavePaid ? 'unknown' : 'none',
		retryable: problem === 'failed',
	});
}

/** What n8n says of its table that failed. */
function reasonOf(error: unknown): string {
	return error instanceof Error ? maskText(error.message) : 'unknown error';
}
