import { once } from 'node:events';
import { WebSocket } from 'undici';

/** Of the timer that is late after a stop. */
const LOOP_RESOLUTION_MS = 5;

interface Answer {
	readonly error?: { readonly message: string };
	readonly result?: { readonly result: { readonly value: unknown }; exceptionDetails?: object };
}

/** What a process has spent since it is watched, in milliseconds. */
export interface Spent {
	readonly processor: number;
	/** The longest stop of the event loop. */
	readonly stop: number;
}

/** Looks into a Node.js that was started with `--inspect=127.0.0.1:PORT`. */
export class Inspector {
	private constructor(private readonly socket: WebSocket) {}

	static async use<T>(port: number, work: (inspector: Inspector) => Promise<T>): Promise<T> {
		const response = await fetch(`http://127.0.0.1:${port}/json/list`);
		const [target] = (await response.json()) as Array<{ webSocketDebuggerUrl: string }>;
		if (!target) throw new Error('There is nothing to inspect');
		const socket = new WebSocket(target.webSocketDebuggerUrl);
		await once(socket, 'open');
		try {
			return await work(new Inspector(socket));
		} finally {
			socket.close();
		}
	}

	/** Begins, anew if it has begun before. */
	async watch(): Promise<void> {
		await this.evaluate(`globalThis.benchLoop ??= process.getBuiltinModule('node:perf_hooks')
			.monitorEventLoopDelay({ resolution: ${LOOP_RESOLUTION_MS} });
			benchLoop.enable();
			benchLoop.reset();
			globalThis.benchProcessor = process.cpuUsage();`);
	}

	async read(): Promise<Spent> {
		const [stop, { user, system }] = await this.evaluate<[number, NodeJS.CpuUsage]>(
			'[benchLoop.max, process.cpuUsage(benchProcessor)]',
		);
		return {
			processor: (user + system) / 1_000,
			stop: Math.max(0, stop / 1e6 - LOOP_RESOLUTION_MS),
		};
	}

	/** One at a time. */
	private async evaluate<T>(expression: string): Promise<T> {
		const answered = once(this.socket, 'message') as Promise<[{ data: unknown }]>;
		const params = { expression, returnByValue: true };
		this.socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
		const [{ data }] = await answered;
		const { error, result } = JSON.parse(String(data)) as Answer;
		if (error || !result || result.exceptionDetails) {
			throw new Error(`The inspector responded: ${String(data)}`);
		}
		return result.result.value as T;
	}
}
