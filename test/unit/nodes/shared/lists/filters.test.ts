import { matches, type Filters } from '../../../../../nodes/shared/lists/filters';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';

const NOON = Date.parse('2026-11-21T12:00:00Z');

/** A row that fits all filters of the tests; each test breaks one field. */
const ROW: ApiRecord = {
	id: 'p1',
	name: 'Plano Ação Mensal',
	status: 'PAID',
	paymentMethod: 'PIX',
	isActive: true,
	amount: 12.5,
	createdAt: '2026-11-21T12:00:00.000Z',
};

test.each<[string, Filters, Partial<ApiRecord>]>([
	['status', { status: 'PAID' }, { status: 'NEW' }],
	['status in another case', { status: 'PAID' }, { status: 'paid' }],
	['method', { method: 'PIX' }, { paymentMethod: 'CARD' }],
	['active', { isActive: true }, { isActive: false }],
	['inactive', { isActive: false }, {}],
	['search', { search: 'acao' }, { name: 'Plano Anual' }],
	['start', { startDate: NOON }, { createdAt: '2026-11-21T11:59:59.999Z' }],
	['end', { endDate: NOON }, { createdAt: '2026-11-21T12:00:00.001Z' }],
	['least amount', { minAmount: 1250 }, { amount: 12.49 }],
	['largest amount', { maxAmount: 1250 }, { amount: 12.51 }],
])('leaves out a row by its %s', (_, filters, changed) => {
	if (Object.keys(changed).length > 0) expect(matches(ROW, filters)).toBe(true);
	expect(matches({ ...ROW, ...changed }, filters)).toBe(false);
});

test.each<[string, Filters]>([
	['status', { status: 'PAID' }],
	['paymentMethod', { method: 'PIX' }],
	['isActive', { isActive: true }],
	['name', { search: 'plano' }],
	['createdAt', { startDate: 0 }],
	['createdAt', { endDate: NOON }],
	['amount', { minAmount: 0 }],
	['amount', { maxAmount: 1250 }],
])('leaves out a row without %s, for nothing shows that it was asked for', (field, filters) => {
	const without = Object.fromEntries(Object.entries(ROW).filter(([name]) => name !== field));

	expect(matches(ROW, filters)).toBe(true);
	expect(matches(without, filters)).toBe(false);
	expect(matches({ ...ROW, [field]: null }, filters)).toBe(false);
});

test('keeps every row when nothing is asked for', () => {
	expect(matches(ROW, {})).toBe(true);
	expect(matches({}, {})).toBe(true);
	expect(matches({}, { status: undefined, minAmount: undefined })).toBe(true);
});

test('keeps a row only if all filters fit', () => {
	expect(matches(ROW, { status: 'PAID', method: 'PIX', minAmount: 1, maxAmount: 1250 })).toBe(true);
	expect(matches(ROW, { status: 'PAID', method: 'CARD' })).toBe(false);
});

test.each(['AÇÃO', 'acao', 'Mensal', 'o A', ''])('finds the name by %o', (search) => {
	expect(matches(ROW, { search })).toBe(true);
});

test('compares amounts in centavos', () => {
	expect(matches({ ...ROW, amount: 0.1 + 0.2 }, { minAmount: 30, maxAmount: 30 })).toBe(true);
});

test('a date that is an object with names of JavaScript is no date', () => {
	expect(matches({ createdAt: { toString: 1 } }, { startDate: 0 })).toBe(false);
});
