import {
	DEFAULT_REMEMBERED,
	parseRemembered,
} from '../../../../../../../nodes/BrlPayments/resources/withdrawal/payouts/referenceJournal';
import { getRefusal } from '../../../../../support/refusal';

test('a number of references is remembered where none is entered', () => {
	expect(parseRemembered(undefined)).toBe(DEFAULT_REMEMBERED);
});

test.each<[unknown, number]>([
	[1, 1],
	['250', 250],
	[DEFAULT_REMEMBERED + 1, DEFAULT_REMEMBERED + 1],
])('%o references can be remembered', (value, count) => {
	expect(parseRemembered(value)).toBe(count);
});

test.each([0, -1, 1.5, 1e9, '', 'many', '={{ 5 }}', Number.NaN, {}])(
	'%o is no count of references',
	(value) => {
		expect(getRefusal(() => parseRemembered(value)).message).toBe(
			'Remembered References is not a valid number',
		);
	},
);
