/**
 * The package on a cluster that knows it from a registry alone: each process of n8n keeps a copy of
 * its own. Each test continues where the one before it has ended.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Cluster, WORKERS } from '../../../dev/n8n/queue/cluster';
import type { N8nProcess } from '../../../dev/n8n/process/process';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { payEachItem, webhookStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { Registry } from '../registry/registry';
import { packNextPatch, packPackage, type Tarball } from '../registry/tarball';
import { booked, intended, makePayouts } from '../support/payouts';
import { use } from '../support/n8nTestEnv';
import { QueueWorld } from './support/queueWorld';

const EVERY_PROCESS = ['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2'] as const;

/** A cluster that has not heard of the package yet, next to an npm registry that has it. */
class RegistryQueueWorld extends QueueWorld {
	registry!: Registry;
	first!: Tarball;

	protected override readonly launch = async (): Promise<N8nProcess> => {
		const { host, folder } = this;
		this.registry = await Registry.start(host, join(folder, 'registry'));
		this.first = await packPackage(join(folder, 'first'));
		await this.registry.publish(this.first);
		const env = { ...this.env, ...this.registry.env };
		this.cluster = await Cluster.start({ host, folder, env, isWithoutPackage: true });
		return this.cluster.main;
	};

	/** Before the package is there, n8n knows no credential of its type. */
	override async useKey(apiKey: string): Promise<void> {
		if (await this.versionOn('main')) await super.useKey(apiKey);
	}

	private packageOn(member: (typeof EVERY_PROCESS)[number]): string {
		const { userFolder } = this.cluster.member(member);
		return join(userFolder, '.n8n', 'nodes', 'node_modules', this.first.name);
	}

	/** The version on the disk of a process; undefined where there is none. */
	async versionOn(member: (typeof EVERY_PROCESS)[number]): Promise<string | undefined> {
		const file = join(this.packageOn(member), 'package.json');
		const text = await readFile(file, 'utf8').catch(() => '{}');
		return (JSON.parse(text) as { version?: string }).version;
	}

	/** Waits until every process has this version. */
	async everyProcessHas(version: string): Promise<void> {
		await waitFor(
			async () => {
				const versions = await Promise.all(EVERY_PROCESS.map((each) => this.versionOn(each)));
				return versions.every((each) => each === version);
			},
			{ what: `version ${version} on every process`, timeoutMs: 90_000 },
		);
	}

	/**
	 * Waits until every process has installed a version and loaded it: n8n logs that last. On the
	 * disk a version is there earlier, and a webhook of a process that has not loaded it answers 400.
	 */
	async everyProcessHasInstalled(versions: readonly string[]): Promise<void> {
		await this.everyProcessHas(versions.at(-1)!);
		const line = `Community package installed: ${this.first.name}`;
		const hasLoaded = async (member: (typeof EVERY_PROCESS)[number]) => {
			const log = await readFile(this.cluster.member(member).logFile, 'utf8');
			return log.split(line).length > versions.length;
		};
		await waitFor(
			async () => (await Promise.all(EVERY_PROCESS.map(hasLoaded))).every((has) => has),
			{ what: `version ${versions.at(-1)} to be loaded by every process`, timeoutMs: 30_000 },
		);
	}

	/** What a new container has: nothing of what the old one had fetched. */
	async restartWorkersWithoutPackage(env: NodeJS.ProcessEnv): Promise<void> {
		for (const worker of WORKERS) {
			await this.cluster.member(worker).stop();
			await rm(this.packageOn(worker), { recursive: true, force: true });
			await this.cluster.startMember(worker, env);
		}
	}

	override async end(): Promise<void> {
		await super.end();
		await this.registry?.close();
	}
}

const world = use(new RegistryQueueWorld());

let next: Tarball;
let workflowId: string;

/** Pays a list through a webhook process and a worker; returns how the execution has ended. */
async function payList(): Promise<{ status: string; isPaid: boolean }> {
	const payouts = makePayouts(2);
	const id = await world.trigger(workflowId, 'pay-list', { items: payouts });
	const { status } = await world.client.waitForExecution(id);
	const paid = booked(world.sandbox.books.withdrawals);
	return { status, isPaid: JSON.stringify(paid) === JSON.stringify(intended(payouts)) };
}

it('comes to every process when it is installed in the editor', async () => {
	const { name, version } = world.first;
	await world.client.request('POST', '/rest/community-packages', { name });
	await world.everyProcessHasInstalled([version]);
	await world.useKey(world.sandbox.keys.live);
	workflowId = await world.listen(
		buildWorkflow('Pay the list', [...webhookStart('pay-list'), payEachItem()]),
	);
	expect(await payList()).toEqual({ status: 'success', isPaid: true });
});

it('comes to every process in its next version when it is updated in the editor', async () => {
	const { folder } = world.registry;
	next = await packNextPatch(world.first, join(folder, 'next'));
	await world.registry.publish(next);
	await world.client.request('PATCH', '/rest/community-packages', { name: next.name });
	await world.everyProcessHasInstalled([world.first.version, next.version]);
	expect(await payList()).toEqual({ status: 'success', isPaid: true });
});

it('stays away from a new container, and nothing is paid there', async () => {
	await world.restartWorkersWithoutPackage({});
	expect(await payList()).toEqual({ status: 'error', isPaid: false });
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('comes to a new container with N8N_REINSTALL_MISSING_PACKAGES, in the same version', async () => {
	await world.restartWorkersWithoutPackage({ N8N_REINSTALL_MISSING_PACKAGES: 'true' });
	await world.everyProcessHas(next.version);
	expect(await payList()).toEqual({ status: 'success', isPaid: true });
});
