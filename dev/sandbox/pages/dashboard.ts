import { sortBy } from 'lodash';
import { isOpen } from '../rules/payment';
import { formatBrl } from '../values/money';
import type { Payment, Row, Withdrawal } from '../store/rows';
import type { Table } from '../store/store';
import { brazilianDateTime } from '../values/time';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout, table, type Columns } from './layout';

const SHOWN = 100;

function newest<T extends Row>(table: Table<T>): T[] {
	const rows = [...table.newestFirst('SANDBOX'), ...table.newestFirst('PRODUCTION')];
	return sortBy(rows, ({ createdAt }) => -createdAt).slice(0, SHOWN);
}

const COMMON: Columns<Payment | Withdrawal> = {
	'Created (Brasília)': (row) => brazilianDateTime(row.createdAt),
	Key: (row) => (row.environment === 'PRODUCTION' ? 'live' : 'test'),
	Amount: (row) => formatBrl(row.amountCents),
	Status: (row) => row.status,
	Description: (row) => row.description ?? '',
};
const pay = ({ id, status }: Payment): Html | string =>
	isOpen(status) ? html`<a class="button" href="/checkout/${id}">Pagar</a>` : '';

/** GET /: the latest payments, the open ones with a link to pay them, and withdrawals of both keys. */
export function dashboardPage({ account, store }: World): string {
	const payments = newest(store.payments);
	const withdrawals = newest(store.withdrawals);
	return layout(
		'Payment service emulator',
		html`<h1>Payment service emulator</h1>
			<p>
				Balance of the live key: ${formatBrl(account.balanceCents)}. A test key moves no money, and
				sends no webhooks.
			</p>
			<p><a href="/settings/webhooks">Settings > Webhooks</a></p>
			<h2>Payments</h2>
			${table<Payment>({ ...COMMON, Method: (row) => row.methods.join(', '), ID: (row) => row.id, '': pay }, payments)}
			<h2>Withdrawals</h2>
			${table<Withdrawal>({ ...COMMON, 'PIX key': (row) => row.pixKey, ID: (row) => row.id }, withdrawals)}`,
		{ refreshSeconds: 5 },
	);
}
