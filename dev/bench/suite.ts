import type { Row } from './report';

/** What every suite of the bench receives. */
export interface SuiteOptions {
	/** How often each thing is run, without the run that warms up. */
	readonly runs: number;
	/** How many withdrawals a run has, where that is free; absent: as many as in the published figures. */
	readonly items?: number | undefined;
	/** How long a load lasts, in seconds; absent: as long as in the published figures. */
	readonly seconds?: number | undefined;
	/** Reports progress in a few words. */
	readonly onProgress: (text: string) => void;
}

/** One subject that can be measured on its own. @throws when what was measured did not work correctly */
export type Suite = (options: SuiteOptions) => Promise<Row[]>;
