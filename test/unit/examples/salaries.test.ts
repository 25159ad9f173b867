/** Expressions of the example that pays salaries; what it does is in test/e2e/examples/salaries.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';

const file = join(__dirname, '..', '..', '..', 'examples', 'salaries.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: INode[] };
const parametersOf = (wanted: string): unknown =>
	nodes.find(({ name }) => name === wanted)!.parameters;

/** What is between the brackets of an expression, as a function of these variables. */
function toFunction<Run>(expression: string, variables: string): Run {
	const [, code] = /^=\{\{(.*)\}\}$/.exec(expression)!;
	return runInThisContext(`(${variables}) => (${code})`) as Run;
}

describe('the days on which it goes on', () => {
	interface Scope {
		$today: DateTime;
		$json: { day: number; results?: object[] };
		$execution: { mode: 'production' | 'test' };
	}
	const { rules } = parametersOf('What Next?') as {
		rules: {
			values: Array<{ outputKey: string; conditions: { conditions: [{ leftValue: string }] } }>;
		};
	};
	const { conditions } = rules.values.find(({ outputKey }) => outputKey === 'read')!;
	const evaluate = toFunction<(scope: Scope) => boolean>(
		conditions.conditions[0].leftValue,
		'{ $today, $json, $execution }',
	);

	/** @param today `YYYY-MM-DD` */
	const goesOn = (today: string, day: number, changed: Partial<Scope> = {}) =>
		evaluate({
			$today: DateTime.fromISO(today, { zone: 'America/Sao_Paulo' }),
			$json: { day },
			$execution: { mode: 'production' },
			...changed,
		});

	it.each([
		['a Saturday', '2030-01', 5, '2030-01-07'],
		['the Monday of Carnival', '2027-02', 8, '2027-02-10'],
		['the Tuesday of Carnival', '2032-02', 10, '2032-02-11'],
		['Good Friday', '2030-04', 19, '2030-04-22'],
		['Corpus Christi, which follows Easter by 60 days', '2026-06', 4, '2026-06-05'],
		['Corpus Christi of a late Easter', '2038-06', 24, '2038-06-25'],
		['New Year', '2026-01', 1, '2026-01-02'],
		['Tiradentes', '2026-04', 21, '2026-04-22'],
		['Labor Day, a Friday', '2026-05', 1, '2026-05-04'],
		['Independence Day', '2026-09', 7, '2026-09-08'],
		['Our Lady of Aparecida', '2026-10', 12, '2026-10-13'],
		['All Souls', '2026-11', 2, '2026-11-03'],
		['the day of Zumbi, a Friday', '2026-11', 20, '2026-11-23'],
		['Christmas, a Friday', '2026-12', 25, '2026-12-28'],
		['a working day', '2026-12', 24, '2026-12-24'],
	])('begin, if payday is %s in %s, from %s, with %s, and are ten', (_case, month, day, payday) => {
		const first = DateTime.fromISO(`${month}-01`);
		const days = Array.from({ length: 45 }, (_value, index) => first.plus({ days: index }));
		const inMonth = days
			.filter((date) => date.month === first.month)
			.map((date) => date.toISODate()!);
		const end = DateTime.fromISO(payday).plus({ days: 10 }).toISODate()!;
		expect(inMonth.filter((today) => goesOn(today, day))).toEqual(
			inMonth.filter((today) => today >= payday && today < end),
		);
	});

	it('are all if a person presses Execute workflow, and the list is read once', () => {
		expect(goesOn('2030-01-05', 5)).toBe(false);
		expect(goesOn('2030-01-05', 5, { $execution: { mode: 'test' } })).toBe(true);
		expect(goesOn('2030-02-05', 5)).toBe(true);
		expect(goesOn('2030-02-05', 5, { $json: { day: 5, results: [] } })).toBe(false);
	});
});

describe('the approvers', () => {
	const { jsCode } = parametersOf('Checked List') as { jsCode: string };
	const checkList = runInThisContext(`($) => {${jsCode}}`) as (
		$: (node: string) => object,
	) => [{ json: { approvers: unknown[]; needed: number; report: { text: string } } }];

	/** @param sumTotal reais, with fees; a second person has to agree above 20,000 */
	function checkWith(approver1: unknown, approver2: unknown, sumTotal = 20_000.01) {
		const money = { amount: sumTotal, total: sumTotal, pixKey: 'a@b.example' };
		const row = { ok: true, paidBefore: false, ...money };
		const whole = { batchOk: true, batchProblems: [], batchAvailableBalance: null };
		const settings = { approver1, approver2, twoApproversAbove: 20_000, month: '2030-01' };
		const items: Record<string, object[]> = {
			'Your Settings': [settings],
			'Your Columns': [{ name: 'nome' }],
			'Each Row': [{ line: 1, columns: ['nome'], unread: [], document: '1' }],
			'Check Batch': [{ ...row, problems: [], warnings: [], ...whole }],
		};
		const $ = (node: string) => {
			const all = (items[node] ?? []).map((each) => ({ json: each }));
			return { isExecuted: node in items, all: () => all, first: () => all[0]! };
		};
		return checkList($)[0].json;
	}
	const [ONE, TWO] = ['one@example.com', 'two@example.com'] as const;

	it('are both above the sum, in their order, as they were entered, and one up to it', () => {
		expect(checkWith(ONE, TWO).approvers).toEqual([ONE, TWO]);
		const named = ' One <ONE@example.com>';
		expect(checkWith(named, TWO).approvers).toEqual([named, TWO]);
		expect(checkWith(`${ONE}, three@example.com`, TWO).approvers).toHaveLength(2);
		expect(checkWith(ONE, TWO, 20_000).approvers).toEqual([ONE]);
	});

	it.each([
		['the same address', ONE],
		['other case', 'One@Example.COM'],
		['a line break after it', `${ONE}\n`],
		['a name before it', `Second <${ONE}>`],
		['a list that contains it', `${TWO}, ${ONE}`],
		['a list with a semicolon', `${TWO};${ONE}`],
		['no address', 'two'],
		['an empty text', ''],
	])('are one person if the second has %s, and the report says what to do', (_case, second) => {
		const { approvers, needed, report } = checkWith(ONE, second);
		expect([approvers, needed]).toEqual([[ONE], 2]);
		expect(report.text).toContain('duas pessoas diferentes precisam aprovar');
	});

	it.each(['', 'one'])('are not two if the first is %o, which is no address', (first) => {
		expect(checkWith(first, `three@example.com, ${TWO}`).approvers).toHaveLength(1);
		expect(checkWith(first, TWO, 1).approvers).toEqual([]);
	});
});
