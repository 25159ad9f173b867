import { KeyRegistry } from '../../../../../nodes/shared/orders/keyRegistry';

test('a key belongs to the execution that claimed it first', () => {
	const registry = new KeyRegistry();

	expect(registry.isTakenByOther('key-1', '101')).toBe(false);
	expect(registry.isTakenByOther('key-1', '101')).toBe(false);
	expect(registry.isTakenByOther('key-1', '102')).toBe(true);
	expect(registry.isTakenByOther('key-2', '102')).toBe(false);
	expect(registry.isTakenByOther('key-2', '101')).toBe(true);
});

test('asking does not take a key over', () => {
	const registry = new KeyRegistry();
	registry.isTakenByOther('key-1', '101');
	registry.isTakenByOther('key-1', '102');

	expect(registry.isTakenByOther('key-1', '101')).toBe(false);
});

test('remembers a bounded number and forgets the oldest first', () => {
	const registry = new KeyRegistry(2);
	for (const key of ['key-1', 'key-2', 'key-3']) registry.isTakenByOther(key, '101');

	expect(registry.isTakenByOther('key-2', '102')).toBe(true);
	expect(registry.isTakenByOther('key-3', '102')).toBe(true);
	expect(registry.isTakenByOther('key-1', '102')).toBe(false);
});
