/** Words for what has happened. */
import { stepsOf, type Found } from './search';
import { PERSON, rowsOf, TICK_MS, type Bounds, type Move, type Step, type World } from './world';
import type { Row, Verdict } from '../../nodes/BrlPayments/payouts/protocol';

function runOf(name: string): string {
	return name === PERSON ? 'a person' : `run ${name.charCodeAt(0) - 0xe000 + 1}`;
}

export function tellStory(bounds: Bounds, found: Found): string {
	const { path, aftermath, invariant, what } = found;
	let ledger = '';
	const lines = [...path, ...aftermath].map((move, index) => {
		const rest = index === path.length ? 'From here on, no fault happens.\n' : '';
		const rows = describeLedger(move.world);
		const change = rows === ledger ? '' : `\n      ${rows}`;
		ledger = rows;
		return `${rest}${String(index + 1).padStart(3)}. ${tell(move)}${change}`;
	});
	return [`${invariant}: ${what} (${bounds.name})`, ...lines].join('\n');
}

function minutes(ticks: number): string {
	const all = (ticks * TICK_MS) / 60_000;
	return all < 60 ? `${all} minutes` : `${(all / 60).toFixed(1)} hours`;
}

function tell(move: Move): string {
	const said = move.verdict ? `; it says ${describeVerdict(move.verdict.say)}` : '';
	return `${capital(describeStep(move.step))}${said}.`;
}

function describeStep(step: Step): string {
	switch (step.do) {
		case 'wait':
			return `${minutes(step.ticks)} pass`;
		case 'start':
			return `${runOf(step.run)} begins with ${step.wish.content} (${step.wish.body}), API key ${step.apiKey}, order ${step.order}`;
		case 'call':
			return `${runOf(step.run)} ${step.call}${step.result === undefined ? '' : `: ${step.result}`}`;
		case 'send':
			return `${runOf(step.run)} sends under generation ${step.generation}: ${step.result}${step.repeats ? ', and is going to repeat it' : ''}`;
		case 'kill':
			return `${runOf(step.run)} is killed${step.while === 'sending' ? ' while it sends' : ''}`;
		case 'arrive':
			return `the late request of ${runOf(step.run)} executes: ${step.result}`;
		case 'decide':
			return `the service decides the request of ${runOf(step.run)}: ${step.result}`;
		case 'lookalike':
			return `somebody else pays ${step.content}: ${step.result}`;
		case 'stranger':
			return `another tool uses the key of generation 0: ${step.result}`;
		case 'bankRefuses':
			return `the bank refuses ${step.id}`;
		case 'look':
			return `a person looks for order ${step.order}, and finds ${step.found ?? 'nothing'}`;
		case 'settle':
			return `the person settles with API key ${step.apiKey}, ${step.found === undefined ? 'not paid' : `paid ${step.found}`}: ${step.result}`;
		case 'edit':
			return `a person changes row ${step.row + 1} of order ${step.order} to ${step.status}`;
	}
}

function describeVerdict(verdict: Verdict): string {
	return JSON.stringify(verdict);
}

function describeLedger(world: World): string {
	const orders = new Set(world.ledger.map(({ order }) => order));
	return [...orders]
		.map(
			(order) =>
				`ledger${order === 0 ? '' : ` of order ${order}`}: ${rowsOf(world, order).map(describeRow).join(' | ')}`,
		)
		.join('\n      ');
}

function describeRow({ status, generation, content, at, run, withdrawalId, shown }: Row): string {
	return `${status} g${generation} ${content}${withdrawalId === undefined ? '' : ` ${withdrawalId}`}${shown ? ` shown ${shown.join()}` : ''} @${+(at / TICK_MS).toFixed(2)} ${runOf(run)}`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

export { stepsOf };
