import { startSandbox } from '../../sandbox';

/** Begins with empty books. Without it, the service says what is in them. */
export interface Beginning {
	/** Before each request is processed. */
	readonly latencyMs: number;
	/** Payments that are there already. */
	readonly rows?: number;
	/** Each time that there were so many requests, there is one payment more. */
	readonly insertEvery?: number;
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
	/** By card: the emulator computes a code for each of the others when it lists them. */
	const insert = (createdAt: number): string =>
		sandbox.seed.payment({
			...{ createdAt, methods: ['CARD'], status: 'PAID', description: 'Invoice of a customer' },
			metadata: { invoice: `INV-${createdAt}`, costCentre: 'sales', reviewed: false },
		}).id;
	const begin = ({ latencyMs, rows = 0, insertEvery = Infinity }: Beginning): string[] => {
		sandbox.reset();
		const start = Date.now() - rows;
		const ids = Array.from({ length: rows }, (_value, index) => insert(start + index));
		let requests = 0;
		const isInserted = (): boolean => {
			requests += 1;
			if (requests % insertEvery === 0) insert(Date.now());
			return true;
		};
		sandbox.faults.add({ kind: 'delay', ms: latencyMs, times: Infinity, when: isInserted });
		return ids.reverse();
	};
	process.on('message', (message: Partial<Beginning>) => {
		const { latencyMs } = message;
		const { withdrawals, payments } = sandbox.books;
		process.send?.(
			latencyMs === undefined
				? [...withdrawals.map(({ pixKey }) => pixKey), ...payments.map((row) => row.description)]
				: begin({ ...message, latencyMs }),
		);
	});
	process.on('disconnect', () => process.exit());
	const address: ServiceAddress = { url: sandbox.url, apiKey: sandbox.keys.test };
	process.send?.(address);
}

void main();
