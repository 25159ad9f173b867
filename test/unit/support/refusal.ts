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
