import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { deriveKey, keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import {
	canceledError,
	errorJson,
	failureOf,
	nodeErrorOf,
} from '../../../../../nodes/shared/failures/itemError';
import { NODE } from '../../../support/nodeContext';

const FAILURE: Failure = {
	code: 'WITHDRAWALS_BLOCKED',
	message: 'Withdrawals are disabled for this account',
	description: 'Ask support of the service to enable them.',
	httpStatus: 403,
	retryable: false,
	idempotencyKey: 'key-1',
	effect: 'none',
};

describe('failureOf', () => {
	test('takes the failure out of what the client throws', () => {
		expect(failureOf(new ApiFailure(FAILURE))).toBe(FAILURE);
	});

	test('shows what is wrong with the input, and what to change', () => {
		expect(failureOf(new InputError('Amount is empty', 'Enter the amount.'))).toEqual({
			code: 'INVALID_INPUT',
			message: 'Amount is empty',
			description: 'Enter the amount.',
			httpStatus: null,
			retryable: false,
			effect: 'none',
		});
	});

	test('masks personal data in what somebody else said', () => {
		const error = new TypeError('Cannot read 529.982.247-25');

		expect(failureOf(error).message).toBe('Cannot read ***.982.247-**');
	});

	test('keeps that a refused repetition may have taken effect before', () => {
		expect(failureOf(new InputError('Too late', 'Look it up.', 'unknown')).effect).toBe('unknown');
	});

	test("counts n8n's own complaints as input", () => {
		const error = new NodeOperationError(NODE, 'There is no binary field "data"', {
			description: 'Choose another field',
		});

		expect(failureOf(error)).toMatchObject({
			code: 'INVALID_INPUT',
			message: 'There is no binary field "data"',
			description: 'Choose another field',
		});
	});

	test.each([
		[new TypeError('x is not a function'), 'x is not a function'],
		['text', 'Something unexpected happened'],
		[undefined, 'Something unexpected happened'],
	])('calls %p unexpected', (error, message) => {
		const failure = failureOf(error);

		expect(failure).toMatchObject({ code: 'UNEXPECTED_ERROR', message, retryable: false });
		expect(failure.description).toContain('fault of the node');
	});
});

describe('errorJson', () => {
	test('has the fields that a workflow branches on', () => {
		expect(errorJson(FAILURE)).toEqual(FAILURE);
	});

	test('has what lets the item come back, and what it is about', () => {
		const more: Partial<Failure> = {
			reference: 'NF-1042',
			firstSentAt: '2026-11-21T12:00:00.000Z',
			retrySafeUntil: '2026-11-22T11:50:00.000Z',
			withdrawalIds: ['w1', 'w2'],
		};

		expect(errorJson({ ...FAILURE, ...more })).toEqual({ ...FAILURE, ...more });
	});

	test('keeps to itself whether the failure stops other items', () => {
		expect(errorJson({ ...FAILURE, concernsItemOnly: true })).toEqual(FAILURE);
	});

	test('has no key where there is none', () => {
		expect(Object.keys(errorJson({ ...FAILURE, idempotencyKey: undefined }))).toEqual([
			'code',
			'message',
			'description',
			'httpStatus',
			'retryable',
			'effect',
		]);
	});
});

describe('an idempotency key with personal data in it', () => {
	const failure: Failure = { ...FAILURE, idempotencyKey: '529.982.247-25/2026-11' };

	test('is masked in what n8n shows and logs', () => {
		for (const node of [NODE, { ...NODE, type: `${NODE.type}Tool` }]) {
			const { message, description } = nodeErrorOf(failure, node, 0);
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
			const { description } = nodeErrorOf({ ...FAILURE, idempotencyKey }, NODE, 0);
			expect(description).toContain(`Idempotency key: ${idempotencyKey}.`);
		}
	}
});

describe('nodeErrorOf', () => {
	const END = { summary: { itemCount: 4 }, text: '2 of 4 items took effect.' };

	test('shows an answer of the service as NodeApiError with status, key and item, each part on a line', () => {
		const error = nodeErrorOf(FAILURE, NODE, 3, END);

		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: FAILURE.message,
			description:
				'Ask support of the service to enable them.<br>2 of 4 items took effect.<br>Idempotency key: key-1.',
			httpCode: '403',
			context: { itemIndex: 3 },
		});
	});

	test('tells an agent all in the message, of which alone it learns', () => {
		const tool = { ...NODE, type: `${NODE.type}Tool` };
		const error = nodeErrorOf(FAILURE, tool, 0);

		expect(error.message).toBe(
			'Withdrawals are disabled for this account. Ask support of the service to enable them. Idempotency key: key-1.',
		);
		const refused = failureOf(new InputError('Amount is empty', 'Enter the amount.'));
		expect(nodeErrorOf(refused, tool, 0).message).toBe('Amount is empty. Enter the amount.');
	});

	test('shows a lost answer as NodeApiError too', () => {
		const lost: Failure = { ...FAILURE, httpStatus: null, retryable: true, effect: 'unknown' };
		const error = nodeErrorOf(lost, NODE, 0);

		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(FAILURE.message);
	});

	test('shows that an earlier attempt took effect as decided here, too', () => {
		const failure: Failure = { ...FAILURE, httpStatus: null, effect: 'done' };

		expect(nodeErrorOf(failure, NODE, 0)).toBeInstanceOf(NodeOperationError);
		expect(errorJson(failure)).toMatchObject({ effect: 'done' });
	});

	test.each(['none', 'unknown'] as const)(
		'shows what was decided here as NodeOperationError (effect %s)',
		(effect) => {
			const failure = failureOf(new InputError('Amount is empty', 'Enter the amount.', effect));
			const error = nodeErrorOf(failure, NODE, 1);

			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error).toMatchObject({
				message: 'Amount is empty',
				description: 'Enter the amount.',
				context: { itemIndex: 1 },
			});
		},
	);

	test.each<[string, Failure]>([
		['an answer of the service', FAILURE],
		['what was decided here', { ...FAILURE, httpStatus: null }],
	])('stores effect and summary with %s', (_, failure) => {
		// n8n copies the fields of an error.
		expect({ ...nodeErrorOf(failure, NODE, 0, END) }).toMatchObject({
			effect: 'none',
			summary: { itemCount: 4 },
		});
		expect(nodeErrorOf(failure, NODE, 0)).not.toHaveProperty('summary');
	});
});

test('the error of a run that was stopped says so, with its summary', () => {
	const end = { summary: { itemCount: 2 }, text: '1 of 2 items were paid now.' };

	expect({ ...canceledError(NODE, end) }).toMatchObject({
		description: end.text,
		summary: { itemCount: 2 },
	});
	expect(canceledError(NODE, end).message).toBe('The execution was canceled');
});
