import {
	assumedDialect,
	oppositeDialect,
	parseDialect,
} from '../../../../../dev/sandbox/settings/dialects';

it('turns every switch into its opposite', () => {
	const assumed = assumedDialect() as Record<string, Record<string, string>>;
	for (const [id, switches] of Object.entries(oppositeDialect())) {
		for (const [name, value] of Object.entries(switches)) {
			expect([id, name, value]).not.toEqual([id, name, assumed[id]![name]]);
		}
	}
});

it('refuses an open point that does not exist, and lists those that do', () => {
	expect(() => parseDialect('listOrders=byId')).toThrow(
		/"listOrders", only listFilters, listOrder/,
	);
});
