/**
 * What the model checker finds in a protocol with a planted fault (test/model/faults.ts) happens to money,
 * too: n8n's engine with that fault pays twice, or says what is not true. With the shipped protocol it
 * leaves the script at some step, and does neither.
 */
import * as protocol from '../../../nodes/BrlPayments/ledger/protocol';
import { FAULTS, plant } from '../../model/faults';
import { search } from '../../model/search';
import { toScript, type Script } from '../../model/story';
import { TICK_MS, type Call, type Step } from '../../model/world';
import { usePayouts } from '../support/references';
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

describe('steps that none of these scripts has', () => {
	const wish = { content: 'c1', body: 'b1' };
	const start = (run: string): Step => ({ do: 'start', run, order: 0, wish, apiKey: 'a' });
	const call = (run: string, what: Call, result?: string): Step => ({
		...{ do: 'call', run, call: what },
		...(result === undefined ? {} : { result }),
	});
	const claim = (run: string): Step[] => [start(run), call(run, 'insert'), call(run, 'readBack')];
	const send = (run: string, result: Extract<Step, { do: 'send' }>['result']): Step => ({
		...{ do: 'send', run, generation: 0, result },
	});
	const play = async (...steps: Step[]) =>
		await replay(
			bench,
			{ violation: '', bounds: {}, tickMs: TICK_MS, steps, aftermathFrom: undefined },
			shipped,
		);

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
		const { deviation, said, violations, lines } = await play(...steps);

		expect(deviation, lines.join('\n')).toBeUndefined();
		expect(said.map(({ say }) => say)).toEqual(says);
		expect(violations).toEqual([]);
	});

	it('a script is refused that cannot be played', async () => {
		await expect(play(...claim('run 1'), send('run 1', 'failed w0'))).rejects.toThrow(
			'The emulated service repeats its stored response under a key',
		);
	});
});
