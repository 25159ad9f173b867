import { minBy } from 'lodash';

interface Waiting<T> {
	readonly task: T;
	/** Epoch ms. */
	readonly until: number;
}

/**
 * What is left to do for people who work side by side. Nobody is idle while there is something: what
 * has to wait is laid aside, and goes on before anything new is begun.
 */
export class Agenda<T> {
	private readonly fresh: T[];
	private waiting: ReadonlyArray<Waiting<T>> = [];
	private busy = 0;

	constructor(tasks: readonly T[]) {
		this.fresh = [...tasks];
	}

	/** Something to work on; undefined where all else waits, or is being worked on. */
	take(now: number): T | undefined {
		const due = minBy(
			this.waiting.filter(({ until }) => until <= now),
			'until',
		);
		if (due) this.waiting = this.waiting.filter((each) => each !== due);
		const task = due ? due.task : this.fresh.shift();
		if (task !== undefined) this.busy += 1;
		return task;
	}

	/** What was taken goes on at this moment, epoch ms. */
	layAside(task: T, until: number): void {
		this.busy -= 1;
		this.waiting = [...this.waiting, { task, until }];
	}

	finish(): void {
		this.busy -= 1;
	}

	/** The first moment that somebody waits for, epoch ms; undefined unless all that is left waits. */
	get nextAt(): number | undefined {
		if (this.busy > 0 || this.fresh.length > 0 || this.waiting.length === 0) return undefined;
		return Math.min(...this.waiting.map(({ until }) => until));
	}

	get isOver(): boolean {
		return this.busy === 0 && this.fresh.length === 0 && this.waiting.length === 0;
	}
}
