import { breaksCardRules, carriesCardFields } from '../../../../../dev/sandbox/rules/card';

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
