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

function paymentRow(payment: Payment): Html {
	const id =
		payment.mode === 'hosted'
			? html`<a href="/checkout/${payment.id}"><code>${payment.id}</code></a>`
			: html`<code>${payment.id}</code>`;
	return html`<tr>
		<td>${brazilianDateTime(payment.createdAt)}</td>
		<td>${payment.environment}</td>
		<td>${id}</td>
		<td>${payment.methods.join(', ')}</td>
		<td class="number">${formatBrl(payment.amountCents)}</td>
		<td>${payment.status}</td>
		<td>${payment.description}</td>
	</tr> `;
}

function withdrawalRow(row: Withdrawal): Html {
	return html`<tr>
		<td>${brazilianDateTime(row.createdAt)}</td>
		<td>${row.environment}</td>
		<td><code>${row.id}</code></td>
		<td><code>${row.pixKey}</code></td>
		<td class="number">${formatBrl(row.amountCents)}</td>
		<td class="number">${formatBrl(row.feeCents)}</td>
		<td>${row.status}</td>
		<td>${row.description ?? ''}</td>
	</tr> `;
}

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
			<div class="scroll">
				<table id="payments">
					<thead>
						<tr>
							<th>Created (Brasília)</th>
							<th>Environment</th>
							<th>Id</th>
							<th>Methods</th>
							<th>Amount</th>
							<th>Status</th>
							<th>Description</th>
						</tr>
					</thead>
					<tbody>
						${paid.map(paymentRow)}
					</tbody>
				</table>
			</div>
			<h2>Withdrawals</h2>
			<div class="scroll">
				<table id="withdrawals">
					<thead>
						<tr>
							<th>Created (Brasília)</th>
							<th>Environment</th>
							<th>Id</th>
							<th>PIX key</th>
							<th>Net amount</th>
							<th>Fee</th>
							<th>Status</th>
							<th>Description</th>
						</tr>
					</thead>
					<tbody>
						${out.map(withdrawalRow)}
					</tbody>
				</table>
			</div> `,
		{ refreshSeconds: 5 },
	);
}
