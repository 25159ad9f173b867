import { sleep } from 'n8n-workflow';

/** Runs the tasks of one name one after the other, within this process. */
export class KeyedMutex {
	private tails = new Map<string, Promise<unknown>>();

	/** @returns what the task returns; a task that fails does not stop those behind it */
	async run<T>(name: string, task: () => Promise<T>): Promise<T> {
		const before = this.tails.get(name) ?? Promise.resolve();
		const current = before.then(task, task);
		this.tails.set(name, current);
		try {
			return await current;
		} finally {
			if (this.tails.get(name) === current) this.tails.delete(name);
		}
	}
}

interface Waiting<Question, Answer> {
	readonly question: Question;
	readonly resolve: (answer: Answer) => void;
	readonly reject: (reason: unknown) => void;
}

/** Questions that wait while a call is under way share the next one. */
export class GroupCommit<Question, Answer> {
	private waiting: Array<Waiting<Question, Answer>> = [];
	private isBusy = false;

	/**
	 * @param commit one call for many questions; the answers in their order
	 * @param rest waits after each call, so that more questions share the next one
	 */
	constructor(
		private readonly commit: (questions: readonly Question[]) => Promise<readonly Answer[]>,
		private readonly rest: () => Promise<void> = async () => await Promise.resolve(),
	) {}

	/** @throws what the shared call throws */
	async ask(question: Question): Promise<Answer> {
		return await new Promise<Answer>((resolve, reject) => {
			this.waiting.push({ question, resolve, reject });
			if (!this.isBusy) void this.work();
		});
	}

	private async work(): Promise<void> {
		this.isBusy = true;
		// Simultaneous callers share the first call.
		await Promise.resolve();
		while (this.waiting.length > 0) {
			const group = this.waiting.splice(0);
			try {
				const answers = await this.commit(group.map(({ question }) => question));
				group.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
			} catch (error) {
				for (const { reject } of group) reject(error);
			}
			await this.rest();
		}
		this.isBusy = false;
	}
}

/** A reading that takes longer is not waited for: it may never end. */
const PATIENCE_MS = 1_000;

/**
 * Lets concurrent callers that ask for the same thing share one reading. No caller gets a reading
 * that began before its call: what changed before the call is always included.
 */
export class RequestCoalescer<T> {
	/** The reading that began last, for each name; never rejects. */
	private readonly running = new Map<string, Promise<void>>();
	/** The one that begins when that has ended, for callers that ask meanwhile. */
	private readonly next = new Map<string, Promise<T>>();

	/** @param read must return the same to every caller that uses this name */
	async get(name: string, read: () => Promise<T>): Promise<T> {
		const next = this.next.get(name);
		if (next) return await next;
		const running = this.running.get(name);
		if (!running) return await this.start(name, read);
		const shared = Promise.race([running, sleep(PATIENCE_MS)]).then(async () => {
			this.next.delete(name);
			return await this.start(name, read);
		});
		this.next.set(name, shared);
		return await shared;
	}

	private async start(name: string, read: () => Promise<T>): Promise<T> {
		const reading = read();
		const forget = () => {
			if (this.running.get(name) === ended) this.running.delete(name);
		};
		const ended = reading.then(forget, forget);
		this.running.set(name, ended);
		return await reading;
	}
}
