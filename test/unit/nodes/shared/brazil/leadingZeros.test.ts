import { withLeadingZeros } from '../../../../../nodes/shared/brazil/leadingZeros';

test.each([
	[52998224725, '52998224725'],
	[1138760099, '01138760099'],
	[191, '00000000191'],
	[11444777000161, '11444777000161'],
	[5511900001008, '05511900001008'],
])('%o is the document %o', (value, document) => {
	expect(withLeadingZeros(value)).toBe(document);
});
