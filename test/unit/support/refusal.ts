import { InputError } from '../../../nodes/shared/input/inputError';

/** The InputError that `run` throws; fails the test when it throws none, or something else. */
export function getRefusal(run: () => unknown): InputError {
	try {
		run();
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error('Nothing was refused');
}

/** That each of these values is refused with this message, and with a remedy that has these words. */
export function expectRefusals<T>(
	values: readonly T[],
	read: (value: T) => unknown,
	message: string | RegExp,
	remedy: string | RegExp = '',
): void {
	for (const value of values) {
		const refusal = getRefusal(() => read(value));
		// As a whole where it is a text.
		const expected = typeof message === 'string' ? message : expect.stringMatching(message);
		expect([value, refusal.message]).toEqual([value, expected]);
		expect(refusal.remedy).toMatch(remedy);
	}
}
