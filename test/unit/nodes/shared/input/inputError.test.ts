import { InputError } from '../../../../../nodes/shared/input/inputError';

test('masks what its message quotes', () => {
	const error = new InputError('529.982.247-25 is not a key', 'Enter another one.');

	expect(error.message).toBe('***.982.247-** is not a key');
	expect(error).toMatchObject({ name: 'InputError', remedy: 'Enter another one.' });
});
