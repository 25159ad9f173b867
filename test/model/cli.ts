/**
 * `npm run model`: the small suite and the wide one. `npm run model -- person` takes the rows whose name
 * matches; `--most 500000` ends each after so many states; `--script` prints what `Script` describes.
 * `--replay FILE` plays such a script against n8n's engine (test/engine/model). With `--fault NAME`, both
 * take the protocol with that fault of faults.ts, and the search its bounds.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import * as shipped from '../../nodes/BrlPayments/ledger/protocol';
import { FAULTS, plant } from './faults';
import { search } from './search';
import { describeBounds, tellStory, toScript } from './story';
import { SMALL, WIDE } from './suite';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		most: { type: 'string', default: '1500000' },
		script: { type: 'boolean', default: false },
		replay: { type: 'string' },
		fault: { type: 'string' },
	},
});
const fault = FAULTS.find(({ name }) => name === values.fault);
if (values.fault !== undefined && fault === undefined) {
	throw new RangeError(
		`There is no fault "${values.fault}", only ${FAULTS.map(({ name }) => name).join('; ')}.`,
	);
}
if (values.replay !== undefined) {
	const env = { ...process.env, SCRIPT: resolve(values.replay), FAULT: fault?.name ?? '' };
	const test = [
		'--project',
		'engine',
		'--disable-console-intercept=true',
		'test/engine/model/file.test.ts',
	];
	const { status } = spawnSync('npx', ['vitest', 'run', ...test], { env, stdio: 'inherit' });
	process.exit(status ?? 1);
}
const machine = fault ? plant(fault) : shipped;
const rows = fault ? [fault.within] : [...SMALL, ...WIDE];
const pattern = new RegExp(positionals[0] ?? '');
const total = { states: 0, seconds: 0, failures: 0, cut: 0 };

for (const bounds of rows.filter(({ name }) => pattern.test(name))) {
	const begun = process.cpuUsage().user;
	const { states, depth, isComplete, found, ends } = search(bounds, machine, Number(values.most));
	const seconds = (process.cpuUsage().user - begun) / 1e6;
	const result = found ? 'FAIL' : isComplete ? 'ok  ' : 'CUT ';
	console.log(
		`${result} ${bounds.name.padEnd(56)} ${String(states).padStart(8)} states, depth ${depth}, ${seconds.toFixed(1)} s`,
	);
	console.log(`     within: ${describeBounds(bounds)}`);
	if (found) {
		console.log(tellStory(found));
		if (values.script) console.log(JSON.stringify(toScript(bounds, found), undefined, '  '));
	} else {
		const all = [...ends].map(([end, count]) => `${end} (${count})`);
		console.log(`     at rest, then: ${all.join(', ')}`);
	}
	total.states += states;
	total.seconds += seconds;
	if (found) total.failures += 1;
	if (!isComplete) total.cut += 1;
}
console.log(
	`${total.states} states, ${total.seconds.toFixed(0)} s of one processor, ${total.failures} violations, ${total.cut} not searched to the end`,
);
if (total.failures > 0) process.exitCode = 1;
