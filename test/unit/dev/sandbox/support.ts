import {
	createManualClock,
	type ManualClock,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../../../dev/sandbox';

/** Wednesday, noon in Brazil (UTC-3). */
export const NOON = Date.parse('2026-03-18T15:00:00.000Z');
export const HOUR_MS = 60 * 60 * 1_000;

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
	/** Of an error, in either envelope. */
	code: string | undefined;
	/** The fields that a validation names. */
	refused: string[];
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
	delete(path: string, key?: string): Promise<Res>;
}

let keys = 0;
export const freshKey = (): string => `example-${++keys}`;

/** One emulator on a clock that only the test moves. */
export async function startBench(options: SandboxOptions = {}): Promise<Bench> {
	const clock = createManualClock(NOON);
	const sandbox = await startSandbox({ clock, ...options });
	const send = async ({ method, path, key, headers, body }: Req): Promise<Res> => {
		const bearer = key === undefined ? sandbox.keys.test : key;
		const isJson = !(body === undefined || typeof body === 'string' || body instanceof FormData);
		const response = await fetch(sandbox.url + path, {
			...{ method, redirect: 'manual' },
			headers: {
				...(bearer !== null && { authorization: `Bearer ${bearer}` }),
				...(isJson && { 'content-type': 'application/json' }),
				...headers,
			},
			...(body !== undefined && {
				body: isJson ? JSON.stringify(body) : (body as string | FormData),
			}),
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		const text = bytes.toString('utf8');
		const hasJson = response.headers.get('content-type')?.startsWith('application/json');
		const json: Json = hasJson ? JSON.parse(text) : undefined;
		return {
			...{ status: response.status, headers: response.headers, bytes, text, json },
			code: json?.error?.code ?? json?.code,
			refused: Object.keys(json?.error?.details ?? {}),
		};
	};
	return {
		...{ sandbox, clock, send },
		get: (path, key) => send({ method: 'GET', path, key }),
		post: (path, body, { key, idempotencyKey = freshKey() } = {}) =>
			send({ method: 'POST', path, body, key, headers: { 'x-idempotency-key': idempotencyKey } }),
		delete: (path, key) => send({ method: 'DELETE', path, key }),
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

export const getIds = (rows: Json[]): string[] => rows.map(({ id }) => id as string);
