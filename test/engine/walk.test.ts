/** How far each of the four paths walks through the code: `npm run walk`, published in ARCHITECTURE.md. */
import { readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { paymentPaid } from '../e2e/support/deliveries';
import { useBench } from './support/harness';
import { Poller } from './support/poller';
import { payReferenced } from './support/payouts';
import { CPF } from './support/values';
import { operation } from './support/workflow';
import { useTriggerBench } from './support/triggerBench';

const bench = useBench();
const trigger = useTriggerBench();

/** What the compiler adds to a file, see `walk` in vitest.config.mts, and functions without a name. */
const NO_FUNCTION_OF_OURS = /^(?:__.*|fulfilled|rejected|step|)$/;

interface Walk {
	readonly files: number;
	readonly functions: number;
	readonly calls: number;
}

/** Counts the named functions of this package that run, and how often. */
async function countCalls(work: () => Promise<unknown>): Promise<Walk> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await session.post('Profiler.takePreciseCoverage');
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	await session.post('Profiler.stopPreciseCoverage');
	session.disconnect();
	const called = result.flatMap(({ url, functions }) => {
		const file = relative(process.cwd(), url.replace(/^file:\/\//, ''));
		if (!/^(nodes|credentials)\//.test(file)) return [];
		return functions.flatMap(({ functionName, ranges }) => {
			const count = ranges[0]?.count ?? 0;
			const isOurs = count > 0 && !NO_FUNCTION_OF_OURS.test(functionName);
			return isOurs ? [{ file, functionName, count }] : [];
		});
	});
	return {
		files: new Set(called.map(({ file }) => file)).size,
		functions: called.length,
		calls: called.reduce((sum, { count }) => sum + count, 0),
	};
}

/** Whoever goes beyond what ARCHITECTURE.md says looks for a shorter way first. */
async function expectShort(path: string, walk: Walk): Promise<void> {
	process.stdout.write(`${path}: ${JSON.stringify(walk)}\n`);
	const said = new RegExp(`${path}[^,]*? through (\\d+)[^,]*? and (\\d+)`);
	const [, files, calls] = said.exec(await readFile('ARCHITECTURE.md', 'utf8')) ?? [];
	expect(walk.files).toBeLessThanOrEqual(Number(files));
	expect(walk.calls).toBeLessThanOrEqual(Number(calls));
}

it('one payout with a reference', async () => {
	const list = [{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' }];
	// The first run creates the table, and compiles what is compiled once.
	await bench.run(payReferenced(), list);
	const walk = await countCalls(
		async () => await bench.run(payReferenced(), [{ ...list[0], invoice: 'NF-2' }]),
	);
	expect(bench.paid).toEqual([1001, 1001]);
	await expectShort('payout', walk);
});

it('one GET', async () => {
	const get = operation('payment.get', { paymentId: bench.sandbox.seed.payment().id });
	await bench.run(get, [{}]);
	const walk = await countCalls(async () => await bench.run(get, [{}]));
	await expectShort('GET', walk);
});

it('one delivery', async () => {
	const process = trigger.start();
	await process.deliver(paymentPaid());
	const walk = await countCalls(async () => await process.deliver(paymentPaid()));
	expect(trigger.executions).toHaveLength(2);
	await expectShort('delivery', walk);
});

it('one poll that finds an event', async () => {
	const payment = bench.sandbox.seed.payment({ paymentMethod: 'CARD', status: 'NEW' });
	const poller = new Poller(bench, { receiveBy: 'polling', events: ['*'] });
	await poller.activate();
	bench.sandbox.setPaymentStatus(payment.id, 'PAID');
	const walk = await countCalls(async () => expect(await poller.poll()).not.toBeNull());
	await expectShort('poll', walk);
});
