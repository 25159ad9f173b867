import { chooseRoot } from '../../../../../nodes/api/idempotency/root';

const FACTS = { executionId: '101', mode: 'trigger', establishedAt: 1795262400000 } as const;

test('what is stored wins: a retry has other facts and must find the same name', () => {
	expect(chooseRoot('execution:7', FACTS)).toBe('execution:7');
});

test('then the moment the execution was established, which survives kill -9', () => {
	expect(chooseRoot(undefined, FACTS)).toBe('established:1795262400000');
	expect(chooseRoot(undefined, { ...FACTS, executionId: '102', mode: 'retry' })).toBe(
		'established:1795262400000',
	);
});

test('then the execution', () => {
	expect(chooseRoot(undefined, { ...FACTS, establishedAt: undefined })).toBe('execution:101');
	expect(chooseRoot(undefined, { ...FACTS, establishedAt: undefined, executionId: '102' })).toBe(
		'execution:102',
	);
});
