/**
 * `npm run model`: the small suite and the wide one. `npm run model -- person` takes the rows whose name
 * matches; `--most 500000` ends each after so many states; `--script` prints what `Script` describes.
 */
import { parseArgs } from 'node:util';

import * as shipped from '../../nodes/BrlPayments/payouts/protocol';
import { search } from './search';
import { describeBounds, tellStory, toScript } from './story';
import { SMALL, WIDE } from './suite';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		most: { type: 'string', default: '1500000' },
		script: { type: 'boolean', default: false },
	},
});
const pattern = new RegExp(positionals[0] ?? '');
const total = { states: 0, seconds: 0, failures: 0, cut: 0 };

for (const bounds of [...SMALL, ...WIDE].filter(({ name }) => pattern.test(name))) {
	const begun = process.cpuUsage().user;
	const { states, depth, isComplete, found, ends } = search(bounds, shipped, Number(values.most));
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
