import { findFailedSuites } from '../../../../dev/cli/failedSuites';

const suite = (name: string, status: string) => ({ name: `/clone/test/${name}.test.ts`, status });
const PASSED = ['a', 'b'].map((name) => suite(name, 'passed'));

test('names the files to run again', () => {
	const testResults = [...PASSED, suite('c', 'failed'), suite('d', 'failed')];
	expect(findFailedSuites({ testResults }, '/clone')).toEqual(['test/c.test.ts', 'test/d.test.ts']);
});

test.each([
	['nothing failed, so something else went wrong', PASSED],
	['many failed', ['c', 'd', 'e', 'f'].map((name) => suite(name, 'failed'))],
])('fails if %s', (_, testResults) => {
	expect(() => findFailedSuites({ testResults }, '/clone')).toThrow(RangeError);
});
