import { FAULTS, plant } from './faults';
import { search } from './search';
import { tellStory } from './story';

describe('a rule that is left out is missed', () => {
	it.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
		const { found } = search(fault.within, plant(fault), 400_000);
		expect(found && tellStory(found)).toContain(`${fault.foundBy}: `);
	});

	it('a fault that no longer fits is an error', () => {
		const fault = { name: 'unfit', changes: [['no such words', '']] as const };
		expect(() => plant(fault)).toThrow('found 0 times');
	});
});
