import { ApiFailure } from '../failure';
import type { OperationRecord } from './memory';
import { isForgotten } from './window';

/** As long as any ID of the service, and of characters that no address or name can do without. */
const ID = /^[\w-]{1,64}$/;

/** The ID of what came into being, as an answer shows it; undefined where it shows none. */
export function idOfAnswer(body: unknown): string | undefined {
	const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
	return typeof id === 'string' && ID.test(id) ? id : undefined;
}

/**
 * Whether it succeeded, and so long ago that the server would do it a second time. Nobody can allow
 * that: the option for late retries is one of the whole node, and meant for what is not done.
 */
export function isDoneForGood({ doneAt, firstUsedAt }: OperationRecord, now: number): boolean {
	return doneAt !== undefined && isForgotten(firstUsedAt ?? doneAt, now);
}

/** @throws ApiFailure with the moment and the ID, where {@link isDoneForGood} */
export function checkNotDone(record: OperationRecord, key: string, now: number): void {
	const { doneAt, doneId } = record;
	if (doneAt === undefined || !isDoneForGood(record, now)) return;
	const id = doneId === undefined ? '' : ` (ID ${doneId})`;
	throw new ApiFailure({
		code: 'ALREADY_DONE',
		message: `This took effect on ${new Date(doneAt).toISOString()} already${id}, so it was not sent again`,
		description:
			'Nothing is left to do for this item. To go on with the others, set Settings > On Error of this node to Continue and retry again. If this one is meant once more, send it alone, and no other, in a new execution.',
		httpStatus: null,
		retryable: false,
		idempotencyKey: key,
		effect: 'done',
	});
}
