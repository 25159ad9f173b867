import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../shared/failures/failure';
import { InputError } from '../shared/input/inputError';
import { toText } from '../shared/input/text';
import { maskText } from '../shared/privacy/text';
import type { ItemCall } from './item';
import { whichFailed } from './orders/texts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Reads a record repeatedly until it has one of the chosen statuses: sandbox payments send no
 * webhooks (docs/api.md#webhooks), and some workflows are simpler without one.
 *
 * @param what for people, for example "payment"
 * @param hasEnded whether the record most likely never gets one of the statuses
 * @throws ApiFailure with code STATUS_NOT_REACHED after the parameter `timeout` (seconds), or as soon
 * as the record has ended in another status
 */
export async function waitForStatus(
	call: ItemCall,
	what: string,
	readOnce: () => Promise<IDataObject>,
	hasEnded: (record: IDataObject, wanted: readonly string[]) => boolean = () => false,
): Promise<IDataObject> {
	const wanted = call.parameter<string[]>('statuses', []);
	const seconds = call.parameter<number>('timeout');
	if (wanted.length === 0) {
		throw new InputError('No status is selected', 'Select at least one under Statuses.');
	}
	const deadline = call.now() + seconds * 1000;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
		const record = await readOnce();
		const status = toText(record.status);
		if (wanted.includes(status)) return record;
		if (hasEnded(record, wanted)) throw endedOtherwise(what, record, wanted);

		const remaining = deadline - call.now();
		if (remaining <= 0 || call.isCancelled) {
			throw new ApiFailure({
				code: call.isCancelled ? 'CANCELLED' : 'STATUS_NOT_REACHED',
				message: call.isCancelled
					? `The ${what} was still ${maskText(status)} when the execution was stopped`
					: `The ${what} is still ${maskText(status)} after ${seconds} seconds`,
				description: `Expected status: ${wanted.join(' or ')}. Increase 'Wait at Most', or get the ${what} again later. To wait for hours or days, start a workflow with BRL Payments Trigger.${status === 'EXPIRED' ? LATE : ''}`,
				retryable: true,
				effect: 'none',
			});
		}
		await call.pause(Math.min(pause, remaining));
	}
}

function endedOtherwise(what: string, record: IDataObject, wanted: readonly string[]): ApiFailure {
	const status = toText(record.status);
	const outlook = status === 'REFUNDED' ? '' : ' and will most likely not be paid';
	const isPayout = what === 'withdrawal';
	const unpaid = isPayout
		? `${whichFailed(record)} The recipient received nothing. With a reference, correct the row and run the workflow again. Without, pay only this row in a new execution: a retry of this one would only wait again. `
		: '';
	return new ApiFailure({
		code: 'STATUS_NOT_REACHED',
		message: `The ${what} is ${status}${outlook}`,
		description: `${unpaid}Expected status: ${wanted.join(' or ')}. To continue with ${status} too, select it under Statuses.`,
		effect: 'none',
		...(isPayout ? { withdrawalIds: [toText(record.id)] } : {}),
	});
}

const LATE =
	' A boleto may still be paid in the days after: the trigger then reports Payment Paid.';
