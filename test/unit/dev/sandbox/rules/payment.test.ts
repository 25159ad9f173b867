import { mayMove, price } from '../../../../../dev/sandbox/rules/payment';

test('a fee passed to the payer is added on top; otherwise it is taken off', () => {
	expect(price(10_001, 99, true)).toEqual({
		amountCents: 10_100,
		feeCents: 99,
		netCents: 10_001,
		payerFeeCents: 99,
	});
	expect(price(10_001, 99, false)).toEqual({
		amountCents: 10_001,
		feeCents: 99,
		netCents: 9_902,
		payerFeeCents: 0,
	});
	expect(price(50, 99, false).netCents).toBe(0);
});

test('a late payment is for boletos only, a won dispute goes back to exactly where it was', () => {
	const base = { statusBeforeChargeback: null };
	expect(mayMove({ ...base, status: 'EXPIRED', paymentMethod: 'BOLETO' }, 'PAID')).toBe(true);
	expect(mayMove({ ...base, status: 'EXPIRED', paymentMethod: 'PIX' }, 'PAID')).toBe(false);
	const disputed = {
		status: 'CHARGEBACK',
		paymentMethod: 'CARD',
		statusBeforeChargeback: 'CONFIRMED',
	} as const;
	expect(mayMove(disputed, 'CONFIRMED')).toBe(true);
	expect(mayMove(disputed, 'PAID')).toBe(false);
});
