import { readTime } from '../../../dev/chaos/screen';
import { Container } from '@n8n/di';
import { inspect } from 'node:util';
import { BinaryDataService, ExecuteContext } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeExecutionData, Workflow } from 'n8n-workflow';
import type { ApiCredential } from '../../../nodes/shared/client/connection';
import { realRuntime } from '../../../nodes/shared/concurrency/runtime';
import {
	createManualClock,
	startSandbox,
	type ManualClock,
	type OpenPointId,
	type RecordedRequest,
	type Sandbox,
} from '../../../dev/sandbox';
import { assume, DIALECT } from '../../support/dialect';
import { keepFilesIn, logged, prepareContainer, removeFiles, type BinaryMode } from './container';
import { emptyDeduplication, prepareDeduplication } from './deduplicator';
import {
	execute,
	retry,
	retryAfterKill,
	type Execution,
	type ExecutionSettings,
} from './execution';
import { buildWorkflow, type Parameters, type WorkflowParts } from './workflow';
import { emptyDataTables, useClock, restart } from './ledger';

/** A request is lost on its way to the service, or its answer on the way back. */
export type Loss = 'dropBefore' | 'dropAfter';

interface WatchedSettings extends ExecutionSettings {
	/** What gets lost while the execution runs: of all requests, or of those that contain a text. */
	readonly lost?: Loss | Readonly<Record<string, Loss>>;
}

/** The credential is the one with the test key of the sandbox where it is left out. */
export interface RunSettings extends WatchedSettings, Partial<Omit<WorkflowParts, 'parameters'>> {}

interface Answer {
	readonly status?: number;
	readonly times?: number;
	readonly headers?: Record<string, string>;
}

/**
 * n8n's execution engine in front of the emulated service, both on a clock that stands still: what
 * the client waits for moves it on at once.
 */
export class EngineHarness {
	sandbox!: Sandbox;
	clock!: ManualClock;
	/** How long the client waited, each time, in milliseconds. */
	readonly waits: number[] = [];

	get credential(): ApiCredential {
		const { keys, url } = this.sandbox;
		return { apiKey: keys.test, baseUrl: url, environment: 'auto' };
	}

	get liveCredential(): ApiCredential {
		return { ...this.credential, apiKey: this.sandbox.keys.live };
	}

	/** Runs the node once, with the given parameters and items. */
	async run(
		parameters: Parameters,
		items: IDataObject[] | INodeExecutionData[],
		settings: RunSettings = {},
	): Promise<Execution> {
		return await this.start(buildWorkflow({ parameters, ...settings }), items, settings);
	}

	/** A new execution of a workflow. */
	async start(
		workflow: Workflow,
		items: IDataObject[] | INodeExecutionData[],
		settings: RunSettings = {},
	): Promise<Execution> {
		const credential = { ...this.credential, ...settings.credential };
		const run = async () => await execute(workflow, credential, items.map(toItem), settings);
		return await this.watched(run, settings);
	}

	async retry(failed: Execution, settings: WatchedSettings = {}): Promise<Execution> {
		return await this.watched(async () => await retry(failed, settings), settings);
	}

	async retryAfterKill(killed: Execution, settings: WatchedSettings = {}): Promise<Execution> {
		return await this.watched(async () => await retryAfterKill(killed, settings), settings);
	}

	/** A further test key, with these scopes only. */
	keyWith(...scopes: string[]): string {
		return this.sandbox.createKey({ environment: 'SANDBOX', scopes });
	}

	/** Requests get lost, or the answers to them. @returns ends that */
	lose(what: Loss, when: (body: string) => boolean = () => true, times = Infinity): () => void {
		return this.sandbox.faults.add({
			...{ method: 'POST', kind: what, times },
			when: ({ rawBody }) => when(rawBody.toString()),
		});
	}

	/** The service refuses the next requests that may have an effect. @returns ends that */
	refuseNext(requests: number, code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE'): () => void {
		return this.sandbox.faults.add({ method: 'POST', times: requests, kind: 'error', code });
	}

	/** Requests whose address or body contains a text get this error. @returns ends that */
	fail(code: string, text = '', times = Infinity): () => void {
		const when = ({ url, rawBody }: RecordedRequest) =>
			`${url} ${rawBody.toString()}`.includes(text);
		return this.sandbox.faults.add({ kind: 'error', code, times, when });
	}

	/** The next requests get this response, whatever they ask for. @returns ends that */
	answer(body: object | string, { status = 200, times = 1, ...more }: Answer = {}): () => void {
		return this.sandbox.faults.add({ kind: 'status', status, body, times, ...more });
	}

