import { BoundedMap } from '../../../../../nodes/shared/concurrency/boundedMap';

describe('BoundedMap', () => {
	function fullMap(): BoundedMap<string, number> {
		return new BoundedMap<string, number>(2).set('first', 1).set('second', 2);
	}

	it('keeps as many entries as it may', () => {
		expect([...fullMap()]).toEqual([
			['first', 1],
			['second', 2],
		]);
	});

	it('drops the entry that was set first when one more is set', () => {
		expect([...fullMap().set('third', 3).keys()]).toEqual(['second', 'third']);
	});

	it('drops none when a known entry is set again', () => {
		expect([...fullMap().set('first', 10)]).toEqual([
			['first', 10],
			['second', 2],
		]);
	});
});
