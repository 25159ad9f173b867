import * as shipped from '../../nodes/BrlPayments/payouts/protocol';
import { search } from './search';
import { tellStory } from './story';
import { SMALL } from './suite';

// A search gives way to nothing: on a busy machine, Vitest would miss its worker for a minute.
beforeEach(async () => await new Promise(setImmediate));

describe('a payout with a reference, in all ways that it may go', () => {
	it.each(SMALL.map((bounds) => [bounds.name, bounds] as const))('%s', (_, bounds) => {
		const { found, isComplete } = search(bounds, shipped);
		expect(found && tellStory(found)).toBeUndefined();
		expect(isComplete).toBe(true);
	});
});
