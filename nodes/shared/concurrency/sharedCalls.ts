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

	/** @param commit one call for many questions; the answers in their order */
	constructor(
		private readonly commit: (questions: readonly Question[]) => Promise<readonly Answer[]>,
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
			// Those who ask after an answer share the next call.
			await Promise.resolve();
		}
		this.isBusy = false;
	}
}
