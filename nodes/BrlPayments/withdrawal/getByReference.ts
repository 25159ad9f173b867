import type { IDataObject } from 'n8n-workflow';
import { maskText } from '../../shared/privacy/text';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { toDay } from '../../shared/text/time';
import { referenceField } from '../editor/fields';
import type { ItemOperation } from '../operation';
import { LOOK_UP_SCOPE } from '../orders/accountList';
import type { ItemCall } from '../item';
import { environmentOf, findOwners, toRows, type StoredCells } from '../orders/ledger';
import type { Name } from '../orders/names';
import { isFailed } from '../orders/payouts';
import { findPaid, openSendings, PERSON, PROOF_MS, type Row } from '../orders/protocol';
import { KEY_THAT_READS } from '../orders/texts';
import type { ApiRecord } from '../../shared/transport/schemas';
import { asOfNow, inLedger, readRecorded, readWithdrawal, type Recorded } from './recorded';

/** What n8n's table says of a reference, with the withdrawal as it is now (docs/api.md#get-a-withdrawal). */
export const getByReference: ItemOperation = {
	option: {
		name: 'Get by Reference',
		value: 'getByReference',
		action: 'Get withdrawal by reference',
		description:
			'Retrieve what is known of a reference: whether it was paid, and by which withdrawal',
	},
	scope: LOOK_UP_SCOPE,
	fields: [referenceField],
	async execute(call) {
		const recorded = await readRecorded(call);
		const { name, rows, cells, ledger } = recorded;
		if (cells.length === 0 && recorded.others.length > 0) return askElsewhere(call, recorded);
		const paid = findPaid(await asOfNow(call, rows)) ?? findPaid(rows);
		const withdrawalId =
			paid?.withdrawalId ?? rows.findLast((row) => row.withdrawalId)?.withdrawalId;
		const withdrawal =
			withdrawalId === undefined ? undefined : await readWithdrawal(call, withdrawalId);
		if (paid && withdrawal === undefined) call.hint(UNREADABLE);
		const named =
			withdrawalId === undefined ? [] : await inLedger(ledger.findWithdrawals([withdrawalId]));
		const owners = findOwners(named, name, false);
		// One withdrawal pays one reference. What a run has recorded weighs more than a person's word.
		const isDisputed = owners.length > 0 && paid?.run === PERSON;
		const written = cells.findLast((one) => one.withdrawalId === withdrawalId) ?? cells.at(-1);
		return {
			json: {
				reference: name.value,
				environment: environmentOf(name.isLive),
				status: isDisputed ? 'in doubt' : statusOf(name, rows, withdrawal, call.now()),
				...omitUndefined({
					amount: withdrawal?.netAmount ?? written?.amount,
					pixKey: withdrawal?.pixKey ?? written?.pixKey,
					sentAt: written?.sentAt,
					withdrawalId,
				}),
				...(owners.length > 0 ? { alsoNamedFor: owners } : {}),
				withdrawal: withdrawal || null,
				history: cells.map(toHistory),
			},
		};
	},
};

const UNREADABLE = `The withdrawal could not be read now: the bank may have refused it since. ${KEY_THAT_READS}`;

/**
 * In one word what is known of an order.
 * @param withdrawal that paid it, as it is now; undefined if it cannot be read
 * @param now epoch ms
 */
function statusOf(
	{ isAutomatic }: Pick<Name, 'isAutomatic'>,
	rows: readonly Row[],
	withdrawal: ApiRecord | undefined,
	now: number,
): string {
	// The table learns what the bank has refused when the workflow runs again.
	if (findPaid(rows)) return withdrawal && isFailed(withdrawal) ? 'failed' : 'paid';
	const open = openSendings(rows);
	// The ledger forgets automatic names, also those of payouts that were made.
	if (rows.length === 0) return isAutomatic ? 'not known' : 'never sent';
	if (open.length === 0) return 'not paid';
	const isSending = open.every(({ status, at }) => status === 'sending' && now - at < PROOF_MS);
	return isSending ? 'sending' : 'in doubt';
}

/**
 * A new node takes the newest credential, which is often one with a test key: `never sent` would have the
 * reference paid again with a live one.
 */
function askElsewhere(call: ItemCall, { name, others }: Recorded): { json: IDataObject } {
	const rows = toRows({ ...name, isLive: !name.isLive }, others);
	const paid = findPaid(rows);
	const environment = environmentOf(name.isLive);
	const day = toDay(paid?.at ?? Math.max(...rows.map(({ at }) => at)));
	const message = `${name.value} was ${paid ? 'paid' : 'sent'} with a ${environmentOf(!name.isLive)} key on ${day}. This credential has a ${environment} key.`;
	call.hint(maskText(message));
	const known = { reference: name.value, environment, status: 'other environment', message };
	return { json: { ...known, withdrawal: null, history: [] } };
}

/** A row of the table, as far as people need it. */
function toHistory(cells: StoredCells): IDataObject {
	const { status, amount, pixKey, withdrawalId, sentAt, workflow, execution } = cells;
	return { status, amount, pixKey, withdrawalId, sentAt, workflow, execution };
}
