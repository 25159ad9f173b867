/** Tells a person how a violation comes about. */
import type { Found } from './search';

/** Each step, what a run says with it, and the ledger where it has changed; times in minutes. */
export function tellStory({ path, aftermath, invariant, what }: Found): string {
	let ledger = '';
	const lines = [...path, ...aftermath].map(({ step, world, conclusion }, index) => {
		const turn = index === path.length ? '      From here on, no fault happens.\n' : '';
		const says = conclusion ? `, and says ${tell(conclusion.say)}` : '';
		const rows = world.ledger
			.map(
				({ order, row: { at, ...row } }) => `      ${order}: ${tell({ ...row, at: at / 60_000 })}`,
			)
			.join('\n');
		const change = rows === ledger ? '' : `\n${rows || '      no rows'}`;
		ledger = rows;
		return `${turn}${String(index + 1).padStart(4)}. ${tell(step)}${says}${change}`;
	});
	return [`${invariant}: ${what}`, ...lines].join('\n');
}

/** Without quotation marks, and with the runs numbered, see `runName`. */
function tell(value: object): string {
	return JSON.stringify(value)
		.replaceAll('"', '')
		.replace(/[\uE000-\uEFFF]/g, (run) => `run ${run.charCodeAt(0) - 0xe000 + 1}`);
}
