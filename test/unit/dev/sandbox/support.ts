import {
	createManualClock,
	type ManualClock,
	type Sandbox,
	startSandbox,
} from '../../../../dev/sandbox';

/** Wednesday, noon in Brazil (UTC-3). */
const NOON = Date.parse('2026-03-18T15:00:00.000Z');

/** Anything that came over the wire. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Req {
	method: string;
	path: string;
	/** API key; the test key where left out, none where null. */
	key?: string | null;
	headers?: Record<string, string>;
	body?: unknown;
}

let keys = 0;
export const freshKey = (): string => `example-${++keys}`;

/** The emulated service on a clock that only the test moves. */
class Bench {
	readonly clock: ManualClock = createManualClock(NOON);
	sandbox!: Sandbox;

	async send({ method, path, key = this.sandbox.keys.test, headers, body }: Req) {
		const response = await fetch(this.sandbox.url + path, {
			method,
			headers: {
				...(key !== null && { authorization: `Bearer ${key}` }),
				...(body !== undefined && { 'content-type': 'application/json' }),
				...headers,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const isJson = response.headers.get('content-type')?.startsWith('application/json');
		return { status: response.status, json: isJson && ((await response.json()) as Json) };
	}

	/** A POST with the live key and a fresh idempotency key. */
	async post(path: string, body: unknown) {
		const headers = { 'x-idempotency-key': freshKey() };
		return await this.send({ method: 'POST', path, body, headers, key: this.sandbox.keys.live });
	}
}

/** One for all tests of a file, empty before each. */
export function useBench(): Bench {
	const bench = new Bench();
	beforeAll(async () => void (bench.sandbox = await startSandbox({ clock: bench.clock })));
	beforeEach(() => bench.sandbox.reset());
	afterAll(async () => await bench.sandbox.close());
	return bench;
}

export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';

export const withdrawalBody = (): Record<string, Json> => ({
	amount: 100,
	destination: { pixKey: CPF },
});
