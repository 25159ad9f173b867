/** How far each of the four paths walks through the code: `npm run walk`, published in ARCHITECTURE.md. */
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

/** What ARCHITECTURE.md says, and a little room. */
const PAYOUT = { files: 66, calls: 667 };
const GET = { files: 31, calls: 255 };
const DELIVERY = { files: 20, calls: 235 };
const POLL = { files: 28, calls: 441 };

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

/** Whoever goes beyond a bound looks for a shorter way first. */
function expectShort(path: string, walk: Walk, files: number, calls: number): void {
	process.stdout.write(`${path}: ${JSON.stringify(walk)}\n`);
	expect(walk.files).toBeLessThanOrEqual(files);
	expect(walk.calls).toBeLessThanOrEqual(calls);
}

it('one payout with a reference', async () => {
	const list = [{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' }];
	// The first run creates the table, and compiles what is compiled once.
	await bench.run(payReferenced(), list);
	const walk = await countCalls(
		async () => await bench.run(payReferenced(), [{ ...list[0], invoice: 'NF-2' }]),
	);
	expect(bench.paid).toEqual([1001, 1001]);
	expectShort('payout', walk, PAYOUT.files, PAYOUT.calls);
});

it('one GET', async () => {
	const get = operation('payment.get', { paymentId: bench.sandbox.seed.payment().id });
	await bench.run(get, [{}]);
	const walk = await countCalls(async () => await bench.run(get, [{}]));
	expectShort('GET', walk, GET.files, GET.calls);
});

it('one delivery', async () => {
	const process = trigger.start();
	await process.deliver(paymentPaid());
	const walk = await countCalls(async () => await process.deliver(paymentPaid()));
	expect(trigger.executions).toHaveLength(2);
	expectShort('delivery', walk, DELIVERY.files, DELIVERY.calls);
});

it('one poll that finds an event', async () => {
	const payment = bench.sandbox.seed.payment({ paymentMethod: 'CARD', status: 'NEW' });
	const poller = new Poller(bench, { receiveBy: 'polling', events: ['*'] });
	await poller.activate();
	bench.sandbox.setPaymentStatus(payment.id, 'PAID');
	const walk = await countCalls(async () => expect(await poller.poll()).not.toBeNull());
	expectShort('poll', walk, POLL.files, POLL.calls);
});
