import { omit } from 'lodash';
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

test.each<[field: string, Filters, other: unknown]>([
	['status', { status: 'PAID' }, 'NEW'],
	['paymentMethod', { method: 'PIX' }, 'CARD'],
	['isActive', { isActive: true }, false],
	['name', { search: 'acao' }, 'Plano Anual'],
	['createdAt', { startDate: NOON }, '2026-11-21T11:59:59.999Z'],
	['createdAt', { startDate: 0 }, { toString: 1 }],
	['createdAt', { endDate: NOON }, '2026-11-21T12:00:00.001Z'],
	['amount', { minAmount: 1250 }, 12.49],
	['amount', { maxAmount: 1250 }, 12.51],
])('leaves out a row by its %s (%j), or without it', (field, filters, other) => {
	const without = omit(ROW, field);

	expect(matches(ROW, filters)).toBe(true);
	expect(matches({ ...ROW, [field]: other }, filters)).toBe(false);
	expect(matches(without, filters)).toBe(false);
	expect(matches({ ...ROW, [field]: null }, filters)).toBe(false);
});

test.each(['AÇÃO', 'acao', 'Mensal', 'o A', ''])('finds the name by %o', (search) => {
	expect(matches(ROW, { search })).toBe(true);
});

test('compares amounts in centavos', () => {
	expect(matches({ ...ROW, amount: 0.1 + 0.2 }, { minAmount: 30, maxAmount: 30 })).toBe(true);
});
