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

	/** Easter Sunday, by the algorithm of Meeus, Jones and Butcher. */
	function easterOf(year: number): DateTime<true> {
		const [golden, century, yearOfCentury] = [year % 19, Math.floor(year / 100), year % 100];
		const moved = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
		const epact = (19 * golden + century - Math.floor(century / 4) - moved + 15) % 30;
		const leap = 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4);
		const weekday = (32 + leap - epact - (yearOfCentury % 4)) % 7;
		const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
		const march = epact + weekday - 7 * shift + 114;
		return DateTime.utc(year, Math.floor(march / 31), (march % 31) + 1) as DateTime<true>;
	}

	const FIXED = '01-01 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25'.split(' ');

	function isWorkingDay(date: DateTime<true>): boolean {
		const sinceEaster = date.diff(easterOf(date.year), 'days').days;
		const isHoliday =
			FIXED.includes(date.toFormat('MM-dd')) || [-48, -47, -2, 60].includes(sinceEaster);
		return date.weekday <= 5 && !isHoliday;
	}

	const range = (from: number, to: number) =>
		Array.from({ length: to - from + 1 }, (_value, index) => from + index);

	it.each([
		['a Saturday', '2030-01', 5, '2030-01-07'],
		['the Monday of Carnival', '2027-02', 8, '2027-02-10'],
		['Corpus Christi, which follows Easter by 60 days', '2026-06', 4, '2026-06-05'],
	])('begin, if payday is %s in %s, from %s, with %s', (_case, month, day, payday) => {
		const days = range(1, 28).map((each) => `${month}-${String(each).padStart(2, '0')}`);
		expect(days.find((today) => goesOn(today, day))).toBe(payday);
	});

	it('are ten from the first working day, in every month of 28 years, after which the weekdays repeat', () => {
		for (const year of range(2024, 2051)) {
			for (const month of range(1, 12)) {
				const day = 1 + ((year + month) % 20);
				let payday = DateTime.utc(year, month, day) as DateTime<true>;
				while (!isWorkingDay(payday)) payday = payday.plus({ days: 1 });
				const around = [-1, 0, 1, 9, 10].map((days) => payday.plus({ days }));
				const inMonth = around.filter((date) => date.month === month);
				const found = inMonth.map((date) => goesOn(date.toISODate(), day));
				expect([payday.toISODate(), found]).toEqual([
					payday.toISODate(),
					inMonth.map((date) => date >= payday && date < payday.plus({ days: 10 })),
				]);
			}
		}
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
		const row = {
			ok: true,
			paidBefore: false,
			amount: sumTotal,
			total: sumTotal,
			pixKey: 'a@b.example',
		};
		const whole = { batchOk: true, batchProblems: [], batchAvailableBalance: null };
		const settings = { approver1, approver2, twoApproversAbove: 20_000, month: '2030-01' };
		const items: Record<string, object[]> = {
			'Your Settings': [settings],
			'Your Columns': [{ name: 'nome' }],
			'Each Row': [{ line: 1, columns: ['nome'], document: '1' }],
			'Check Batch': [{ ...row, problems: [], warnings: [], ...whole }],
		};
		const [{ json }] = checkList((node) => {
			const all = (items[node] ?? []).map((each) => ({ json: each }));
			return { isExecuted: node in items, all: () => all, first: () => all[0]! };
		});
		return json;
	}
	const approversOf = (...given: Parameters<typeof checkWith>) => checkWith(...given).approvers;

	const ONE = 'one@example.com';
	const TWO = 'two@example.com';

	it('are both above the sum, in their order, as they were entered, and one up to it', () => {
		expect(approversOf(ONE, TWO)).toEqual([ONE, TWO]);
		expect(approversOf(' One <ONE@example.com>', TWO)).toEqual([' One <ONE@example.com>', TWO]);
		expect(approversOf(`${ONE}, three@example.com`, TWO)).toHaveLength(2);
		expect(approversOf(ONE, TWO, 20_000)).toEqual([ONE]);
	});

	it.each([
		['the same address', ONE],
		['other case', 'One@Example.COM'],
		['blanks around it', `  ${ONE}\u00a0`],
		['a line break after it', `${ONE}\n`],
		['a name before it', `Second <${ONE}>`],
		['a name after it', `${ONE} (Second)`],
		['a list that contains it', `${TWO}, ${ONE}`],
		['a list with a semicolon', `${TWO};${ONE}`],
		['no address', 'two'],
		['an empty text', ''],
		['nothing', undefined],
	])('are one person if the second has %s, and the report says what to do', (_case, second) => {
		const { approvers, needed, report } = checkWith(ONE, second);
		expect([approvers, needed]).toEqual([[ONE], 2]);
		expect(report.text).toContain('duas pessoas diferentes precisam aprovar');
	});

	it.each([
		['empty', '', 0],
		['no address', 'one', 0],
		['in the list of the second', TWO, 1],
	])('are not two if the first is %s', (_case, first, below) => {
		expect(approversOf(first, `three@example.com, ${TWO}`)).toHaveLength(1);
		expect(approversOf(first, TWO, 1)).toHaveLength(below);
	});
});
