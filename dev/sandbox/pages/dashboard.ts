import { formatBrl } from '../values/money';
import type { Environment, Payment, Withdrawal } from '../store/types';
import { brazilianDateTime } from '../values/time';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout } from './layout';

const SHOWN = 100;
const ENVIRONMENTS: readonly Environment[] = ['SANDBOX', 'PRODUCTION'];

function newest<T extends { createdAt: number }>(lists: T[][]): T[] {
	return lists
		.flat()
		.sort((a, b) => b.createdAt - a.createdAt)
		.slice(0, SHOWN);
}

type Columns<T> = Readonly<Record<string, (row: T) => Html | string>>;

function table<T>(id: string, columns: Columns<T>, rows: readonly T[]): Html {
	const toCells = (row: T) => Object.values(columns).map((cell) => html`<td>${cell(row)}</td>`);
	return html`<div class="scroll">
		<table id="${id}">
			<thead>
				<tr>
					${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
				</tr>
			</thead>
			<tbody>
				${rows.map(
					(row) =>
						html`<tr>
							${toCells(row)}
						</tr> `,
				)}
			</tbody>
		</table>
	</div>`;
}

function paymentId({ id, mode }: Payment): Html {
	const code = html`<code>${id}</code>`;
	return mode === 'hosted' ? html`<a href="/checkout/${id}">${code}</a>` : code;
}

const PAYMENT_COLUMNS: Columns<Payment> = {
	'Created (Brasília)': (row) => brazilianDateTime(row.createdAt),
	Environment: (row) => row.environment,
	Id: paymentId,
	Methods: (row) => row.methods.join(', '),
	Amount: (row) => formatBrl(row.amountCents),
	Status: (row) => row.status,
	Description: (row) => row.description,
};

const WITHDRAWAL_COLUMNS: Columns<Withdrawal> = {
	'Created (Brasília)': (row) => brazilianDateTime(row.createdAt),
	Environment: (row) => row.environment,
	Id: (row) => html`<code>${row.id}</code>`,
	'PIX key': (row) => html`<code>${row.pixKey}</code>`,
	'Net amount': (row) => formatBrl(row.amountCents),
	Fee: (row) => formatBrl(row.feeCents),
	Status: (row) => row.status,
	Description: (row) => row.description ?? '',
};

/** GET /: the latest payments and withdrawals of both environments, hosted ones with their checkout. */
export function dashboardPage(world: World): string {
	const { payments, withdrawals } = world.store;
	const paid = newest(ENVIRONMENTS.map((environment) => payments.newestFirst(environment)));
	const out = newest(ENVIRONMENTS.map((environment) => withdrawals.newestFirst(environment)));
	return layout(
		'Payment service emulator',
		html`<h1>Payment service emulator</h1>
			<p>Production balance: ${formatBrl(world.account.balanceCents)}.</p>
			<p>
				For the credential <em>BRL Payments API</em>: Base URL <code>${world.url}</code>, test key
				<code>${world.startKeys.test}</code>, live key <code>${world.startKeys.live}</code> (here it
				moves play money too).
			</p>
			<h2>Payments</h2>
			${table('payments', PAYMENT_COLUMNS, paid)}
			<h2>Withdrawals</h2>
			${table('withdrawals', WITHDRAWAL_COLUMNS, out)}`,
		{ refreshSeconds: 5 },
	);
}
