import { KeyOwners } from '../../../../../nodes/api/idempotency/keyOwners';

test('a key belongs to the execution that claimed it first', () => {
	const owners = new KeyOwners();

	expect(owners.isTakenByOther('key-1', '101')).toBe(false);
	expect(owners.isTakenByOther('key-1', '101')).toBe(false);
	expect(owners.isTakenByOther('key-1', '102')).toBe(true);
	expect(owners.isTakenByOther('key-2', '102')).toBe(false);
	expect(owners.isTakenByOther('key-2', '101')).toBe(true);
});

test('asking does not take a key over', () => {
	const owners = new KeyOwners();
	owners.isTakenByOther('key-1', '101');
	owners.isTakenByOther('key-1', '102');

	expect(owners.isTakenByOther('key-1', '101')).toBe(false);
});

test('remembers a bounded number and forgets the oldest first', () => {
	const owners = new KeyOwners(2);
	for (const key of ['key-1', 'key-2', 'key-3']) owners.isTakenByOther(key, '101');

	expect(owners.isTakenByOther('key-2', '102')).toBe(true);
	expect(owners.isTakenByOther('key-3', '102')).toBe(true);
	expect(owners.isTakenByOther('key-1', '102')).toBe(false);
});