	/** A person stops the execution while the request that contains a text is at the service. */
	async runStopped(
		text: string,
		parameters: Parameters,
		items: IDataObject[],
		settings: RunSettings = {},
	): Promise<Execution> {
		let stop: () => void = () => undefined;
		this.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: 60_000 },
			when: ({ rawBody }) => rawBody.includes(text) && setImmediate(stop) !== undefined,
		});
		const onStart = (cancel: () => void) => (stop = cancel);
		const stopped = await this.run(parameters, items, { onStart, ...settings });
		this.clock.advance(60_000);
		await this.answered();
		expect(stopped.run.status).toBe('canceled');
		return stopped;
	}

	/** Does something on an n8n before 1.121, which shows nodes nothing about the execution. */
	async onOldN8n<T>(run: () => Promise<T>): Promise<T> {
		const told = vi.spyOn(ExecuteContext.prototype, 'getExecutionContext');
		told.mockReturnValue(undefined);
		try {
			return await run();
		} finally {
			told.mockRestore();
		}
	}

	/** Requests that arrived, without the look-ups that the test is not about. */
	requests(method?: string): RecordedRequest[] {
		return this.sandbox.requests.filter((request) => (method ?? request.method) === request.method);
	}

	/** How many requests arrived that may have an effect. */
	get posts(): number {
		return this.requests('POST').length;
	}

	/** The distinct idempotency keys that arrived, in order. */
	get keys(): string[] {
		return [
			...new Set(this.sandbox.requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])),
		];
	}

	/** Centavos of each withdrawal that really happened, sorted. */
	get paid(): number[] {
		return this.sandbox.books.withdrawals
			.map(({ amountCents }) => amountCents)
			.sort((one, other) => one - other);
	}

	/** No execution has failed, and there are these payouts and no others. @param cents sorted */
	expectPaid(cents: readonly number[], ...executions: Execution[]): void {
		for (const { error } of executions) expect(error).toBeUndefined();
		expect(this.paid).toEqual(cents);
	}

	/** The ids of the withdrawals that really happened, in order. */
	get idsPaid(): string[] {
		return this.sandbox.books.withdrawals.map(({ id }) => id);
	}

	/** An execution that begins now: the clock of the tests may be ahead of the one that n8n reads. */
	get begunNow(): Pick<ExecutionSettings, 'establishedAt'> {
		return { establishedAt: this.clock.now() };
	}

	/** Waits as long as the error of an execution says, and then retries that execution. */
	async retryAsTold(doubtful: Execution): Promise<Execution> {
		const time = readTime(doubtful.error?.description ?? '');
		if (time === undefined) throw new Error('The error names no time to wait for');
		this.clock.advance(Math.max(time + 1 - this.clock.now(), 0));
		return await this.retry(doubtful);
	}

	/** From now on, and until the test is over, the service does at these points what the nodes assume. */
	assume(...points: OpenPointId[]): void {
		assume(this.sandbox.dialect, points);
	}

	/** Resolves as soon as something holds; a test whose condition never comes true times out. */
	async until(condition: () => boolean): Promise<void> {
		while (!condition()) await new Promise(setImmediate);
	}

	/** Resolves when every request that arrived has got its response, even if the client has gone. */
	async answered(): Promise<void> {
		await this.until(() => this.sandbox.requests.every(({ status }) => status !== undefined));
	}

	/** Every execution is searched for the secret of its key, whatever the test is about. */
	private async watched(
		run: () => Promise<Execution>,
		{ lost = {} }: WatchedSettings,
	): Promise<Execution> {
		const losses = Object.entries(typeof lost === 'string' ? { '': lost } : lost);
		const ends = losses.map(([text, what]) => this.lose(what, (body) => body.includes(text)));
		const before = this.posts;
		const execution = await run();
		execution.posts = this.posts - before;
		for (const end of ends) end();

		const secret = execution.credential.apiKey.slice(-32);
		if (secret.length < 8) return execution;
		const found = [execution.run, logged].map((place) => everythingIn(place).includes(secret));
		if (found.includes(true)) throw new Error('The API key is in the execution or in the log');
		return execution;
	}

	async open(mode: BinaryMode): Promise<void> {
		prepareContainer();
		await prepareDeduplication();
		await keepFilesIn(mode);
		this.clock = createManualClock(Date.now());
		useClock(() => this.clock.now());
		this.sandbox = await startSandbox({ clock: this.clock, dialect: DIALECT });
		vi.spyOn(realRuntime, 'now').mockImplementation(() => this.clock.now());
		vi.spyOn(realRuntime, 'random').mockReturnValue(0.5);
		vi.spyOn(realRuntime, 'wait').mockImplementation(async (ms) => {
			this.waits.push(ms);
			this.clock.advance(ms);
			await new Promise(setImmediate);
		});
	}

	reset(): void {
		this.sandbox.reset();
		emptyDeduplication();
		emptyDataTables();
		restart();
		this.waits.length = 0;
		logged.length = 0;
		const behind = Date.now() - this.clock.now();
		if (behind > 0) this.clock.advance(behind);
	}

	async stop(): Promise<void> {
		await this.sandbox.close();
		removeFiles();
		vi.restoreAllMocks();
	}
}

/** One bench for all tests of a file; the sandbox is emptied before each test. */
export function useBench(mode: BinaryMode = 'filesystem'): EngineHarness {
	return use(new EngineHarness(), mode);
}

export function use<Bench extends EngineHarness>(
	bench: Bench,
	mode: BinaryMode = 'filesystem',
): Bench {
	beforeAll(async () => await bench.open(mode));
	beforeEach(() => bench.reset());
	afterAll(async () => await bench.stop());
	return bench;
}

/** Text with all that can be reached from a value, hidden fields and stacks included. */
export function everythingIn(value: unknown): string {
	return inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
	});
}

function toItem(item: IDataObject | INodeExecutionData): INodeExecutionData {
	return isItem(item) ? item : { json: item };
}

function isItem(item: IDataObject | INodeExecutionData): item is INodeExecutionData {
	return typeof item.json === 'object' && item.json !== null;
}

/** An item with a file, kept as n8n keeps files in the current mode. */
export async function itemWithFile(
	content: Buffer,
	mimeType: string,
	fileName: string,
	json: IDataObject = {},
): Promise<INodeExecutionData> {
	const data: IBinaryData = { data: '', mimeType, fileName };
	await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'example', executionId: 'before' },
		content,
		data,
	);
	return { json, binary: { data } };
}
