import {
	createManualClock,
	type ManualClock,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../../../dev/sandbox';

/** Wednesday, noon in Brazil (UTC-3). */
export const NOON = Date.parse('2026-03-18T15:00:00.000Z');

/** Anything that came over the wire. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Req {
	method: string;
	path: string;
	key?: string | null;
	headers?: Record<string, string>;
	body?: unknown;
}

export interface Res {
	status: number;
	headers: Headers;
	bytes: Buffer;
	text: string;
	/** The body as JSON; tests state the shape that they expect. */
	json: Json;
}

export interface Bench {
	sandbox: Sandbox;
	clock: ManualClock;
	send(request: Req): Promise<Res>;
	get(path: string, key?: string): Promise<Res>;
	/** A POST with a JSON body and, unless given, a fresh idempotency key. */
	post(
		path: string,
		body: unknown,
		options?: { key?: string; idempotencyKey?: string },
	): Promise<Res>;
}

let keys = 0;
export const freshKey = (): string => `example-${++keys}`;

/** One emulator on a clock that only the test moves. */
export async function startBench(options: SandboxOptions = {}): Promise<Bench> {
	const clock = createManualClock(NOON);
	const sandbox = await startSandbox({ clock, ...options });
	const send = async (request: Req): Promise<Res> => {
		const key = request.key === undefined ? sandbox.keys.test : request.key;
		const raw = typeof request.body === 'string' || request.body instanceof FormData;
		const body = request.body === undefined || raw ? request.body : JSON.stringify(request.body);
		const response = await fetch(sandbox.url + request.path, {
			method: request.method,
			redirect: 'manual',
			headers: {
				...(key === null ? {} : { authorization: `Bearer ${key}` }),
				...(request.body === undefined || raw ? {} : { 'content-type': 'application/json' }),
				...request.headers,
			},
			...(body === undefined ? {} : { body: body as string | FormData }),
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		const text = bytes.toString('utf8');
		const isJson = response.headers.get('content-type')?.startsWith('application/json');
		return {
			status: response.status,
			headers: response.headers,
			bytes,
			text,
			json: isJson ? JSON.parse(text) : undefined,
		};
	};
	return {
		sandbox,
		clock,
		send,
		get: (path, key) => send({ method: 'GET', path, ...(key === undefined ? {} : { key }) }),
		post: (path, body, options = {}) =>
			send({
				method: 'POST',
				path,
				body,
				headers: { 'x-idempotency-key': options.idempotencyKey ?? freshKey() },
				...(options.key === undefined ? {} : { key: options.key }),
			}),
	};
}

/** One for all tests of a file, empty before each. */
export function useBench(options?: SandboxOptions): Bench {
	const bench = {} as Bench;
	beforeAll(async () => void Object.assign(bench, await startBench(options)));
	beforeEach(() => bench.sandbox.reset());
	afterAll(async () => await bench.sandbox.close());
	return bench;
}

export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';
export const CNPJ = '11222333000181';

export const withdrawalBody = (): Record<string, Json> => ({
	amount: 100,
	destination: { pixKey: CPF },
});

export const PNG = Buffer.concat([
	Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
	Buffer.from('the rest of an example image'),
]);

export function form(bytes: Buffer, name = 'file', fileName = 'image.png'): FormData {
	const data = new FormData();
	data.append(name, new Blob([bytes], { type: 'image/png' }), fileName);
	return data;
}
