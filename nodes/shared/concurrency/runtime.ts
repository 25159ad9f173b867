import { sleep } from 'n8n-workflow';

/** Time and chance, handed in so that every decision can be tested without waiting. */
export interface Runtime {
	/** Epoch milliseconds. */
	now(): number;
	/** At least 0, less than 1. */
	random(): number;
	/** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
	wait(ms: number, abortSignal?: AbortSignal): Promise<void>;
	/** Resolves in another turn of the event loop. */
	nextTurn(): Promise<void>;
}

export const realRuntime: Runtime = {
	now: () => Date.now(),
	random: () => Math.random(),
	wait: async (ms, abortSignal) => {
		if (abortSignal?.aborted) return;
		await Promise.race([sleep(ms), ...(abortSignal ? [whenAborted(abortSignal)] : [])]);
	},
	nextTurn: async () => await sleep(0),
};

/** Resolves as soon as the signal is aborted. */
async function whenAborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
}
