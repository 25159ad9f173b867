import { Child } from '../child';
import type { ServiceAddress, ServiceOrder, ServiceSettings, Tally } from '../children/sandbox';

/** The emulated service in a separate process. */
export class Service {
	private constructor(
		private readonly child: Child,
		readonly address: ServiceAddress,
	) {}

	static async use<T>(work: (service: Service) => Promise<T>): Promise<T> {
		return await Child.use('sandbox.ts', async (child) =>
			work(new Service(child, await child.next())),
		);
	}

	/** Empties the books. */
	async prepare(settings: ServiceSettings): Promise<void> {
		await this.ask({ kind: 'prepare', settings });
	}

	async tally(): Promise<Tally> {
		return await this.ask({ kind: 'tally' });
	}

	private async ask<Answer>(order: ServiceOrder): Promise<Answer> {
		return await this.child.ask(order);
	}
}
