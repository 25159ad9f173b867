import { parseObject } from '../../../../../nodes/shared/validation/text';
import { getRefusal } from '../../../support/refusal';

test.each<[unknown, unknown]>([
	['{"order": 1042}', { order: 1042 }],
	[{ order: 1042 }, { order: 1042 }],
	[' {"nested": {"list": [1, 2]}} ', { nested: { list: [1, 2] } }],
])('reads %o', (value, object) => {
	expect(parseObject(value, 'Metadata')).toEqual(object);
});

test.each([undefined, null, '', '{}', {}])('takes %o for nothing', (value) => {
	expect(parseObject(value, 'Metadata')).toBeUndefined();
});

test.each([
	"{'order': 1042}",
	'{order: 1042}',
	'[1, 2]',
	[1, 2],
	'1042',
	1042,
	'null',
	'"text"',
	'{',
])('refuses %o', (value) => {
	const refused = getRefusal(() => parseObject(value, 'Metadata'));

	expect(refused.message).toBe('Metadata is not a JSON object');
	expect(refused.remedy).toContain('double quotes');
});
