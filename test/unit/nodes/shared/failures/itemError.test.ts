import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { deriveKey, keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import {
	canceledError,
	errorJson,
	toFailure,
	toNodeError,
} from '../../../../../nodes/shared/failures/itemError';
import { NODE } from '../../../support/nodeContext';

const FAILURE: Failure = {
	code: 'WITHDRAWALS_BLOCKED',
	message: 'Withdrawals are disabled for this account',
	description: 'Ask the support team of the service to enable them.',
	httpStatus: 403,
	retryable: false,
	idempotencyKey: 'key-1',
	effect: 'none',
};

describe('toFailure', () => {
	test('takes the failure out of what the client throws', () => {
		expect(toFailure(new ApiFailure(FAILURE))).toEqual(FAILURE);
	});

	test('shows what is wrong with the input, and what to change', () => {
		expect(toFailure(new InputError('Amount is empty', 'Enter the amount.'))).toEqual({
			code: 'INVALID_INPUT',
			message: 'Amount is empty',
			description: 'Enter the amount.',
			httpStatus: null,
			retryable: false,
			effect: 'none',
		});
	});

	test('masks personal data in what someone else said', () => {
		const error = new TypeError('Cannot read 529.982.247-25');

		expect(toFailure(error).message).toBe('Cannot read ***.982.247-**');
	});

	test('keeps that a refused repetition may have taken effect before', () => {
		expect(toFailure(new InputError('Too late', 'Look it up.', 'unknown')).effect).toBe('unknown');
	});

	test("counts n8n's own complaints as input", () => {
		const error = new NodeOperationError(NODE, 'There is no binary field "data"', {
			description: 'Choose another field',
		});

		expect(toFailure(error)).toMatchObject({
			code: 'INVALID_INPUT',
			message: 'There is no binary field "data"',
			description: 'Choose another field',
		});
	});

	test.each([
		[new TypeError('x is not a function'), 'x is not a function'],
		['text', 'An unexpected error occurred'],
		[undefined, 'An unexpected error occurred'],
	])('calls %o unexpected', (error, message) => {
		const failure = toFailure(error);

		expect(failure).toMatchObject({ code: 'UNEXPECTED_ERROR', message, retryable: false });
		expect(failure.description).toContain('bug in the node');
	});
});

describe('errorJson', () => {
	test('has the fields that a workflow branches on', () => {
		expect(errorJson(FAILURE)).toEqual({ ...FAILURE, remedy: FAILURE.description });
	});

	test('has what lets the item come back, and what it is about', () => {
		const more: Partial<Failure> = {
			reference: 'NF-1042',
			firstSentAt: '2026-11-21T12:00:00.000Z',
			retrySafeUntil: '2026-11-22T11:50:00.000Z',
			withdrawalIds: ['w1', 'w2'],
		};

		expect(errorJson({ ...FAILURE, ...more })).toMatchObject({ ...FAILURE, ...more });
	});

	test('has what to do, how to check it and the words of the server apart', () => {
		const parts = {
			remedy: 'Add funds.',
			again: 'Then retry.',
			howToCheck: 'Look it up.',
			reason: 'The server said: Too low. [X, HTTP 400]',
			serverSaid: 'Too low.',
		};

		const json = errorJson({ ...FAILURE, parts });

		expect(json).toMatchObject({
			description: FAILURE.description,
			remedy: 'Add funds. Then retry.',
			howToCheck: 'Look it up.',
			serverSaid: 'Too low.',
		});
		expect(json).not.toHaveProperty('parts');
	});

	test('keeps to itself whether the failure stops other items', () => {
		expect(errorJson({ ...FAILURE, concernsItemOnly: true })).not.toHaveProperty(
			'concernsItemOnly',
		);
	});
});

describe('an idempotency key with personal data in it', () => {
	const failure: Failure = { ...FAILURE, idempotencyKey: '529.982.247-25/2026-11' };

	test('is masked in what n8n shows and logs', () => {
		for (const node of [NODE, { ...NODE, type: `${NODE.type}Tool` }]) {
			const { message, description } = toNodeError(failure, node, 0);
			expect(description).toContain('Idempotency key: ***.982.247-**/2026-11.');
			expect(`${message} ${description}`).not.toContain('529.982');
		}
	});

	test('is whole in the item, where it is used to ask for the same thing again', () => {
		expect(errorJson(failure).idempotencyKey).toBe('529.982.247-25/2026-11');
	});
});

test('the keys that this node makes are shown whole', () => {
	for (let nth = 0; nth < 5_000; nth += 1) {
		const first = deriveKey({
			instanceId: 'i',
			workflowId: 'w',
			root: 'r',
			operation: 'withdrawal.create',
			identity: { amount: 1_000 },
			nth,
		});
		for (const idempotencyKey of [first, keyOfGeneration(first, 1)]) {
			const { description } = toNodeError({ ...FAILURE, idempotencyKey }, NODE, 0);
			expect(description).toContain(`Idempotency key: ${idempotencyKey}.`);
		}
	}
});

describe('toNodeError', () => {
	const END = {
		summary: { itemCount: 4 },
		account: '2 of 4 items took effect.',
		howToContinue: 'To go on, retry.',
		withdrawals: 'Paid now: w1.',
	};

	test('shows a response of the service as NodeApiError with status, key and item, in blocks', () => {
		const error = toNodeError(FAILURE, NODE, 3, END);

		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: FAILURE.message,
			description:
				'Ask the support team of the service to enable them.<br><br>2 of 4 items took effect.<br>To go on, retry.<br><br>Paid now: w1.<br>Idempotency key: key-1.',
			httpCode: '403',
			itemIndex: 3,
		});
	});

	describe('with the parts of the description', () => {
		const parts = {
			remedy: 'Add funds.',
			again: 'Then run it again.',
			howToCheck: 'Look it up.',
			reason: 'The server said: Too low. [X, HTTP 400]',
			serverSaid: 'Too low.',
		};
		const failure: Failure = { ...FAILURE, parts, idempotencyKey: undefined };
		const show = (end?: typeof END) => toNodeError(failure, NODE, 0, end).description;

		test('has what to do first, what took effect next, and what the server said last', () => {
			expect(show({ ...END, howToContinue: '', withdrawals: '' })).toBe(
				'Add funds. Then run it again.<br>Look it up.<br><br>2 of 4 items took effect.<br><br>The server said: Too low. [X, HTTP 400]',
			);
		});

		test('says one way to continue, which is that of all items', () => {
			expect(show(END)).toMatch(/^Add funds\.<br>Look it up\.<br><br>/);
		});

		test('says how to do it again where the run says nothing', () => {
			expect(show()).toMatch(/^Add funds\. Then run it again\.<br>/);
		});
	});

	test('puts all into the message for an agent, which gets nothing else', () => {
		const tool = { ...NODE, type: `${NODE.type}Tool` };
		const error = toNodeError(FAILURE, tool, 0);

		expect(error.message).toBe(
			'Withdrawals are disabled for this account. Ask the support team of the service to enable them. Idempotency key: key-1.',
		);
		const refused = toFailure(new InputError('Amount is empty', 'Enter the amount.'));
		expect(toNodeError(refused, tool, 0).message).toBe('Amount is empty. Enter the amount.');
	});

	test('shows that an earlier attempt took effect as decided here, too', () => {
		const failure: Failure = { ...FAILURE, httpStatus: null, effect: 'done' };

		expect(toNodeError(failure, NODE, 0)).toBeInstanceOf(NodeOperationError);
		expect(errorJson(failure)).toMatchObject({ effect: 'done' });
	});

	test.each(['none', 'unknown'] as const)(
		'shows what was decided here as NodeOperationError (effect %s)',
		(effect) => {
			const failure = toFailure(new InputError('Amount is empty', 'Enter the amount.', effect));
			const error = toNodeError(failure, NODE, 1);

			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({
				message: 'Amount is empty',
				description: 'Enter the amount.',
				itemIndex: 1,
			});
		},
	);
});

test('the error of a run that was stopped says so, with its summary', () => {
	const end = {
		summary: { itemCount: 2 },
		account: '1 of 2 items were paid now.',
		howToContinue: 'Send only the rest.',
		withdrawals: '',
	};

	expect({ ...canceledError(NODE, end) }).toMatchObject({
		description: '1 of 2 items were paid now.<br>Send only the rest.',
		summary: { itemCount: 2 },
	});
	expect(canceledError(NODE, end).message).toBe('The execution was canceled');
});
