import {
	assumedDialect,
	describeDialect,
	DIALECTS,
	oppositeDialect,
	parseDialect,
} from '../../../../../dev/sandbox/settings/dialects';

const POINTS: Record<string, Record<string, readonly string[]>> = DIALECTS;

it.each(Object.keys(POINTS))(
	'names each alternative of %s once, as the command line can read it',
	(id) => {
		const values = Object.values(POINTS[id]!).flat();
		expect(new Set(values).size).toBe(values.length);
		expect(values.filter((value) => /[,+]/.test(value))).toEqual([]);
	},
);

it('assumes the first value of every switch', () => {
	const { listFilters, listOrder } = assumedDialect();
	expect(listFilters).toEqual({
		names: 'assumedNames',
		unknown: 'ignored',
		dates: 'createdAt',
	});
	expect(listOrder).toEqual({ order: 'newestFirst' });
});

it('turns every switch into its opposite', () => {
	const assumed = assumedDialect() as Record<string, Record<string, string>>;
	for (const [id, switches] of Object.entries(oppositeDialect())) {
		for (const [name, value] of Object.entries(switches)) {
			expect([id, name, value]).not.toEqual([id, name, assumed[id]![name]]);
		}
	}
});

it('takes the second alternative where there is one, and else the first', () => {
	const { listFilters } = oppositeDialect(2);
	expect(listFilters).toEqual({
		names: 'ignoredNames',
		unknown: 'refused',
		dates: 'paidOrProcessedAt',
	});
});

it('reads several points, and several alternatives of one', () => {
	const dialect = parseDialect('listFilters=otherNames+refused, listOrder=byId');
	expect(describeDialect(dialect)).toBe('listFilters=otherNames+refused,listOrder=byId');
});

it.each([
	['', assumedDialect()],
	['assumed', assumedDialect()],
	['opposite', oppositeDialect()],
	['opposite2', oppositeDialect(2)],
	['opposite,listOrder=newestFirst', { ...oppositeDialect(), listOrder: { order: 'newestFirst' } }],
])('reads "%s"', (text, expected) => {
	expect(parseDialect(text)).toEqual(expected);
});

it('refuses an open point that does not exist, and lists those that do', () => {
	expect(() => parseDialect('listOrders=byId')).toThrow(
		/"listOrders", only listFilters, listOrder/,
	);
});

it('refuses an alternative that does not exist, and lists those that do', () => {
	expect(() => parseDialect('listOrder=random')).toThrow(
		'listOrder cannot be "random", only newestFirst, oldestFirst, byId.',
	);
});
