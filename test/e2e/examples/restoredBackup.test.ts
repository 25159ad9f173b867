/**
 * n8n's database is lost, and restored from a backup that is 30 hours old. docs/backup.md says what to do;
 * this does it.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { getItems } from '../../../dev/n8n/rest/executionData';
import { buildWorkflow, manualStart, node, payEachItem } from '../../../dev/n8n/rest/workflow';
import { booked, intended, makeInvoices } from '../support/payouts';
import { use } from '../support/n8nTestEnv';
import { DAY_MS, toDay } from './exampleWorld';
import { TimedWorld } from './timedWorld';

const HOUR_MS = 60 * 60_000;
/** What keeps n8n from paying while it resumes what the backup has waiting. */
const WITHOUT_NODE = {
	NODES_EXCLUDE:
		'["n8n-nodes-brl-payments.brlPayments","n8n-nodes-base.executeCommand","n8n-nodes-base.localFileTrigger"]',
};

class BackupWorld extends TimedWorld {
	async skip(hours: number): Promise<void> {
		await this.goTo(this.now() + hours * HOUR_MS);
	}

	async backUp(): Promise<void> {
		await this.n8n.stop();
		await cp(this.data, this.backup, { recursive: true });
		await this.startN8n();
	}

	/** n8n as it was at the backup. @param env more settings for this start */
	async restore(env: NodeJS.ProcessEnv): Promise<void> {
		await this.n8n.stop();
		await rm(this.data, { recursive: true });
		await cp(this.backup, this.data, { recursive: true });
		await this.restartWith(env);
	}

	override async end(): Promise<void> {
		await super.end();
		await rm(this.backup, { recursive: true, force: true });
	}

	private get data(): string {
		return join(this.n8n.userFolder, '.n8n');
	}

	private get backup(): string {
		return `${this.n8n.userFolder}-backup`;
	}
}

const world = use(new BackupWorld());

it('finds every payout that the restored table does not know, and pays nobody twice', async () => {
	const rows = makeInvoices(Array.from({ length: 9 }, (_, index) => `NF-${index + 1}`));
	const [waiting, ...list] = rows as [(typeof rows)[0], ...typeof rows];
	const pay = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
	const payList = async (items: IDataObject[]) =>
		getItems(await world.run(buildWorkflow('List', [...manualStart(items), pay])), 'Pay').map(
			({ json }) => json,
		);
	const paid = () => booked(world.sandbox.books.withdrawals);

	await payList(list.slice(0, 3));
	const until = new Date(world.now() + 2 * HOUR_MS).toISOString();
	const pause = node('Wait', 'wait', 1.1, { resume: 'specificTime', dateTime: until });
	const later = await world.client.createWorkflow(
		buildWorkflow('Later', [...manualStart([waiting]), pause, pay]),
	);
	const waitingId = await world.client.runWorkflow(later.id, 'Start');
	await world.untilStatus(waitingId, 'waiting');
	await world.backUp();
	const backupMs = world.now();

	// What the backup does not know: the rest of the list, and the one that was waiting.
	await payList(list);
	await world.skip(3);
	await world.client.waitForExecution(waitingId);
	expect(paid()).toEqual(intended(rows));
	await world.skip(27);
	expect(world.now() - backupMs).toBeGreaterThan(29 * HOUR_MS);

	// 1. n8n starts without the node, so that nothing that resumes can pay, and what waits is stopped.
	await world.restore(WITHOUT_NODE);
	await world.client.request('POST', `/rest/executions/${waitingId}/stop`, {});
	expect((await world.client.waitForExecution(waitingId)).status).toBe('canceled');
	await world.restartWith({});

	// 2. The example finds what the table does not know.
	const listUnknown = async () => {
		const [from, to] = [toDay(world.now() - 2 * DAY_MS), toDay(world.now())];
		const { lines } = await world.closeMonth(from, to);
		return lines.filter(({ tipo, referência }) => tipo === 'saque' && referência === '');
	};
	const missing = await listUnknown();
	expect(
		missing
			.map(
				(line) => `${line['nome ou chave PIX'] as string} ${Math.round(-Number(line.valor) * 100)}`,
			)
			.sort(),
	).toEqual(intended([waiting, ...list.slice(3)]));

	// 3. A person adds a row for each, with the reference from the list.
	for (const line of missing) {
		const { invoice } = rows.find(({ pixKey }) => pixKey === line['nome ou chave PIX'])!;
		await world.addTableRows('BRL Payouts', {
			...{ reference: invoice, status: 'paid', environment: 'live' },
			withdrawalId: line.ID,
		});
	}
	expect(await listUnknown()).toEqual([]);

	// 4. Everything is paid before.
	const items = await payList(rows);
	expect(items.map(({ alreadyPaid }) => alreadyPaid)).toEqual(rows.map(() => true));
	expect(paid()).toEqual(intended(rows));
}, 600_000);
