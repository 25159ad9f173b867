import type { Row } from './report';

/** What every part of the bench is given. */
export interface PartOptions {
	/** How often each thing is run, without the run that warms up. */
	readonly runs: number;
	/** How many withdrawals a run has, where that is free; absent: as many as the figures are for. */
	readonly items?: number | undefined;
	/** Tells in a few words what is going on. */
	readonly onProgress: (text: string) => void;
}

/** One subject that can be measured by itself. @throws when what was measured did not work right */
export type Part = (options: PartOptions) => Promise<Row[]>;
