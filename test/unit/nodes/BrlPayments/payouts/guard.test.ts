import { parseGuardMode } from '../../../../../nodes/BrlPayments/payouts/guard';
import { getRefusal } from '../../../../../../support/refusal';

test.each(['automatic', 'always', 'never'] as const)('the mode can be %s', (mode) => {
	expect(parseGuardMode(mode)).toBe(mode);
});

test('the mode is automatic where none is chosen', () => {
	expect(parseGuardMode(undefined)).toBe('automatic');
});

test.each([true, false, null, '', 'Always', {}])(
	'%o is refused, and does not count as off',
	(value) => {
		expect(getRefusal(() => parseGuardMode(value)).message).toContain(
			'Duplicate Guard must be Automatic, Always or Never',
		);
	},
);
