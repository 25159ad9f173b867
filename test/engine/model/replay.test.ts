/**
 * What the model checker finds in a protocol with a planted fault (test/model/faults.ts) happens to money,
 * too: n8n's engine with that fault pays twice, or says what is not true. With the shipped protocol it
 * leaves the script at some step, and does neither.
 */
import * as protocol from '../../../nodes/BrlPayments/ledger/protocol';
import { FAULTS, plant } from '../../model/faults';
import { search } from '../../model/search';
import { toScript, type Script } from '../../model/story';
import { KEY_LIFE, TICK_MS, type Call, type Step } from '../../model/world';
import { INVOICES, referenced, usePayouts } from '../support/references';
import { replay, type Replayed } from './replay';

const bench = usePayouts();
/** Before a replay puts another one in its place. */
const shipped = { ...protocol };

function find(name: string) {
	const fault = FAULTS.find((one) => one.name === name);
	if (fault === undefined) throw new Error(`There is no fault "${name}"`);
	const machine = plant(fault);
	const { found } = search(fault.within, machine, 400_000);
	if (found === undefined) throw new Error(`Nothing shows the fault "${name}"`);
	return { fault, machine, script: toScript(fault.within, found) };
}

async function replayShipped(script: Script): Promise<Replayed> {
	bench.reset();
	return await replay(bench, script, shipped);
}

describe('what the model finds in a protocol with a fault', () => {
	// One of each kind: `npm run model -- --fault NAME --script` and `--replay` play any other.
	it.each([
		'the age of a key is that of the own row',
		'what is read back is ignored',
		'another account is taken for the own one',
		'nothing is read again before a refusal counts',
		'attempts without an answer are removed',
		'the content of a payout that cannot be read is not compared',
		'a candidate is taken for the payout',
		'a list that is not complete is a proof',
		'what a person has edited outlasts its twin',
		'what a person has named is not asked for',
	])('happens in the engine: %s', async (name) => {
		const { fault, machine, script } = find(name);

		const planted = await replay(bench, script, machine);
		expect(planted.deviation, planted.lines.join('\n')).toBeUndefined();
		expect(planted.violations).toEqual([expect.stringContaining(`${fault.foundBy}: `)]);

		const { violations, lines } = await replayShipped(script);
		expect(violations, lines.join('\n')).toEqual([]);
	});

	it('is left by the engine where the shipped protocol goes another way', async () => {
		const { script } = find('attempts without an answer are removed');
		const { deviation, lines } = await replayShipped(script);

		expect(deviation).toEqual({ step: 7, why: 'run 1 is over (later)' });
		expect(lines.slice(-2)).toEqual([
			'   7. run 1 removes rows, and ends',
			'      The engine does not: run 1 is over (later).',
		]);
	});
});

const start = (run: string): Step => ({
	...{ do: 'start', run, order: 0, apiKey: 'a' },
	wish: { content: 'c1', body: 'b1' },
});
const call = (run: string, what: Call, result?: string): Step => ({
	...{ do: 'call', run, call: what },
	...(result === undefined ? {} : { result }),
});
const calls = (run: string, ...all: Call[]): Step[] => all.map((what) => call(run, what));
const claim = (run: string): Step[] => [start(run), ...calls(run, 'insert', 'readBack')];
const send = (
	run: string,
	result: Extract<Step, { do: 'send' }>['result'],
	generation = 0,
): Step => ({ do: 'send', run, generation, result });
const play = async (bounds: Script['bounds'], ...steps: Step[]) =>
	await replay(
		bench,
		{ violation: '', bounds, tickMs: TICK_MS, steps, aftermathFrom: undefined },
		shipped,
	);

