import { ApiFailure } from '../../../../../nodes/shared/failures/failure';
import { explain, refused } from '../../../support/failedRequest';

test('ApiFailure carries the failure and shows its message', () => {
	const failure = explain(refused('NOT_FOUND', { status: 404 }));
	const error = new ApiFailure(failure);

	expect(error).toBeInstanceOf(Error);
	expect(error.message).toBe(failure.message);
	expect(error.failure).toBe(failure);
});
