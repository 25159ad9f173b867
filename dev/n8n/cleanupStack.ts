export class Endings {
	private readonly pending: Array<() => Promise<void>> = [];

	push(ending: () => Promise<void>): void {
		this.pending.push(ending);
	}

	/**
	 * Ends everything, the latest first; may be called at any time and more than once.
	 * @throws the first failure, after all others have ended
	 */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (let ending = this.pending.pop(); ending; ending = this.pending.pop()) {
			// One thing that does not end must not keep the others running.
			await ending().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
