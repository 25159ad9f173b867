import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceAddress, ServiceOrder, ServiceSettings, Tally } from '../children/sandbox';

/** The emulated service in a separate process: what it costs is not to be counted. */
export class Service {
	private constructor(
		private readonly child: ChildProcess,
		readonly address: ServiceAddress,
	) {}

	static async start(): Promise<Service> {
		const child = fork(join(__dirname, '..', 'children', 'sandbox.ts'));
		const [address] = (await once(child, 'message')) as [ServiceAddress];
		return new Service(child, address);
	}

	/** Empties the books. */
	async prepare(settings: ServiceSettings): Promise<void> {
		await this.ask({ kind: 'prepare', settings });
	}

	async tally(): Promise<Tally> {
		return await this.ask<Tally>({ kind: 'tally' });
	}

	stop(): void {
		this.child.disconnect();
	}

	private async ask<Answer>(order: ServiceOrder): Promise<Answer> {
		const answer = once(this.child, 'message');
		this.child.send(order);
		const [message] = (await answer) as [Answer];
		return message;
	}
}
