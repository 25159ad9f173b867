import type { ListrTask } from 'listr2';
import { throttle } from 'lodash';

import { ensureBuilt } from '../n8n/install/build';
import { ensureN8nInstalled, INSTALLATION_TAKES, type N8nHost } from '../n8n/install/install';

/** In a log, which keeps every line, progress is reported every 15 s; at a terminal some times a second. */
const IN_LOG_MS = 15_000;
const AT_TERMINAL_MS = 200;

export function sometimes(report: (text: string) => void): (text: string) => void {
	return throttle(report, process.stdout.isTTY ? AT_TERMINAL_MS : IN_LOG_MS, { trailing: false });
}

export const STEP_OPTIONS = {
	// Ctrl-C is handled by the command, where everything that runs can be ended first.
	registerSignalListeners: false,
	fallbackRenderer: 'simple',
	fallbackRendererCondition: () => !process.stdout.isTTY,
} as const;

/** What comes before anything with a real n8n. @param onInstalled called before the next step */
export function firstSteps(signal: AbortSignal, onInstalled: (host: N8nHost) => void): ListrTask[] {
	return [
		{
			title: `n8n (installed once: ${INSTALLATION_TAKES})`,
			task: async (_context, task) => {
				const onProgress = (text: string) => (task.output = text);
				onInstalled(await ensureN8nInstalled({ signal, onProgress }));
				task.title = 'n8n is installed';
			},
		},
		{ title: 'Build the package', task: async () => await ensureBuilt(signal) },
	];
}
