import { formatBrl } from '../values/money';
import type { Environment } from '../store/types';
import { brazilianDateTime } from '../values/time';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout } from './layout';

const SHOWN = 100;
const ENVIRONMENTS: readonly Environment[] = ['SANDBOX', 'PRODUCTION'];

type Columns<T> = Readonly<Record<string, (row: T) => Html | string>>;

function table<T extends { createdAt: number }>(columns: Columns<T>, rows: T[][]): Html {
	const newest = rows.flat().sort((a, b) => b.createdAt - a.createdAt);
	const toRow = (row: T) =>
		html`<tr>
			${Object.values(columns).map((cell) => html`<td>${cell(row)}</td>`)}
		</tr>`;
	return html`<table>
		<tr>
			${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
		</tr>
		${newest.slice(0, SHOWN).map(toRow)}
	</table>`;
}

type Shown = Record<'createdAt' | 'amountCents', number> &
	Record<'environment' | 'status', string> & { description: string | null };
const COMMON: Columns<Shown> = {
	'Created (Brasília)': (row) => brazilianDateTime(row.createdAt),
	Environment: (row) => row.environment,
	Amount: (row) => formatBrl(row.amountCents),
	Status: (row) => row.status,
	Description: (row) => row.description ?? '',
};

/** GET /: the latest payments and withdrawals of both environments, hosted ones with their checkout. */
export function dashboardPage({ account, store }: World): string {
	const payments = ENVIRONMENTS.map((environment) => store.payments.newestFirst(environment));
	const withdrawals = ENVIRONMENTS.map((environment) => store.withdrawals.newestFirst(environment));
	return layout(
		'Payment service emulator',
		html`<h1>Payment service emulator</h1>
			<p>Production balance: ${formatBrl(account.balanceCents)}.</p>
			<h2>Payments</h2>
			${table<(typeof payments)[0][0]>(
				{
					...COMMON,
					Id: ({ id, mode }) =>
						mode === 'hosted' ? html`<a href="/checkout/${id}">${id}</a>` : id,
				},
				payments,
			)}
			<h2>Withdrawals</h2>
			${table<(typeof withdrawals)[0][0]>(
				{ ...COMMON, 'PIX key': (row) => row.pixKey, Id: (row) => row.id },
				withdrawals,
			)}`,
		{ refreshSeconds: 5 },
	);
}
