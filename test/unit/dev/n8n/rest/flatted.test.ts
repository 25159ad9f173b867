import { parseFlatted } from '../../../../../dev/n8n/rest/flatted';

describe('parseFlatted', () => {
	it('builds objects, arrays, strings and plain values', () => {
		const text = '[{"a":"1","b":"2","c":3,"d":null,"e":true},"7",["3",5],{"f":"1"}]';
		expect(parseFlatted(text)).toEqual({
			a: '7',
			b: [{ f: '7' }, 5],
			c: 3,
			d: null,
			e: true,
		});
	});

	it('keeps shared and circular references', () => {
		const value = parseFlatted<{ self: unknown; x: object; y: object }>(
			'[{"self":"0","x":"1","y":"1"},{"z":1}]',
		);
		expect(value.self).toBe(value);
		expect(value.x).toBe(value.y);
	});
});
