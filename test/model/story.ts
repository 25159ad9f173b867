/** Tells a person, or another program, how a violation comes about. */
import type { Row, Conclusion } from '../../nodes/BrlPayments/ledger/protocol';
import type { Found } from './search';
import { CALM } from './suite';
import { PERSON, rowsOf, TICK_MS, type Bounds, type Call, type Step, type World } from './world';

/**
 * A violation as a program can play it again, against the engine and the sandbox. Everything happens in
 * the order of `steps`. A run stands still between its steps: each `call` and `send` lets it make its
 * next call, of which `do` and `call` say which one it is, and `result` what the other side does:
 * - `paid w0`: the service makes, or names again, the withdrawal that the script calls `w0`
 * - `refused`, `mismatch`, `conflict`: the service answers so
 * - `none`: no answer; the request executes when its `arrive` comes, or never
 * - `unsent`: the connection fails before anything is sent
 * `says` is what the run decides with that step. Times are ticks of `tickMs`, orders are numbers, runs
 * have names, and `wish` names contents that a replayer chooses amounts and descriptions for.
 */
export interface Script {
	readonly violation: string;
	readonly bounds: Partial<Bounds>;
	readonly tickMs: number;
	readonly steps: ReadonlyArray<Step & { readonly says?: Conclusion }>;
	/** The first step of what follows without any fault; for `I3`. */
	readonly aftermathFrom: number | undefined;
}

export function toScript(bounds: Bounds, { path, aftermath, invariant, what }: Found): Script {
	const steps = [...path, ...aftermath].map(({ step, conclusion }) => ({
		...step,
		...('run' in step ? { run: runOf(step.run) } : {}),
		...(conclusion ? { says: conclusion.say } : {}),
	}));
	return {
		violation: `${invariant}: ${what}`,
		bounds: differing(bounds),
		tickMs: TICK_MS,
		steps,
		aftermathFrom: aftermath.length > 0 ? path.length : undefined,
	};
}

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
			return `${runOf(step.run)} sends under generation ${step.generation}: ${tellResult(step.result)}${step.repeats ? ', and it is going to try again' : ''}${step.isCopied ? ', and the same request is still under way' : ''}`;
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
		case 'look':
			return `a person looks${tellOrder(step.order)}, and finds ${step.found ?? 'nothing'}`;
		case 'settle':
			return `the person settles${tellOrder(step.order)} with API key ${step.apiKey} as ${step.found === undefined ? 'not paid' : `paid with ${step.found}`}: ${step.result}`;
		case 'edit':
			return `a person changes row ${step.row + 1}${tellOrder(step.order)} to ${step.status}`;
		case 'delete':
			return `a person deletes row ${step.row + 1}${tellOrder(step.order)}`;
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
			return `in doubt, ${Object.values(conclusion.because).map(String).join(' ')}`;
		case 'elsewhere':
		case 'refused':
		case 'notSent':
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

function tellRow({ status, generation, body, at, run, withdrawalId, shown }: Row): string {
	const what = [
		`${status} g${generation}`,
		body,
		withdrawalId,
		shown && `shown ${shown.join(' ')}`,
	];
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
	// In a script, runs have their names already.
	if (name === PERSON || name.startsWith('run ')) return name;
	return `run ${name.charCodeAt(0) - 0xe000 + 1}`;
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
