/** How far one payout walks through the code: `npm run walk`, published in ARCHITECTURE.md. */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { useBench } from './support/harness';
import { payReferenced } from './support/references';
import { CPF } from './support/values';

const bench = useBench();

/** What esbuild adds to a file, see `walk` in vitest.config.mts, and functions without a name. */
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

it('one payout with a reference', async () => {
	const list = [{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' }];
	// The first run creates the table, and compiles what is compiled once.
	await bench.run(payReferenced(), list);
	const walk = await countCalls(
		async () => await bench.run(payReferenced(), [{ ...list[0], invoice: 'NF-2' }]),
	);
	process.stdout.write(`${JSON.stringify(walk)}\n`);
	expect(bench.paid).toEqual([1001, 1001]);
	// What ARCHITECTURE.md says, and a little room: whoever goes beyond it looks for a shorter way first.
	expect(walk.files).toBeLessThanOrEqual(70);
	expect(walk.functions).toBeLessThanOrEqual(374);
	expect(walk.calls).toBeLessThanOrEqual(735);
});
