import { InputError } from '../../../../../nodes/shared/input/inputError';

test('masks what its message quotes, and has had no effect unless it says so', () => {
	const error = new InputError('529.982.247-25 is not a key', 'Enter another one.');

	expect(error.message).toBe('***.982.247-** is not a key');
	expect(error).toMatchObject({
		name: 'InputError',
		remedy: 'Enter another one.',
		effect: 'none',
	});
	expect(new InputError('Sent before', 'Look it up.', 'unknown').effect).toBe('unknown');
});
