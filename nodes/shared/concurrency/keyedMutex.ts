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
