import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../../../../../nodes/shared/failures/failure';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { waitForStatus } from '../../../../../nodes/BrlPayments/execution/waitForStatus';
import { createItemCall } from '../../../support/itemCall';

const open = async (changed: IDataObject = {}, abortSignal?: AbortSignal) =>
	await createItemCall(
		{
			parameters: [{ statuses: ['PAID', 'CONFIRMED'], timeout: 60, ...changed }],
			abortSignal,
		},
		0,
		'payment.waitForStatus',
	);

/** A payment that shows one status after the other, and the last one forever. */
const showing = (...statuses: string[]) => {
	let reads = 0;
	const readOnce = vi.fn(async (): Promise<IDataObject> => {
		const status = statuses[Math.min(reads, statuses.length - 1)] ?? '';
		reads += 1;
		return { id: 'p1', status };
	});
	return readOnce;
};

test('looks a last time when the time is over', async () => {
	const { call, time } = await open({ timeout: 1 });

	const record = await waitForStatus(call, 'payment', showing('NEW', 'PAID'));

	expect(record.status).toBe('PAID');
	expect(time.waits).toEqual([1_000]);
});

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

test.each([{ statuses: [] }, { timeout: 0 }, { timeout: 'soon' }])(
	'reads nothing with %j',
	async (changed) => {
		const { call } = await open(changed);
		const readOnce = showing('PAID');

		await expect(waitForStatus(call, 'payment', readOnce)).rejects.toThrow(InputError);
		expect(readOnce).not.toHaveBeenCalled();
	},
);

test.each([
	['PIX', 'EXPIRED', 'The payment is EXPIRED and will most likely not be paid', false],
	['BOLETO', 'EXPIRED', 'The payment is EXPIRED and will most likely not be paid', true],
	['BOLETO', 'REFUNDED', 'The payment is REFUNDED', false],
])(
	'at once says of a payment by %s that it is %s',
	async (paymentMethod, status, message, isLate) => {
		const { call, time } = await open({ timeout: 60 });
		const read = async () => await Promise.resolve({ paymentMethod, status });

		const failure = await waitForStatus(call, 'payment', read, [status]).catch(
			(error: ApiFailure) => error.failure,
		);

		expect(failure).toMatchObject({ message, retryable: false });
		const text = JSON.stringify(failure);
		expect(text.includes('boleto may still be paid')).toBe(isLate);
		expect(text).not.toContain('Wait at Most');
		expect(time.waits).toEqual([]);
	},
);
