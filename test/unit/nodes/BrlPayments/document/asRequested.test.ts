import {
	detectFormat,
	refuseOtherPeriod,
	sentInstead,
} from '../../../../../nodes/BrlPayments/document/asRequested';

// What a document is refused with: test/engine/requests/document.test.ts.
test.each([
	['<!doctype html><p>x', 'html'],
	['\n  <HTML lang="pt">', 'html'],
	['<p>x</p>', 'html'],
	['Extrato', 'text'],
	['< 10,00 reais', 'text'],
	['', undefined],
	['\n ', undefined],
])('the format of %j is %s', (content, format) => {
	expect(detectFormat(content)).toBe(format);
});

describe('the period of a statement', () => {
	const check = (content: string) => () => refuseOtherPeriod(content, '2026-03-02', '2026-03-31');

	test.each([
		'Period: 2026-03-02 to 2026-03-31',
		'Período: 02/03/2026 a 31/03/2026',
		'02/03/2026 – 31/03/2026',
		'De 02/03/2026 até 31/03/2026',
		'03/02/2026 - 03/31/2026',
		'<td>02/03/2026</td> <td>a</td> <td>31/03/2026</td>',
		'Generated from 2025-01-01 to 2025-01-02. Period: 2026-03-02 to 2026-03-31',
		'',
		'Extrato, emitido em 22/11/2026',
		'2026-03-05 pago\n2026-03-07 pago',
		// It costs no more than its length, whatever a server sends.
		`${'<'.repeat(200_000)}${'2026-03-02 '.repeat(20_000)}`,
	])('passes: %.80s', (content) => {
		expect(check(content)).not.toThrow();
	});

	test.each([
		['2026-03-01 to 2026-03-31', '2026-03-01 to 2026-03-31'],
		['2026-03-02 to 2026-03-30', '2026-03-02 to 2026-03-30'],
		['<b>01/11/2026</b> a <b>30/11/2026</b>', '01/11/2026 to 30/11/2026'],
	])('is refused: %s', (content, shown) => {
		expect(check(content)).toThrow(
			`The service sent a statement of ${shown}, not of 2026-03-02 to 2026-03-31`,
		);
	});
});

test.each([
	[{ startDate: ' 2026-01-01 ', endDate: '', other: 1 }, { startDate: '2026-01-01' }],
	[{ format: 'pdf', endDate: '2026-01-31' }, { endDate: '2026-01-31' }],
	[{ format: 'html' }, { format: 'html' }],
	[{}, {}],
])('what the user sends instead counts, as far as it is known: %j', (query, known) => {
	expect(sentInstead(query)).toEqual(known);
});
