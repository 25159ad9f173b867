/** In a log, which keeps every line, progress is reported every 15 s; at a terminal some times a second. */
const IN_LOG_MS = 15_000;
const AT_TERMINAL_MS = 200;

/** Passes on what is reported, but not more often than a person can read it. */
export function sometimes(report: (text: string) => void): (text: string) => void {
	const pauseMs = process.stdout.isTTY ? AT_TERMINAL_MS : IN_LOG_MS;
	let last = -Infinity;
	return (text) => {
		if (Date.now() - last < pauseMs) return;
		last = Date.now();
		report(text);
	};
}
