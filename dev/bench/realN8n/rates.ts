import { alternate } from '../measure/alternate';
import { spread } from '../report';
import { summarize } from '../measure/statistics';
import type { Round } from './rounds';

/** The rounds of one kind, in the order of the runs. */
export interface Rate {
	readonly perSecond: readonly number[];
	/** Milliseconds of n8n's process for each delivery. Empty where the system does not report it. */
	readonly processorMs: readonly number[];
}

/** See `alternate`, for rounds of deliveries. */
export async function alternateRounds<Name extends string>(
	kinds: Readonly<Record<Name, () => Promise<Round>>>,
	runs: number,
	onProgress: (text: string) => void,
): Promise<Record<Name, Rate>> {
	const names = Object.keys(kinds) as Name[];
	const rounds = new Map(names.map((name) => [name, [] as Round[]]));
	const measures = names.map((name) => [
		name,
		async () => {
			const round = await kinds[name]();
			rounds.get(name)?.push(round);
			return round.perSecond;
		},
	]);
	const perSecond = await alternate(
		Object.fromEntries(measures) as Record<Name, () => Promise<number>>,
		runs,
		(name, run) => onProgress(`${name}, run ${run} of ${runs}`),
	);
	const rates = names.map((name) => {
		// The first of each has warmed up.
		const counted = rounds.get(name)!.slice(1);
		const processorMs = counted.flatMap((round) => round.processorMs ?? []);
		return [name, { perSecond: perSecond[name], processorMs }];
	});
	return Object.fromEntries(rates) as Record<Name, Rate>;
}

/** `4.0 per second (3.9 to 4.1), 250 ms (240 to 260) of processor time each` */
export function describeSpeed({ perSecond, processorMs }: Rate): string {
	return `${spread(summarize(perSecond), 1, ' per second')}${describeProcessor(processorMs)}`;
}

/** `250 ms (240 to 260), 250 ms (240 to 260) of processor time each` */
export function describeTime({ perSecond, processorMs }: Rate): string {
	const milliseconds = perSecond.map((count) => 1000 / count);
	return `${spread(summarize(milliseconds), 0, ' ms')}${describeProcessor(processorMs)}`;
}

function describeProcessor(milliseconds: readonly number[]): string {
	if (milliseconds.length === 0) return '';
	return `, ${spread(summarize(milliseconds), 0, ' ms')} of processor time each`;
}
