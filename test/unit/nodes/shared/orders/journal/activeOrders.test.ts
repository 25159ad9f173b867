import { ActiveOrders } from '../../../../../../nodes/shared/orders/journal/activeOrders';

const [first, second] = [{}, {}];
let active: ActiveOrders;

beforeEach(() => {
	active = new ActiveOrders();
	for (const order of ['a', 'b']) active.enter(order, first);
});

test('a run is alone on its own order', () => {
	expect([active.isAlone('a', first), active.isAlone('b', first)]).toEqual([true, true]);
});

test('a run that entered twice is alone, and one that never entered is not', () => {
	active.enter('a', first);
	expect([active.isAlone('a', first), active.isAlone('a', second)]).toEqual([true, false]);
});

test('of two on one order neither is alone; the other order is not concerned', () => {
	active.enter('a', second);
	expect(active.isAlone('a', first)).toBe(false);
	expect(active.isAlone('a', second)).toBe(false);
	expect(active.isAlone('b', first)).toBe(true);
});

test.each([
	[false, true],
	[true, false],
])('after the other run left, unclear %o, a run is alone: %o', (isUnclear, expected) => {
	active.enter('a', second);
	active.leave('a', second, isUnclear);
	expect(active.isAlone('a', first)).toBe(expected);
});

test('a run that begins after an unclear one is alone', () => {
	active.leave('a', first, true);
	active.enter('a', second);
	expect(active.isAlone('a', second)).toBe(true);
});

test('a run that never entered changes nothing by leaving', () => {
	active.leave('a', second, true);
	active.leave('c', second, true);
	expect(active.isAlone('a', first)).toBe(true);
});

test('nothing is kept when all have left', () => {
	for (const order of ['a', 'b']) active.leave(order, first, true);
	expect((active as unknown as { byOrder: Map<string, unknown> }).byOrder.size).toBe(0);
});

test('an order that no run has entered belongs to none', () => {
	expect(active.isAlone('c', first)).toBe(false);
});

test('a run that enters again still knows that an overlapping one ended unclear', () => {
	active.enter('a', second);
	active.leave('a', second, true);
	active.enter('a', first);
	expect(active.isAlone('a', first)).toBe(false);
});
