/** Tells a person how a violation comes about. */
import { PERSON, type Conclusion, type Row } from '../../nodes/BrlPayments/orders/protocol';
import type { Found } from './search';
import { CALM } from './suite';
import { TICK_MS, type Bounds } from './bounds';
import { rowsOf, type Call, type Step, type World } from './state';

/** What distinguishes bounds from a calm world. */
function differing(bounds: Bounds): Partial<Bounds> {
	const calm: Partial<Record<string, unknown>> = CALM;
	const entries = Object.entries(bounds).filter(
		([name, value]) => name !== 'name' && JSON.stringify(calm[name]) !== JSON.stringify(value),
	);
	return Object.fromEntries(entries) as Partial<Bounds>;
}

export function describeBounds(bounds: Bounds): string {
	const { runs, ticks } = bounds;
	const { wishes, ...rest } = differing({ ...bounds });
	const bodies = wishes?.map(({ body }) => body).join(' or ');
	const all = Object.entries({ runs, ticks, ...rest, ...(bodies ? { asked: bodies } : {}) });
	return all.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

export function tellStory({ path, aftermath, invariant, what }: Found): string {
	let ledger = '';
	const lines = [...path, ...aftermath].map((move, index) => {
		const turn = index === path.length ? '     From here on, no fault happens.\n' : '';
		const rows = tellLedger(move.world);
		const change = rows === ledger ? '' : `\n${rows}`;
		ledger = rows;
		const says = move.conclusion ? `, and says: ${tellConclusion(move.conclusion.say)}` : '';
		return `${turn}${String(index + 1).padStart(4)}. ${capital(tellStep(move.step))}${says}.${change}`;
	});
	return [`     ${invariant}: ${what}`, ...lines].join('\n');
}

const CALLS: Readonly<Record<Call, string>> = {
	read: 'reads the ledger again',
	insert: 'writes its rows',
	readBack: 'reads the ledger back',
	withdraw: 'withdraws its rows',
	notSend: 'does not send, as its row or the key is too old',
	fetch: 'reads the withdrawal',
	list: 'reads the list',
	record: 'writes what it knows',
	remove: 'removes rows, and ends',
};

/** What happens in a step, in words. */
export function tellStep(step: Step): string {
	switch (step.do) {
		case 'wait':
			return `${tellTime(step.ticks)} pass`;
		case 'start':
			return `${runOf(step.run)} begins${tellOrder(step.order)}, asks for ${step.wish.content} (${step.wish.body}) with API key ${step.apiKey}, and reads the ledger`;
		case 'call':
			return `${runOf(step.run)} ${CALLS[step.call]}${step.result === undefined ? '' : ` (${step.result})`}`;
		case 'send':
			return `${runOf(step.run)} sends under generation ${step.generation}: ${tellResult(step.result)}${step.repeats ? ', and it is going to try again' : ''}`;
		case 'kill':
			return `${runOf(step.run)} is killed${step.while === 'sending' ? ' while it sends' : ''}`;
		case 'arrive':
			return `the late request of ${runOf(step.run)} arrives: ${tellResult(step.result)}`;
		case 'decide':
			return `the service decides on the request of ${runOf(step.run)}: ${tellResult(step.result)}`;
		case 'lookalike':
			return `somebody else pays ${step.content}: ${step.result}`;
		case 'stranger':
			return `another tool uses the key of generation 0: ${step.result}`;
		case 'bankRefuses':
			return `the bank refuses ${step.id}`;
		case 'edit':
			return `a person edits${tellOrder(step.order)}: ${tellRow(step.row)}`;
		case 'look':
			return `a person looks${tellOrder(step.order)}, and finds ${step.found ?? 'nothing'}`;
		case 'settle':
			return `the person settles${tellOrder(step.order)} with API key ${step.apiKey} as ${step.found === undefined ? 'not paid' : `paid with ${step.found}`}: ${step.result}`;
		case 'write':
			return `what the person has said${tellOrder(step.order)} is written`;
		case 'leave':
			return `the person has nothing left to say${tellOrder(step.order)}`;
	}
}

function tellResult(result: string): string {
	if (result === 'none') return 'no answer';
	return result === 'unsent' ? 'it never leaves' : result;
}

function tellConclusion(conclusion: Conclusion): string {
	switch (conclusion.say) {
		case 'paid':
			return `paid with ${conclusion.id}${conclusion.isNew ? ', new' : ''}`;
		case 'recorded':
		case 'mismatch':
		case 'failed':
			return `${conclusion.say} ${conclusion.id}`;
		case 'later':
			return conclusion.from === undefined ? 'later' : `later, from ${tellAt(conclusion.from)} on`;
		case 'inDoubt':
			return `in doubt, ${conclusion.because} ${('ids' in conclusion ? conclusion.ids : []).join(', ')}`.trim();
		case 'elsewhere':
		case 'refused':
			return conclusion.say;
	}
}

function tellLedger(world: World): string {
	if (world.ledger.length === 0) return '        ledger: empty';
	const orders = [...new Set(world.ledger.map(({ order }) => order))].sort();
	return orders
		.map(
			(order) =>
				`        ledger${tellOrder(order)}: ${rowsOf(world, order).map(tellRow).join(' | ')}`,
		)
		.join('\n');
}

function tellRow({ status, generation, content, at, run, withdrawalId }: Row): string {
	const what = [`${status} g${generation}`, content, withdrawalId];
	return [...what.filter(Boolean), `by ${runOf(run)}`, `at ${tellAt(at)}`].join(' ');
}

/** Only where there is more than one. */
function tellOrder(order: number): string {
	return order === 0 ? '' : ` for order ${order + 1}`;
}

function tellTime(ticks: number): string {
	const minutes = (ticks * TICK_MS) / 60_000;
	return minutes < 60 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}

function tellAt(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	const seconds = Math.floor((ms % 60_000) / 1000);
	return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds)}`;
}

function pad(value: number): string {
	return String(value).padStart(2, '0');
}

function runOf(name: string): string {
	if (name === PERSON) return name;
	return `run ${name.charCodeAt(0) - 0xe000 + 1}`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
