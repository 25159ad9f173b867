/**
 * `npm run model`: the small suite, the wide one, and the worlds of the faults, in which nothing happens without
 * them. `npm run model -- person` takes those whose name matches.
 */
import * as shipped from '../../nodes/BrlPayments/orders/protocol';
import { FAULTS } from './faults';
import { search } from './search';
import { tellStory } from './story';
import { SMALL, WIDE } from './suite';

/** Where a search ends that is not over. */
const MOST_STATES = 1_500_000;

const pattern = new RegExp(process.argv[2] ?? '');
const ofFaults = FAULTS.map(({ within }) => ({ ...within, flaw: undefined }));
const total = { states: 0, violations: 0, cut: 0 };

for (const bounds of [...SMALL, ...WIDE, ...ofFaults]) {
	if (!pattern.test(bounds.name)) continue;
	const { states, isComplete, found } = search(bounds, shipped, MOST_STATES);
	const result = found ? 'FAIL' : isComplete ? 'ok  ' : 'CUT ';
	console.log(`${result} ${bounds.name.padEnd(56)} ${String(states).padStart(8)} states`);
	if (found) console.log(tellStory(found));
	total.states += states;
	total.violations += found ? 1 : 0;
	total.cut += found || isComplete ? 0 : 1;
}
const { states, violations, cut } = total;
console.log(`${states} states, ${violations} violations, ${cut} not searched to the end`);
if (violations > 0) process.exitCode = 1;
