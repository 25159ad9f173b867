import { InvalidArgumentError } from 'commander';

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
	return (text: string): number => {
		const value = Number(text);
		if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
		throw new InvalidArgumentError(`Must be a whole number from ${minimum} to ${maximum}.`);
	};
}

/** A signal that aborts when the person at the terminal, or the system, wants the program to end. */
export function interruption(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => controller.abort(new Error('Interrupted.')));
	}
	return controller.signal;
}

export function describeError(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Runs a command to its end; when it fails, says why and exits with 1. */
export function runMain(main: () => Promise<void>): void {
	main()
		.catch((error: unknown) => {
			process.stderr.write(`\n${describeError(error)}\n`);
			process.exitCode = 1;
		})
		// Idle connections to what was just ended would keep the process for some seconds.
		.finally(() => process.exit());
}
