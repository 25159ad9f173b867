import { WebSocket, type MessageEvent } from 'undici';

/** Of the timer that is late after a stop. */
const LOOP_RESOLUTION_MS = 5;

interface Message {
	readonly id?: number;
	readonly result?: unknown;
	readonly error?: { readonly message: string };
}

/** Looks into a Node.js that was started with `--inspect=127.0.0.1:PORT`. */
export class Inspector {
	private lastId = 0;
	private readonly waiting = new Map<number, (message: Message) => void>();

	private constructor(private readonly socket: WebSocket) {
		socket.addEventListener('message', ({ data }: MessageEvent) => {
			const message = JSON.parse(String(data)) as Message;
			if (message.id === undefined) return;
			this.waiting.get(message.id)?.(message);
			this.waiting.delete(message.id);
		});
	}

	static async connect(port: number): Promise<Inspector> {
		const response = await fetch(`http://127.0.0.1:${port}/json/list`);
		const [target] = (await response.json()) as Array<{ webSocketDebuggerUrl: string }>;
		if (!target) throw new Error('There is nothing to inspect');
		const socket = new WebSocket(target.webSocketDebuggerUrl);
		await new Promise<void>((resolve, reject) => {
			socket.addEventListener('open', () => resolve());
			socket.addEventListener('error', () => reject(new Error('The inspector hung up')));
		});
		return new Inspector(socket);
	}

	/** Begins to look for stops of the event loop, anew if it has begun before. */
	async watchLoop(): Promise<void> {
		await this.send('Runtime.evaluate', {
			expression: `globalThis.benchLoop ??= process.getBuiltinModule('node:perf_hooks')
				.monitorEventLoopDelay({ resolution: ${LOOP_RESOLUTION_MS} });
				benchLoop.enable();
				benchLoop.reset();`,
		});
	}

	/** The longest stop of the event loop since it is watched, in milliseconds. */
	async longestStop(): Promise<number> {
		const { result } = await this.send<{ result: { value: number } }>('Runtime.evaluate', {
			expression: 'benchLoop.max',
		});
		return Math.max(0, result.value / 1e6 - LOOP_RESOLUTION_MS);
	}

	close(): void {
		this.socket.close();
	}

	private async send<T>(method: string, params: object = {}): Promise<T> {
		this.lastId += 1;
		const id = this.lastId;
		const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
		this.socket.send(JSON.stringify({ id, method, params }));
		const { result, error } = await answer;
		if (error) throw new Error(`${method}: ${error.message}`);
		return result as T;
	}
}