describe('steps that none of these scripts has', () => {
	it.each<[string, string[], Step[]]>([
		[
			'another tool uses the key',
			['elsewhere'],
			[
				{ do: 'stranger', order: 0, result: 'paid w0' },
				...[...claim('run 1'), send('run 1', 'mismatch'), call('run 1', 'read')],
			],
		],
		[
			'the service decides later',
			['inDoubt', 'paid'],
			[
				...[start('run 1'), start('run 2'), call('run 1', 'insert'), call('run 2', 'insert')],
				...[call('run 1', 'readBack'), send('run 1', 'conflict')],
				{ do: 'decide', run: 'run 1', result: 'paid w0' },
				...[call('run 2', 'readBack'), send('run 2', 'paid w0'), call('run 2', 'fetch', 'living')],
			],
		],
		[
			'what is known cannot be written',
			['paid', 'paid'],
			[
				...[...claim('run 1'), send('run 1', 'paid w0'), call('run 1', 'record', 'failed')],
				...[...claim('run 2'), send('run 2', 'paid w0'), call('run 2', 'fetch', 'living')],
			],
		],
	])('%s', async (_, says, steps) => {
		const { deviation, said, violations, lines } = await play({}, ...steps);

		expect(deviation, lines.join('\n')).toBeUndefined();
		expect(said.map(({ say }) => say)).toEqual(says);
		expect(violations).toEqual([]);
	});

	it('a script is refused that cannot be played', async () => {
		await expect(play({}, ...claim('run 1'), send('run 1', 'failed w0'))).rejects.toThrow(
			'The emulated service repeats its stored response under a key',
		);
	});
});

/** Scripts by hand: the model checker cannot find them, because for the model these steps are one. */
describe('where the engine once did what the protocol does not', () => {
	const wait: Step = { do: 'wait', ticks: 2 };

	it.each<[string, Step[]]>([
		[
			// Its row got the time at which it was written: it covered what others had sent since.
			'a refusal that is written minutes after it arrived answers no attempt made since',
			[
				...[...claim('run 1'), send('run 1', 'refused'), call('run 1', 'read')],
				...[...claim('run 2'), send('run 2', 'none')],
				{ do: 'arrive', run: 'run 2', result: 'paid w0' },
				wait,
				...calls('run 1', 'record', 'remove'),
				...[...claim('run 3'), send('run 3', 'paid w0')],
			],
		],
		[
			// The error of the refused connection stood for the conclusion `later`: its effect is `none`.
			'a run that was not sent does not say that nothing had an effect where another is sending',
			[
				...[start('run 1'), start('run 2')],
				...[...calls('run 1', 'insert', 'readBack'), ...calls('run 2', 'insert', 'readBack')],
				...[send('run 2', 'none'), send('run 1', 'unsent'), call('run 1', 'read')],
			],
		],
		[
			// The same with the error of the refusal.
			'nor one that was refused, where another has gone on',
			[
				...[...claim('run 1'), send('run 1', 'refused'), wait],
				...[...claim('run 2'), send('run 2', 'refused')],
				...calls('run 2', 'read', 'list', 'insert', 'readBack'),
				...[send('run 2', 'paid w0', 1), call('run 1', 'read')],
			],
		],
		[
			// It did not find what it had written, and said that the table cannot be used and nothing was sent.
			'nor one whose row another has removed that has paid',
			[
				...[start('run 1'), start('run 2'), call('run 2', 'insert')],
				...[...calls('run 1', 'insert', 'readBack'), send('run 1', 'paid w0')],
				...[...calls('run 1', 'fetch', 'record', 'remove'), ...calls('run 2', 'readBack', 'fetch')],
			],
		],
		[
			// As behind a proxy that has sent it twice. The run counted it as answered, and removed its row.
			'a first attempt that is answered with IDEMPOTENCY_CONFLICT stays in the ledger',
			[
				...[...claim('run 1'), send('run 1', 'conflict'), call('run 1', 'remove')],
				{ do: 'decide', run: 'run 1', result: 'paid w0' },
				{ do: 'wait', ticks: KEY_LIFE },
				...[...claim('run 2'), send('run 2', 'paid w1')],
			],
		],
	])('%s', async (_, steps) => {
		expect((await play({ asksNewKey: false }, ...steps)).violations).toEqual([]);
	});

	it('a refusal is written late, too, because the next item takes that long', async () => {
		const { faults } = bench.sandbox;
		const first = INVOICES.slice(0, 1);
		faults.add({
			...{ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', stored: false },
			when: ({ rawBody }) => rawBody.includes('NF-1'),
		});
		let attempts = 0;
		bench.lose('dropBefore', (body) => {
			if (!body.includes('NF-2')) return false;
			attempts += 1;
			if (attempts > 1) {
				bench.clock.advance(70_000);
				return true;
			}
			// Another execution pays the first item, and does not live to read the answer.
			faults.add({
				...{ method: 'POST', kind: 'lateAnswer', ms: 3_600_000 },
				when: ({ rawBody }) => rawBody.includes('NF-1'),
			});
			void bench.start(referenced(), first);
			return true;
		});
		await bench.start(referenced({ maxConcurrency: 1 }), INVOICES);
		faults.clear();

		await bench.start(referenced(), first);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});
});
