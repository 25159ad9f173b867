import {
	contradictionIn,
	FOREIGN_DELIVERY_ID,
} from '../../../../../nodes/BrlPaymentsTrigger/emit/distrust';
import type { TriggerOutput } from '../../../../../nodes/BrlPaymentsTrigger/emit/output';

const about = (event: string, status: string | null) =>
	contradictionIn({ event, status } as TriggerOutput);

test('a status that the event cannot have is named, with what to do', () => {
	const distrust = about('PAYMENT_PAID', 'EXPIRED');

	expect(distrust?.message).toBe(
		'The delivery says PAYMENT_PAID, but the status in its signed body is EXPIRED',
	);
	expect(distrust?.description).toContain('Look up the payment or withdrawal before you act');
});

test.each([
	['PAYMENT_PAID', 'PAID'],
	['PAYMENT_PAID', null],
])('%s with the status %o is not distrusted', (event, status) => {
	expect(about(event, status)).toBeUndefined();
});

test('a foreign delivery ID is explained with what to do', () => {
	expect(FOREIGN_DELIVERY_ID.description).toContain('retry this execution');
});
