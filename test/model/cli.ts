/**
 * `npm run model`: the small suite, the wide one, and the worlds of the faults. `npm run model -- person`
 * takes those whose name matches; `--suite small` or `wide` one suite; `--most 500000` ends each after so many
 * states; `--fault NAME` takes the protocol with that fault of faults.ts, within the world that shows it.
 */
import { parseArgs } from 'node:util';

import { isEqual, omitBy } from 'lodash';

import * as shipped from '../../nodes/BrlPayments/orders/protocol';
import { FAULTS, plant } from './faults';
import { search } from './search';
import { tellStory } from './story';
import { CALM, SMALL, WIDE } from './suite';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		most: { type: 'string', default: '1500000' },
		fault: { type: 'string' },
		suite: { type: 'string', default: 'all' },
	},
});
const fault = FAULTS.find(({ name }) => name === values.fault);
if (values.fault !== undefined && fault === undefined) {
	throw new RangeError(
		`There is no fault "${values.fault}", only ${FAULTS.map(({ name }) => name).join('; ')}.`,
	);
}
const machine = fault ? plant(fault) : shipped;
const SUITES: Readonly<Record<string, typeof SMALL>> = {
	small: SMALL,
	wide: WIDE,
	// Without the fault, nothing happens in them.
	faults: FAULTS.map(({ within }) => ({ ...within, flaw: undefined })),
};
const rows = fault ? [fault.within] : (SUITES[values.suite] ?? Object.values(SUITES).flat());
const pattern = new RegExp(positionals[0] ?? '');
const total = { states: 0, seconds: 0, failures: 0, cut: 0 };

for (const bounds of rows.filter(({ name }) => pattern.test(name))) {
	const begun = process.cpuUsage().user;
	const { states, isComplete, found } = search(bounds, machine, Number(values.most));
	const seconds = (process.cpuUsage().user - begun) / 1e6;
	const result = found ? 'FAIL' : isComplete ? 'ok  ' : 'CUT ';
	console.log(
		`${result} ${bounds.name.padEnd(56)} ${String(states).padStart(8)} states, ${seconds.toFixed(1)} s`,
	);
	const differing = omitBy(bounds, (value, name) => isEqual(value, Object(CALM)[name]));
	console.log(`     within: ${JSON.stringify(differing)}`);
	if (found) console.log(tellStory(found));
	total.states += states;
	total.seconds += seconds;
	if (found) total.failures += 1;
	if (!isComplete) total.cut += 1;
}
console.log(
	`${total.states} states, ${total.seconds.toFixed(0)} s of one processor, ${total.failures} violations, ${total.cut} not searched to the end`,
);
if (total.failures > 0) process.exitCode = 1;
