import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../../../../../nodes/shared/failures/failure';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { waitForStatus } from '../../../../../nodes/BrlPayments/execution/waitForStatus';
import { createItemCall } from '../../../support/itemCall';

// When it looks, and how it ends: test/engine/waiting/waitForStatus.test.ts.
const open = async (changed: IDataObject = {}, abortSignal?: AbortSignal) =>
	await createItemCall(
		{ parameters: [{ statuses: ['PAID', 'CONFIRMED'], timeout: 60, ...changed }], abortSignal },
		0,
		'payment.waitForStatus',
	);

test('ends when the execution is stopped', async () => {
	const stop = new AbortController();
	const { call } = await open({}, stop.signal);
	const readOnce = vi.fn(async () => {
		setImmediate(() => stop.abort());
		return { status: 'NEW' };
	});

	await expect(waitForStatus(call, 'payment', readOnce)).rejects.toBeInstanceOf(ApiFailure);
	expect(readOnce.mock.calls.length).toBeLessThanOrEqual(2);
});

test.each([0, -5, 'soon'])('reads nothing with a timeout of %j', async (timeout) => {
	const { call } = await open({ timeout });
	const readOnce = vi.fn(async () => await Promise.resolve({ status: 'PAID' }));

	await expect(waitForStatus(call, 'payment', readOnce)).rejects.toThrow(InputError);
	expect(readOnce).not.toHaveBeenCalled();
});

test.each([
	['PIX', 'EXPIRED', 'The payment is EXPIRED and will most likely not be paid', false],
	['BOLETO', 'EXPIRED', 'The payment is EXPIRED and will most likely not be paid', true],
	['BOLETO', 'REFUNDED', 'The payment is REFUNDED', false],
])('says at once of a payment by %s that it is %s', async (method, status, message, isLate) => {
	const { call, time } = await open();
	const read = async () => await Promise.resolve({ paymentMethod: method, status });

	const failure = await waitForStatus(call, 'payment', read, [status]).catch(
		(error: ApiFailure) => error.failure,
	);

	expect(failure).toMatchObject({ message, retryable: false });
	expect(JSON.stringify(failure).includes('boleto may still be paid')).toBe(isLate);
	expect(time.waits).toEqual([]);
});
