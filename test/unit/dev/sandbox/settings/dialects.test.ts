import {
	assumedDialect,
	oppositeDialect,
	parseDialect,
} from '../../../../../dev/sandbox/settings/dialects';

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
