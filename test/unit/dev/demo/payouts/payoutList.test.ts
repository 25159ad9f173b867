import {
	barePixKey,
	toCents,
	parsePayouts,
	readPayouts,
	REFUSED_ON_PURPOSE,
} from '../../../../../dev/demo/payouts/payoutList';

describe('toCents', () => {
	it.each([
		['1.234,56', 123_456],
		['R$ 250,00', 25_000],
		['89,9', 8_990],
		['120', 12_000],
		['R$10,00', 1_000],
		['1.234.567,89', 123_456_789],
	])('reads %s', (text, cents) => {
		expect(toCents(text)).toBe(cents);
	});

	it.each(['', '12.34', '1.23,4', '1,234', '-5', '1.234.56'])('refuses "%s"', (text) => {
		expect(() => toCents(text)).toThrow('not an amount');
	});
});

describe('barePixKey', () => {
	it.each([
		['390.533.447-05', '39053344705'],
		['12.ABC.345/01DE-35', '12abc34501de35'],
		['12ABC34501DE35', '12abc34501de35'],
		['Maria.Silva-x@Example.com', 'maria.silva-x@example.com'],
		['+5511987654321', '+5511987654321'],
		['7F3B2C1E-9d84-4a65-b0f7-2e6d5c4b3a21', '7f3b2c1e-9d84-4a65-b0f7-2e6d5c4b3a21'],
	])('turns %s into %s', (pixKey, bare) => {
		expect(barePixKey(pixKey)).toBe(bare);
	});
});

describe('the example list', () => {
	const rows = readPayouts();

	it('has twenty rows with different invoices, two of them wrong on purpose', () => {
		const invoices = rows.map(({ invoice }) => invoice);
		expect(rows).toHaveLength(20);
		expect(new Set(invoices).size).toBe(20);
		expect(Object.keys(REFUSED_ON_PURPOSE)).toHaveLength(2);
		expect(invoices).toEqual(expect.arrayContaining(Object.keys(REFUSED_ON_PURPOSE)));
	});

	it('has amounts that can be read and keys of every type', () => {
		for (const { amount } of rows) expect(toCents(amount)).toBeGreaterThan(0);
		const keys = rows.map(({ pixKey }) => pixKey);
		for (const type of [
			/^\d{3}\.\d{3}\.\d{3}-\d{2}$/,
			/^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/,
			/^\d{2}\.[A-Z]{3}\.\d{3}\/\d{2}[A-Z]{2}-\d{2}$/,
			/@/,
			/^\+55\d{10,11}$/,
			/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
		]) {
			expect(keys.some((key) => type.test(key))).toBe(true);
		}
	});

	it('has the same key and amount nowhere twice', () => {
		const pairs = rows.map(({ pixKey, amount }) => `${barePixKey(pixKey)} ${toCents(amount)}`);
		expect(new Set(pairs).size).toBe(rows.length);
	});

	it('is read with a byte order mark as well', () => {
		expect(parsePayouts('\uFEFFinvoice;name\nA-1;Maria\n')).toEqual([
			{ invoice: 'A-1', name: 'Maria' },
		]);
	});
});
