import { startSandbox } from '../../sandbox';

/** Empties the books, and delays each request from now on; without it, asks for the books. */
interface Order {
	readonly latencyMs?: number;
}

export interface ServiceAddress {
	readonly url: string;
	readonly apiKey: string;
}

const PLENTY = 1_000_000_000_000;
/** Behind the end of every run: what becomes of withdrawals later is work that nobody measures. */
const LATER_MS = 60 * 60_000;

async function main(): Promise<void> {
	const sandbox = await startSandbox({
		account: {
			dayLimitCents: PLENTY,
			nightLimitCents: PLENTY,
			rateLimitPerMinute: 1_000_000_000,
			withdrawalProcessingDelayMs: LATER_MS,
			withdrawalCompletionDelayMs: LATER_MS,
		},
	});
	process.on('message', ({ latencyMs }: Order) => {
		if (latencyMs === undefined) {
			const { withdrawals, payments } = sandbox.books;
			process.send?.([
				...withdrawals.map(({ pixKey }) => pixKey),
				...payments.map(({ description }) => description),
			]);
			return;
		}
		sandbox.reset();
		if (latencyMs > 0) sandbox.faults.add({ kind: 'delay', ms: latencyMs, times: Infinity });
		process.send?.('ready');
	});
	process.on('disconnect', () => process.exit());
	const address: ServiceAddress = { url: sandbox.url, apiKey: sandbox.keys.test };
	process.send?.(address);
}

void main();
