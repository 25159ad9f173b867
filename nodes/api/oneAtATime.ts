/** Lets the tasks of one name run one after the other, in this process. */
export class OneAtATime {
	private tails = new Map<string, Promise<unknown>>();

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
