import * as shipped from '../../nodes/BrlPayments/payouts/protocol';
import { search } from './search';
import { tellStory } from './story';
import { SMALL } from './suite';

const [, , filter = '', most = '1e6'] = process.argv;
for (const bounds of SMALL.filter(({ name }) => new RegExp(filter).test(name))) {
	const begun = process.cpuUsage().user;
	const { states, depth, isComplete, found, ends } = search(bounds, shipped, Number(most));
	const seconds = (process.cpuUsage().user - begun) / 1e6;
	console.log(
		`${found ? 'FAIL' : isComplete ? 'ok  ' : 'CUT '} ${bounds.name.padEnd(50)} ${states} states, depth ${depth}, ${seconds.toFixed(1)} s`,
	);
	if (found) console.log(tellStory(bounds, found));
	else console.log('     ' + [...ends].map(([end, count]) => `${end}: ${count}`).join(', '));
}
