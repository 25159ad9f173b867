import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Finished, Listener } from '../../../../../dev/bench/realN8n/benchN8n';
import { Rounds, type Host } from '../../../../../dev/bench/realN8n/rounds';

const listener: Listener = { workflowId: 'w', nodeId: 'n', path: 'webhook/w' };

/** Starts an execution for each id that is new, unless the signature is not the one of the first. */
class FakeN8n implements Host {
	readonly received: IncomingMessage[] = [];
	readonly ids = new Set<unknown>();
	/** The response to a delivery, by its headers. */
	answer: (headers: IncomingMessage['headers']) => number = () => 200;
	/** Executions besides those of new ids. */
	surplus = 0;
	output: unknown[] = [];

	constructor(private readonly server: Server) {
		server.on('request', (request: IncomingMessage, response) => {
			this.received.push(request);
			request.resume();
			request.once('end', () => {
				const status = this.answer(request.headers);
				if (status === 200) this.ids.add(request.headers['x-webhook-delivery-id']);
				response.writeHead(status).end();
			});
		});
	}

	getUrl({ path }: Listener): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path}`;
	}

	async finishedToBe(_: Listener, count: number): Promise<Finished> {
		const actual = this.ids.size + this.surplus;
		if (actual !== count) throw new Error(`${actual} instead of ${count}`);
		return await Promise.resolve({ count, lastEnd: Date.now() + 1_000 });
	}

	async newestOutput(): Promise<unknown[]> {
		return await Promise.resolve(this.output);
	}

	processorTime(): number | undefined {
		return this.received.length * 100;
	}
}

let server: Server;
let n8n: FakeN8n;
let rounds: Rounds;

beforeEach(async () => {
	server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	n8n = new FakeN8n(server);
	rounds = new Rounds(n8n);
});

afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

test('copies are those of the last round, however many are asked for', async () => {
	await rounds.newOnes(listener, 3);
	await rounds.copies(listener, 7);

	expect(n8n.received).toHaveLength(10);
	expect(n8n.ids.size).toBe(3);
});

test('forgeries have to be refused', async () => {
	n8n.answer = () => 503;
	await rounds.forgeries(listener, 4);
	expect(n8n.received).toHaveLength(4);

	n8n.answer = () => 200;
	await expect(rounds.forgeries(listener, 4)).rejects.toThrow('Got 200 instead of 503');
});

test('new ones have to be accepted', async () => {
	n8n.answer = () => 503;
	await expect(rounds.newOnes(listener, 4)).rejects.toThrow('Got 503 instead of 200');
});

test.each(['newOnes', 'copies', 'forgeries'] as const)(
	'%s with one execution too many are no result',
	async (kind) => {
		await rounds.newOnes(listener, 2);
		n8n.surplus = 1;
		if (kind === 'forgeries') n8n.answer = () => 503;
		await expect(rounds[kind](listener, 2)).rejects.toThrow('instead of');
	},
);

describe('a delivery that n8n remembers', () => {
	const event = { id: 'known', body: '{}' };

	test('has an execution that returns no item', async () => {
		await rounds.known(listener, event);
		await rounds.newOnes(listener, 2);
		expect(n8n.ids.size).toBe(3);
	});

	test('must not continue', async () => {
		n8n.output = [{ json: {} }];
		await expect(rounds.known(listener, event)).rejects.toThrow('has continued');
	});
});
