import type { CheckResult } from '../../../../dev/release/finding';
import { toExitCode, mergeUses, report } from '../../../../dev/release/report';

const clean: CheckResult = { name: 'contents', extent: '14 files', findings: [] };
const broken: CheckResult = {
	name: 'package.json',
	extent: 'what is published',
	findings: [
		{ place: 'name', text: 'is wrong' },
		{ place: 'license', text: 'is not MIT' },
	],
};

test('without findings it says so, and the command succeeds', () => {
	expect(report([clean, clean], [])).toMatch(/\n0 findings$/);
	expect(toExitCode([clean, clean])).toBe(0);
});

test('findings are named and summed up, and the command fails', () => {
	const text = report([clean, broken, broken], []);

	expect(text).toMatch(/^package\.json: name: is wrong\npackage\.json: license: is not MIT\n/);
	expect(text).toMatch(/package\.json +│ what is published +│ +2 │/);
	expect(text).toMatch(/\n4 findings$/);
	expect(toExitCode([clean, broken])).toBe(1);
});

test('exceptions are named with their reason', () => {
	const use = { rule: 'plugin/rule', reason: 'it is wrong here', count: 2 };

	expect(report([clean], [use])).toContain('plugin/rule (2 places): it is wrong here');
});

test('uses of one exception are counted together', () => {
	const use = { rule: 'plugin/rule', reason: 'it is wrong here', count: 2 };
	const other = { ...use, rule: 'plugin/other', count: 1 };

	expect(mergeUses([use, other, use])).toEqual([{ ...use, count: 4 }, other]);
});

test('nothing at all checked does not count as success', () => {
	expect(toExitCode([])).toBe(1);
});
