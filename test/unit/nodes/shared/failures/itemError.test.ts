import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { InputError } from '../../../../../nodes/shared/input/inputError';
import {
	canceledError,
	errorJson,
	toFailure,
	toNodeError,
} from '../../../../../nodes/shared/failures/itemError';
import { NODE } from '../../../support/nodeContext';

const TOOL = { ...NODE, type: `${NODE.type}Tool` };
const FAILURE: Failure = {
	code: 'WITHDRAWALS_BLOCKED',
	message: 'Withdrawals are disabled for this account',
	description: 'Ask the support team of the service to enable them.',
	httpStatus: 403,
	retryable: false,
	idempotencyKey: 'key-1',
	effect: 'none',
};
const PARTS = {
	remedy: 'Add funds.',
	again: 'Then retry.',
	howToCheck: 'Look it up.',
	reason: 'The server said: Too low. [X, HTTP 400]',
	serverSaid: 'Too low.',
};
const INVALID: Failure = {
	...{ code: 'INVALID_INPUT', message: 'Amount is empty', description: 'Enter the amount.' },
	...{ httpStatus: null, retryable: false, effect: 'none' },
};

describe('toFailure', () => {
	test('takes the failure out of what the client throws, and counts the input of a person as such', () => {
		expect(toFailure(new ApiFailure(FAILURE))).toEqual(FAILURE);
		const wrong = new InputError('Amount is empty', 'Enter the amount.');
		expect(toFailure(wrong)).toEqual(INVALID);
		const { message, description } = INVALID;
		const error = new NodeOperationError(NODE, message, { description });
		expect(toFailure(error)).toEqual(INVALID);
	});

	test.each([
		[new TypeError('Cannot read 529.982.247-25'), 'Cannot read ***.982.247-**'],
		['text', 'Something unexpected happened'],
		[undefined, 'Something unexpected happened'],
	])('calls %o unexpected, and masks personal data', (error, message) => {
		const failure = toFailure(error);

		expect(failure).toMatchObject({ code: 'UNEXPECTED_ERROR', message, retryable: false });
		expect(failure.description).toContain('bug in the node');
	});
});

test('errorJson has what a workflow branches on, what lets the item come back, and what to do apart', () => {
	const failure: Failure = {
		...FAILURE,
		...{ reference: 'NF-1042', firstSentAt: '2026-11-21T12:00:00.000Z' },
		...{ retrySafeUntil: '2026-11-22T11:50:00.000Z', withdrawalIds: ['w1', 'w2'] },
		order: { name: 'auto-0123456789abcdef', content: 'content' },
	};

	const whole = { ...failure, concernsItemOnly: true } as const;
	expect(errorJson(whole)).toEqual({ ...failure, remedy: FAILURE.description });
	expect(errorJson({ ...whole, parts: PARTS })).toEqual({
		...failure,
		...{ remedy: 'Add funds. Then retry.', howToCheck: 'Look it up.', serverSaid: 'Too low.' },
	});
});

test('an idempotency key with personal data in it is whole in the item alone, to be sent again', () => {
	const failure: Failure = { ...FAILURE, idempotencyKey: '529.982.247-25/2026-11' };

	for (const node of [NODE, TOOL]) {
		const { message, description } = toNodeError(failure, node, 0);
		expect(description).toContain('Idempotency key: ***.982.247-**/2026-11.');
		expect(`${message} ${description}`).not.toContain('529.982');
	}
	expect(errorJson(failure).idempotencyKey).toBe('529.982.247-25/2026-11');
});

// What became of the rows: test/engine/items.
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
			...{ message: FAILURE.message, httpCode: '403', itemIndex: 3 },
			description:
				'Ask the support team of the service to enable them.<br><br>2 of 4 items took effect.<br>To go on, retry.<br><br>Paid now: w1.<br>Idempotency key: key-1.',
		});
	});

	test.each([
		[
			'what to do, what took effect, and what the server said',
			{ ...END, howToContinue: '', withdrawals: '' },
			'Add funds. Then retry.<br>Look it up.<br><br>2 of 4 items took effect.<br><br>The server said: Too low. [X, HTTP 400]',
		],
		[
			'one way to continue, which is that of all items',
			END,
			'Add funds.<br>Look it up.<br><br>2 of 4 items took effect.<br>To go on, retry.<br><br>The server said: Too low. [X, HTTP 400]<br>Paid now: w1.',
		],
		[
			'how to do it again, if the run says nothing',
			undefined,
			'Add funds. Then retry.<br>Look it up.<br><br>The server said: Too low. [X, HTTP 400]',
		],
	])('says %s', (_, end, description) => {
		const error = toNodeError({ ...INVALID, parts: PARTS }, NODE, 1, end);
		expect(error).toMatchObject({ message: INVALID.message, itemIndex: 1, description });
		expect(error).toBeInstanceOf(NodeOperationError);
	});

	test('puts all into the message for an agent, which gets nothing else', () => {
		expect(toNodeError(FAILURE, TOOL, 0).message).toBe(
			'Withdrawals are disabled for this account. Ask the support team of the service to enable them. Idempotency key: key-1.',
		);
	});

	test('of a run that was stopped says so, with its summary', () => {
		const error = canceledError(NODE, { ...END, withdrawals: '' });

		expect({ ...error, message: error.message }).toMatchObject({
			message: 'The execution was canceled',
			description: '2 of 4 items took effect.<br>To go on, retry.',
			summary: { itemCount: 4 },
		});
	});
});
