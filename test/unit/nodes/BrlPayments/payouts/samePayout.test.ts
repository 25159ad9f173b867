import { parsePixKey } from '../../../../../nodes/shared/validation/pixKey';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import {
	isFailed,
	isLiving,
	isSamePayout,
	hidesContent,
	pixKeysShown,
} from '../../../../../nodes/BrlPayments/payouts/samePayout';
import type { PaidContent } from '../../../../../nodes/shared/orders/order';
import { parsePayout } from '../../../../../nodes/BrlPayments/payouts/payout';

const PAYOUT = parsePayout({ amount: 100.5, pixKey: '529.982.247-25', recipientDocument: '' });

/** A withdrawal that pays the same; tests change one aspect. */
const ROW: ApiRecord = {
	id: 'withdrawal-1',
	netAmount: 100.5,
	grossAmount: 102,
	pixKey: '52998224725',
	status: 'PENDING',
	createdAt: '2026-11-21T11:00:00.000Z',
};
const getContent = ({ amount, pixKey }: typeof PAYOUT): PaidContent => ({ cents: amount, pixKey });
const isSame = (changed: ApiRecord) => isSamePayout({ ...ROW, ...changed }, getContent(PAYOUT));

describe('a row with the same net amount and PIX key', () => {
	test.each<[string, ApiRecord]>([
		['is written alike', {}],
		['is written with punctuation', { pixKey: '529.982.247-25' }],
		['is in another state', { status: 'FAILED' }],
		['does not show its PIX key', { pixKey: null }],
		['shows its amount as text', { netAmount: '100.50' }],
		['shows no amount', { netAmount: undefined }],
		['shows an amount of null', { netAmount: null }],
		['shows an amount that can be read in two ways', { netAmount: '100.500' }],
		['shows neither amount nor PIX key', { netAmount: undefined, pixKey: undefined }],
		['shows its PIX key as a number', { pixKey: 52998224725 }],
	])('is one that %s', (_, changed) => {
		expect(isSame(changed)).toBe(true);
	});

	test.each<[string, ApiRecord]>([
		['pays another amount', { netAmount: 100.51 }],
		['pays another amount, shown as text', { netAmount: '100.51' }],
		['shows no amount, but another PIX key', { netAmount: undefined, pixKey: '11144477735' }],
		['has this amount only with its fee', { netAmount: 99, grossAmount: 100.5 }],
		['goes to another PIX key', { pixKey: '11144477735' }],
		['goes to a key that is none', { pixKey: 'somebody' }],
	])('is none that %s', (_, changed) => {
		expect(isSame(changed)).toBe(false);
	});
});

test.each([
	['PENDING', true],
	['PROCESSING', true],
	['COMPLETED', true],
	['HELD', true],
	[undefined, true],
	['FAILED', false],
	['CANCELLED', false],
])('with status %o the recipient receives the money: %o', (status, isMoneyOut) => {
	expect(isLiving({ ...ROW, status })).toBe(isMoneyOut);
	expect(isFailed({ ...ROW, status })).toBe(!isMoneyOut);
});

// Either is a valid key, and both have the digits 11987654021.
const AMBIGUOUS_CPF = '119.876.540-21';
const AMBIGUOUS_PHONE = '+5511987654021';

describe('a key that is shown as digits only', () => {
	const isFound = (wanted: string, shown: unknown, pixKeyType?: string) => {
		const payout = parsePayout({ amount: 100.5, pixKey: wanted, recipientDocument: '' });
		return isSamePayout({ ...ROW, pixKey: shown, pixKeyType }, getContent(payout));
	};

	test.each<[string, unknown, string | undefined]>([
		[AMBIGUOUS_CPF, '11987654021', undefined],
		[AMBIGUOUS_CPF, '11987654021', 'CPF'],
		[AMBIGUOUS_CPF, '11987654021', 'PHONE'],
		[AMBIGUOUS_CPF, '11987654021', 'DOCUMENT'],
		[AMBIGUOUS_CPF, '11987654021', 'EVP'],
		[AMBIGUOUS_CPF, 11987654021, 'CPF'],
		[AMBIGUOUS_CPF, '119.876.540-21', undefined],
		[AMBIGUOUS_PHONE, '11987654021', undefined],
		[AMBIGUOUS_PHONE, '11987654021', 'PHONE'],
		[AMBIGUOUS_PHONE, '5511987654021', 'PHONE'],
		[AMBIGUOUS_PHONE, '5511987654021', undefined],
		[AMBIGUOUS_PHONE, '(11) 98765-4021', undefined],
		[AMBIGUOUS_PHONE, '+55 11 98765-4021', undefined],
		['011.387.600-99', 1138760099, 'CPF'],
		['05.511.900/0010-08', 5511900001008, undefined],
		['011.387.600-99', '1138760099', undefined],
		['11987654-0000-4000-8000-000000000021', '11987654000040008000000000000021', undefined],
		['abcdef54-0000-4000-8000-0000000000ff', 'ABCDEF540000400080000000000000FF', 'EVP'],
	])('is found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(true);
		expect(pixKeysShown({ ...ROW, pixKey: shown })).toContain(parsePixKey(wanted).value);
	});

	test.each<[string, unknown, string | undefined]>([
		[AMBIGUOUS_CPF, '11987654102', undefined],
		[AMBIGUOUS_CPF, '5511987654021', undefined],
		[AMBIGUOUS_CPF, '+5511987654021', undefined],
		[AMBIGUOUS_PHONE, '11987654322', 'PHONE'],
		[AMBIGUOUS_PHONE, '119.876.540-21', undefined],
		['5511987654021@customer.example', '5511987654021', undefined],
	])('is not found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(false);
	});
});

describe('a row', () => {
	test.each<[string, boolean, ApiRecord]>([
		['shows amount and PIX key', false, {}],
		['shows its amount as text', false, { netAmount: '100.50' }],
		['shows a key that is none', false, { pixKey: 'somebody' }],
		['shows no amount', true, { netAmount: null }],
		['shows no PIX key', true, { pixKey: undefined }],
		['shows a PIX key of blanks', true, { pixKey: ' ' }],
		['shows digits that may be a document or a phone number', true, { pixKey: '11987654021' }],
	])('that %s is unclear: %o', (_, unclear, changed) => {
		expect(hidesContent({ ...ROW, ...changed })).toBe(unclear);
	});
});
