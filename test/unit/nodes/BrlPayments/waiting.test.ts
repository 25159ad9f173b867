import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../../../../nodes/shared/failures/failure';
import { InputError } from '../../../../nodes/shared/input/inputError';
import { waitForStatus } from '../../../../nodes/BrlPayments/waiting';
import { hasEnded } from '../../../../nodes/BrlPayments/payment/waitForStatus';
import { createItemCall } from '../../support/itemCall';

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

const PAID = ['PAID', 'CONFIRMED'];

// What may follow which status: docs/api.md#payment-states.
test.each<[method: string | null, status: string, wanted: string[], hasEnded: boolean]>([
	['PIX', 'EXPIRED', PAID, true],
	['CARD', 'EXPIRED', PAID, true],
	['BOLETO', 'EXPIRED', PAID, false],
	['BOLETO', 'EXPIRED', ['CANCELLED'], false],
	// It may be a boleto.
	[null, 'EXPIRED', PAID, false],
	['PIX', 'CANCELLED', PAID, true],
	['BOLETO', 'CANCELLED', PAID, true],
	['CARD', 'REFUNDED', PAID, true],
	['CARD', 'REFUNDED', ['PAID', 'CHARGEBACK'], false],
	['CARD', 'CHARGEBACK', PAID, false],
	['CARD', 'CHARGEBACK', ['REFUNDED'], false],
	...['NEW', 'PENDING_METHOD_SELECTION', 'PROCESSING', 'PARTIAL_REFUND', 'MED_FROZEN', 'LATER'].map(
		(status): [string, string, string[], boolean] => ['PIX', status, PAID, false],
	),
])('a payment by %s that is %s can no longer become %j: %j', async (...given) => {
	const [paymentMethod, status, statuses, isEnd] = given;
	const { call, time } = await open({ statuses });
	const read = async () => await Promise.resolve({ paymentMethod, status });

	const failure = await waitForStatus(call, 'payment', read, hasEnded).catch(
		(error: ApiFailure) => error.failure,
	);

	expect(failure).toMatchObject({ code: 'STATUS_NOT_REACHED', retryable: !isEnd });
	expect(time.waits.length > 0).toBe(!isEnd);
});

test.each([
	['EXPIRED', 'The payment is EXPIRED and will most likely not be paid'],
	['REFUNDED', 'The payment is REFUNDED'],
])('says at once of a payment that it is %s', async (status, message) => {
	const { call } = await open();
	const read = async () => await Promise.resolve({ paymentMethod: 'PIX', status });

	await expect(waitForStatus(call, 'payment', read, hasEnded)).rejects.toMatchObject({
		failure: { message, description: expect.stringContaining(`To continue with ${status} too`) },
	});
});
