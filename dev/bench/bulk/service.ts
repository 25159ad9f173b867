import { Child } from '../child';
import type { ServiceAddress } from '../children/sandbox';

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

	/** Empties the books. @param latencyMs before each request is processed */
	async prepare(latencyMs: number): Promise<void> {
		await this.child.ask({ latencyMs });
	}

	/** The PIX key of each withdrawal, and the description of each charge, that was booked since. */
	async payees(): Promise<string[]> {
		return await this.child.ask({});
	}
}
