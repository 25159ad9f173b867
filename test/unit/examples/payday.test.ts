/** On which days the example that pays salaries goes on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';

const file = join(__dirname, '..', '..', '..', 'examples', 'salaries.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: INode[] };
const { rules } = nodes.find(({ name }) => name === 'What Next?')!.parameters as unknown as {
	rules: {
		values: Array<{ outputKey: string; conditions: { conditions: [{ leftValue: string }] } }>;
	};
};
const { conditions } = rules.values.find(({ outputKey }) => outputKey === 'read')!;
const [, expression] = /^=\{\{(.*)\}\}$/.exec(conditions.conditions[0].leftValue)!;

interface Scope {
	$today: DateTime;
	$json: { day: number; rows?: object[] };
	$execution: { mode: 'production' | 'test' };
}
const evaluate = runInThisContext(`({ $today, $json, $execution }) => (${expression})`) as (
	scope: Scope,
) => boolean;

/** @param today `YYYY-MM-DD` */
const goesOn = (today: string, day: number, mode: Scope['$execution']['mode'] = 'production') =>
	evaluate({
		$today: DateTime.fromISO(today, { zone: 'America/Sao_Paulo' }),
		$json: { day },
		$execution: { mode },
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
	['a Monday', '2026-10', 5, '2026-10-05'],
	['a Saturday', '2030-01', 5, '2030-01-07'],
	['the Tuesday of Carnival', '2030-03', 5, '2030-03-06'],
	['the Monday of Carnival', '2027-02', 8, '2027-02-10'],
	['Good Friday', '2026-04', 3, '2026-04-06'],
	['Corpus Christi, which follows Easter by 60 days', '2026-06', 4, '2026-06-05'],
	['the day of Black Consciousness, before a weekend', '2026-11', 20, '2026-11-23'],
	['New Year', '2027-01', 1, '2027-01-04'],
	['Independence Day, after a weekend', '2026-09', 5, '2026-09-08'],
])('goes on first, if payday is %s in %s, from %s %s', (_case, month, day, payday) => {
	const days = range(1, 28).map((each) => `${month}-${String(each).padStart(2, '0')}`);
	expect(days.find((today) => goesOn(today, day))).toBe(payday);
});

it('goes on for ten days from the first working day, in every month of 28 years, after which the weekdays repeat', () => {
	for (const year of range(2024, 2051)) {
		for (const month of range(1, 12)) {
			const day = 1 + ((year + month) % 20);
			let payday = DateTime.utc(year, month, day) as DateTime<true>;
			while (!isWorkingDay(payday)) payday = payday.plus({ days: 1 });
			const around = [-1, 0, 1, 9, 10].map((days) => payday.plus({ days }));
			const inMonth = around.filter((date) => date.month === month);
			expect([payday.toISODate(), inMonth.map((date) => goesOn(date.toISODate(), day))]).toEqual([
				payday.toISODate(),
				inMonth.map((date) => date >= payday && date < payday.plus({ days: 10 })),
			]);
		}
	}
});

it('goes on at any time when a person presses Execute workflow', () => {
	expect(goesOn('2030-01-05', 5, 'test')).toBe(true);
	expect(goesOn('2030-01-05', 5)).toBe(false);
});

it('reads the list once in an execution', () => {
	const $today = DateTime.fromISO('2030-02-05', { zone: 'America/Sao_Paulo' });
	const scope: Scope = { $today, $json: { day: 5 }, $execution: { mode: 'production' } };
	expect(evaluate(scope)).toBe(true);
	expect(evaluate({ ...scope, $json: { day: 5, rows: [] } })).toBe(false);
});
