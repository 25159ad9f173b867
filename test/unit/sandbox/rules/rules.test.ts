import { sandboxOutcome, sandboxRefundFails } from '../../../../sandbox/rules/cents';
import { breaksCardRules, carriesCardFields } from '../../../../sandbox/rules/card';
import { imageType } from '../../../../sandbox/rules/image';
import { mayMove, price } from '../../../../sandbox/rules/payment';
import { judgeRefund, type RefundCase } from '../../../../sandbox/rules/refund';

test.each([
	[10_000, 'PAID'],
	[10_001, 'PAID'],
	[10_002, 'NEW'],
	[10_003, 'CANCELLED'],
	[10_004, 'EXPIRED'],
	[10_005, 'PAID'],
	[10_020, 'PAID'],
	[10_099, 'PAID'],
] as const)('sandbox amount of %d cents ends as %s', (cents, outcome) => {
	expect(sandboxOutcome(cents)).toBe(outcome);
});

test('only cents .02 fail a sandbox refund', () => {
	expect([1, 2, 3, 102, 120].map(sandboxRefundFails)).toEqual([false, true, false, true, false]);
});

describe('card rules', () => {
	test.each([
		'card',
		'deviceInfo',
		'remoteIp',
		'holderInfo',
		'authorizeOnly',
		'creditCard',
		'creditCardHolderInfo',
		'creditCardToken',
		'installmentCount',
		'installmentValue',
		'totalValue',
	])('the root field %s is refused even when null', (field) => {
		expect(breaksCardRules({ mode: 'hosted', methods: ['PIX'], [field]: null })).toBe(true);
	});

	test('CARD is refused in headless mode, also when the mode is omitted', () => {
		expect(breaksCardRules({ methods: ['CARD'] })).toBe(true);
		expect(breaksCardRules({ methods: ['PIX', 'CARD'], mode: 'headless' })).toBe(true);
		expect(breaksCardRules({ methods: ['PIX', 'CARD'], mode: 'hosted' })).toBe(false);
	});

	test('card names deeper in the body, or a body that is no object, break nothing', () => {
		expect(carriesCardFields({ metadata: { card: 1 } })).toBe(false);
		expect([null, [], 'card', 7].some(breaksCardRules)).toBe(false);
	});
});

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

describe('refund', () => {
	const paid: RefundCase = {
		environment: 'PRODUCTION',
		status: 'PAID',
		method: 'PIX',
		submittedCents: 10_002,
		remainingCents: 10_002,
		requestedCents: null,
		refunds: [],
		unsupportedMethods: [],
		availableCents: 10_002,
	};

	test('all of a paid payment, with the amount or without; cents .02 mean nothing in production', () => {
		expect(judgeRefund(paid)).toBeNull();
		expect(judgeRefund({ ...paid, requestedCents: 10_002 })).toBeNull();
	});

	test('one cent less or more is partial', () => {
		for (const requestedCents of [10_001, 10_003]) {
			expect(judgeRefund({ ...paid, requestedCents })).toBe('PARTIAL_REFUND_NOT_SUPPORTED');
		}
	});

	test('a failed refund does not stand in the way of the next, a pending one does', () => {
		expect(judgeRefund({ ...paid, refunds: [{ status: 'FAILED' }] })).toBeNull();
		expect(judgeRefund({ ...paid, refunds: [{ status: 'PENDING' }] })).toBe('REFUND_IN_PROGRESS');
	});
});

test('the type of an image is told by its bytes', () => {
	expect(imageType(Buffer.from('89504e470d0a1a0a00', 'hex'))).toBe('image/png');
	expect(imageType(Buffer.from('ffd8ffe0', 'hex'))).toBe('image/jpeg');
	expect(imageType(Buffer.from('GIF89a'))).toBeNull();
	expect(imageType(Buffer.alloc(0))).toBeNull();
});
