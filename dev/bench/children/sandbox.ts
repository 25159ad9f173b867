import { startSandbox, type Sandbox } from '../../sandbox';

/** How the service is from now on; its books are empty then. */
export interface ServiceSettings {
	/** Before each request is processed. */
	readonly latencyMs: number;
	/** Whether each withdrawal is refused, for good. */
	readonly refuses?: boolean;
}

/** What happened since the settings were made. */
export interface Tally {
	/** PIX key of each withdrawal that was booked. */
	readonly payees: readonly string[];
	/** Processor time of the service, in milliseconds. */
	readonly processorMs: number;
}

export type ServiceOrder = { kind: 'prepare'; settings: ServiceSettings } | { kind: 'tally' };

export interface ServiceAddress {
	readonly url: string;
	readonly apiKey: string;
}

const PLENTY = 1_000_000_000_000;
/** Behind the end of every run: what becomes of withdrawals later is work that nobody measures. */
const LATER_MS = 60 * 60_000;

let processorBefore = process.cpuUsage();

function prepare(sandbox: Sandbox, { latencyMs, refuses = false }: ServiceSettings): void {
	sandbox.reset();
	if (latencyMs > 0) sandbox.faults.add({ kind: 'delay', ms: latencyMs, times: Infinity });
	if (refuses) sandbox.faults.add({ kind: 'error', code: 'BLOCKLIST_DENIED', times: Infinity });
	processorBefore = process.cpuUsage();
}

function tally(sandbox: Sandbox): Tally {
	const { user, system } = process.cpuUsage(processorBefore);
	return {
		payees: sandbox.books.withdrawals.map(({ pixKey }) => pixKey),
		processorMs: (user + system) / 1000,
	};
}

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
	process.on('message', (order: ServiceOrder) => {
		if (order.kind === 'tally') {
			process.send?.(tally(sandbox));
			return;
		}
		prepare(sandbox, order.settings);
		process.send?.('ready');
	});
	process.on('disconnect', () => process.exit());
	const address: ServiceAddress = { url: sandbox.url, apiKey: sandbox.keys.test };
	process.send?.(address);
}

void main();
