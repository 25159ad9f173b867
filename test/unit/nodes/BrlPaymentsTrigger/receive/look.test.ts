import { TOO_LARGE } from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';
import { look } from '../../../../../nodes/BrlPaymentsTrigger/receive/look';
import { validHeaders } from '../support/delivery';

const MEGABYTE = 1024 * 1024;

test.each([
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE, null],
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE + 1, TOO_LARGE],
	['as it is', {}, 16 * MEGABYTE, null],
])('a body that came %s: %o, %i bytes', (_, headers, bytes, answer) => {
	expect(look(validHeaders(headers), bytes)).toBe(answer);
});
