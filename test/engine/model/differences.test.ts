/**
 * Where the engine once did what the protocol does not, written as scripts by hand: the model checker
 * cannot find them, because for the model these steps are one.
 */
import * as protocol from '../../../nodes/BrlPayments/ledger/protocol';
import type { Script } from '../../model/story';
import { KEY_LIFE, TICK_MS, type Call, type Step } from '../../model/world';
import { INVOICES, referenced, usePayouts } from '../support/references';
import { replay } from './replay';

const bench = usePayouts();
const shipped = { ...protocol };

const start = (run: string): Step => ({
	...{ do: 'start', run, order: 0, apiKey: 'a' },
	wish: { content: 'c1', body: 'b1' },
});
const calls = (run: string, ...all: Call[]): Step[] =>
	all.map((call) => ({ do: 'call', run, call }));
const send = (
	run: string,
	generation: number,
	result: Extract<Step, { do: 'send' }>['result'],
): Step => ({ do: 'send', run, generation, result });
const wait: Step = { do: 'wait', ticks: 2 };

async function findViolations(...steps: Step[]): Promise<readonly string[]> {
	const script: Script = {
		violation: 'none',
		bounds: { asksNewKey: false },
		tickMs: TICK_MS,
		steps,
		aftermathFrom: undefined,
	};
	return (await replay(bench, script, shipped)).violations;
}

describe('a refusal that is written minutes after it arrived', () => {
	// Its row got the time at which it was written: it covered what others had sent since.
	it('answers no attempt that another run has made since', async () => {
		expect(
			await findViolations(
				start('run 1'),
				...calls('run 1', 'insert', 'readBack'),
				send('run 1', 0, 'refused'),
				...calls('run 1', 'read'),
				start('run 2'),
				...calls('run 2', 'insert', 'readBack'),
				send('run 2', 0, 'none'),
				{ do: 'arrive', run: 'run 2', result: 'paid w0' },
				wait,
				...calls('run 1', 'record', 'remove'),
				start('run 3'),
				...calls('run 3', 'insert', 'readBack'),
				send('run 3', 0, 'paid w0'),
			),
		).toEqual([]);
	});

	it('does so because the next item takes that long, too', async () => {
		const { faults } = bench.sandbox;
		const first = INVOICES.slice(0, 1);
		faults.add({
			...{ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', stored: false },
			when: ({ rawBody }) => rawBody.includes('NF-1'),
		});
		let attempts = 0;
		faults.add({
			...{ method: 'POST', kind: 'dropBefore', times: 5 },
			when: ({ rawBody }) => {
				if (!rawBody.includes('NF-2')) return false;
				attempts += 1;
				if (attempts > 1) {
					bench.clock.advance(70_000);
					return true;
				}
				// Another execution pays the first item, and does not live to read the answer.
				faults.add({
					...{ method: 'POST', kind: 'lateAnswer', ms: 3_600_000 },
					when: (request) => request.rawBody.includes('NF-1'),
				});
				void bench.start(referenced(), first);
				return true;
			},
		});
		await bench.start(referenced({ maxConcurrency: 1 }), INVOICES);
		faults.clear();

		await bench.start(referenced(), first);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});
});

describe('a run says that nothing had an effect only where that is so', () => {
	// The error of the refused connection stood for the conclusion `later`: its effect is `none`.
	it('not where another run is sending', async () => {
		expect(
			await findViolations(
				start('run 1'),
				start('run 2'),
				...calls('run 1', 'insert', 'readBack'),
				...calls('run 2', 'insert', 'readBack'),
				send('run 2', 0, 'none'),
				send('run 1', 0, 'unsent'),
				...calls('run 1', 'read'),
			),
		).toEqual([]);
	});

	// The same with the error of the refusal.
	it('not where another run has gone on', async () => {
		expect(
			await findViolations(
				start('run 1'),
				...calls('run 1', 'insert', 'readBack'),
				send('run 1', 0, 'refused'),
				wait,
				start('run 2'),
				...calls('run 2', 'insert', 'readBack'),
				send('run 2', 0, 'refused'),
				...calls('run 2', 'read', 'list', 'insert', 'readBack'),
				send('run 2', 1, 'paid w0'),
				...calls('run 1', 'read'),
			),
		).toEqual([]);
	});

	// It did not find what it had written, and said that the table cannot be used and nothing was sent.
	it('not where another run has paid, and removed the row that this one reads back', async () => {
		expect(
			await findViolations(
				start('run 1'),
				start('run 2'),
				...calls('run 2', 'insert'),
				...calls('run 1', 'insert', 'readBack'),
				send('run 1', 0, 'paid w0'),
				...calls('run 1', 'fetch', 'record', 'remove'),
				...calls('run 2', 'readBack', 'fetch'),
			),
		).toEqual([]);
	});
});

describe('a first attempt that is answered with IDEMPOTENCY_CONFLICT', () => {
	// As behind a proxy that has sent it twice. The run counted it as answered, and removed its row.
	it('stays in the ledger: the service may yet pay', async () => {
		expect(
			await findViolations(
				start('run 1'),
				...calls('run 1', 'insert', 'readBack'),
				send('run 1', 0, 'conflict'),
				...calls('run 1', 'remove'),
				{ do: 'decide', run: 'run 1', result: 'paid w0' },
				{ do: 'wait', ticks: KEY_LIFE },
				start('run 2'),
				...calls('run 2', 'insert', 'readBack'),
				send('run 2', 0, 'paid w1'),
			),
		).toEqual([]);
	});
});
