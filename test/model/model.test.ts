import * as shipped from '../../nodes/BrlPayments/payouts/protocol';
import { search } from './search';
import { tellStory } from './story';
import { SMALL } from './suite';

describe('a payout with a reference, in all ways that it may go', () => {
	it.each(SMALL.map((bounds) => [bounds.name, bounds] as const))('%s', (_, bounds) => {
		const { found, isComplete } = search(bounds, shipped);
		expect(found && tellStory(found)).toBeUndefined();
		expect(isComplete).toBe(true);
	});
});
