import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { apiCredential } from '../n8n/rest/credentials';
import type { CredentialDefinition } from '../n8n/rest/rest';
import type { Beginning, ServiceAddress } from './children/sandbox';

export interface BulkPayout {
	/** In reais. */
	readonly amount: number;
	/** Each payout has its own, so that the books say which ones happened. */
	readonly pixKey: string;
	readonly description: string;
	/** For callers that do not make one. */
	readonly idempotencyKey: string;
	readonly [name: string]: string | number;
}

/** `count` withdrawals that were never sent before. */
export function makePayouts(count: number): BulkPayout[] {
	const batch = randomUUID();
	return Array.from({ length: count }, (_value, index) => ({
		amount: (1_000 + index) / 100,
		pixKey: `payee-${index + 1}@example.com`,
		description: `Invoice ${index + 1} of the supplier`,
		idempotencyKey: `${batch}-${index}`,
	}));
}

/** The emulated service in a separate process: what it costs is not to be counted. */
export class Service {
	private constructor(
		private readonly child: ChildProcess,
		/** Aborts when the process ends: what is waited for then never comes. */
		private readonly ended: AbortSignal,
		readonly address: ServiceAddress,
	) {}

	static async use<T>(work: (service: Service) => Promise<T>): Promise<T> {
		const child = fork(join(__dirname, 'children', 'sandbox.ts'));
		const end = new AbortController();
		child.once('exit', () => end.abort());
		try {
			const [address] = (await once(child, 'message', end)) as [ServiceAddress];
			return await work(new Service(child, end.signal, address));
		} finally {
			child.kill();
		}
	}

	/** What an n8n needs to reach it. */
	get credential(): CredentialDefinition {
		return apiCredential(this.address.url, this.address.apiKey);
	}

	/** Empties the books. @returns IDs of the payments that are there already, newest first */
	async begin(beginning: Beginning): Promise<string[]> {
		return await this.ask({ ...beginning });
	}

	/** @throws when anything is missing, doubled or was never asked for: its time would say nothing then */
	async expectEachOnce(payouts: readonly BulkPayout[]): Promise<void> {
		const payees = await this.ask({});
		const paid = new Set(payees);
		const missing = payouts.filter(({ pixKey }) => !paid.has(pixKey));
		if (payees.length === payouts.length && missing.length === 0) return;
		throw new Error(
			`${payouts.length} payouts were to happen once each; the books show ${payees.length}, and ${missing.length} payees got nothing`,
		);
	}
	private async ask(order: Partial<Beginning>): Promise<string[]> {
		const answered = once(this.child, 'message', { signal: this.ended });
		this.child.send(order);
		const [answer] = (await answered) as [string[]];
		return answer;
	}
}
