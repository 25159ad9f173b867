import { findPhoneFault, isWrittenAsPhone } from '../../../../../nodes/shared/brazil/phone';
import {
	kindOfWrongDocument,
	readTaxDocument,
} from '../../../../../nodes/shared/input/taxDocument';

/** Every way to put a mark, or none, between the digits. */
function* groupings(digits: string, marks: readonly string[]): Generator<string> {
	const gaps = digits.length - 1;
	for (const mark of marks) {
		for (let set = 0; set < 2 ** gaps; set += 1) {
			yield [...digits]
				.map((digit, at) => (set & (1 << at) && at < gaps ? digit + mark : digit))
				.join('');
		}
	}
}

// The digits are valid documents; read as phone numbers, the money would go to a stranger.
test.each(['11987654021', '52998224725', '1138760099', '5511900001008', '551138760060'])(
	'%s is written as a phone number or as a document, never as both',
	(digits) => {
		let phones = 0;
		for (const text of groupings(digits, [' ', '-'])) {
			const isDocument = readTaxDocument(text) !== null || kindOfWrongDocument(text) !== undefined;
			const isPhone = isWrittenAsPhone(text);
			if (isPhone) phones += 1;
			expect([text, isPhone && isDocument]).toEqual([text, false]);
		}
		expect(phones).toBeGreaterThan(0);
		expect(isWrittenAsPhone(digits)).toBe(false);
	},
);

test.each(['41998765432', '4132345678', '5541998765432', '', '41', '123 4567', '41.99876.5432'])(
	'%o is not written as a phone number',
	(text) => {
		expect(isWrittenAsPhone(text)).toBe(false);
	},
);

test('knows the 67 area codes that are in use', () => {
	const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0'));
	const used = codes.filter((code) => findPhoneFault(`${code}998765432`) === undefined);
	expect(used).toHaveLength(67);
	expect(used).toEqual(expect.arrayContaining(['11', '21', '38', '55', '71', '99']));
});

test('a mobile number begins with 9, a landline number with 2 to 5', () => {
	const firsts = (rest: string) =>
		[...'0123456789'].filter((first) => findPhoneFault(`41${first}${rest}`) === undefined);
	expect(firsts('98765432')).toEqual(['9']);
	expect(firsts('2345678')).toEqual(['2', '3', '4', '5']);
});
