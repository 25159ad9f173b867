import { settle, type Row, type Word } from '../../nodes/BrlPayments/ledger/protocol';

/** What the people of the model, who are truthful, never say. */
describe("a person's word that is not true", () => {
	const sending: Row = {
		id: 1,
		status: 'sending',
		generation: 0,
		content: 'c1',
		body: 'b1',
		apiKey: 'a',
		run: 'run 1',
		at: 0,
	};
	const paid: Word = {
		outcome: 'paid',
		id: 'w1',
		withdrawal: { content: 'c1', isLiving: true },
		owners: [],
	};

	it.each<[string, Word, string]>([
		['it belongs to another order', { ...paid, owners: ['other'] }, 'otherOrder'],
		['it cannot be read', { ...paid, withdrawal: undefined }, 'unreadable'],
		['it has failed', { ...paid, withdrawal: { content: 'c1', isLiving: false } }, 'notLiving'],
		[
			'its amount is another one',
			{ ...paid, withdrawal: { content: 'c2', isLiving: true } },
			'otherContent',
		],
		[
			'the list is not complete',
			{ outcome: 'notPaid', list: { isComplete: false } },
			'listUnreadable',
		],
	])('%s', (_, word, because) => {
		expect(settle([sending], word)).toMatchObject({ isAccepted: false, because, record: [] });
	});

	// The row of a word has no content, and it was taken for that of a withdrawal that pays something else.
	it('its amount is another one, and somebody has said Not Paid before', () => {
		const said: Row = { ...sending, id: 2, status: 'not paid', content: '', body: '', run: '' };
		const word: Word = { ...paid, withdrawal: { content: '', isLiving: true } };
		expect(settle([sending, said], word)).toMatchObject({ because: 'otherContent' });
		expect(settle([sending, said], paid)).toMatchObject({ isAccepted: true });
	});

	it('nothing is in doubt: Not Paid says nothing', () => {
		const word: Word = { outcome: 'notPaid', list: { isComplete: true, candidates: [] } };
		expect(settle([], word)).toMatchObject({ isAccepted: false, because: 'nothingInDoubt' });
	});

	it.each<[string, Word, string]>([
		['it belongs to another order', { ...paid, owners: ['other'] }, 'otherOrder'],
		['it cannot be read', { ...paid, withdrawal: undefined }, 'unreadable'],
		['it has failed', { ...paid, withdrawal: { content: 'c1', isLiving: false } }, 'notLiving'],
	])('of an order that was never sent: %s', (_, word, because) => {
		expect(settle([], word)).toMatchObject({ isAccepted: false, because, record: [] });
	});

	it('it was paid: the withdrawal is named', () => {
		const row: Row = { ...sending, id: 2, status: 'paid', withdrawalId: 'w1' };
		expect(settle([sending, row], paid)).toMatchObject({ because: 'paid', ids: ['w1'] });
	});

	it('names what nobody has been shown before, and takes the word the second time', () => {
		const word: Word = { outcome: 'notPaid', list: { isComplete: true, candidates: ['w1'] } };
		const first = settle([sending], word);
		expect(first).toMatchObject({ isAccepted: false, because: 'newCandidates', ids: ['w1'] });
		const shown: Row = { ...sending, id: 2, status: 'in doubt', shown: ['w1'] };
		expect(settle([sending, shown], word)).toMatchObject({ isAccepted: true });
	});
});

it('what has paid an order that was never sent is recorded with its own content', () => {
	const word: Word = {
		outcome: 'paid',
		id: 'w1',
		withdrawal: { content: 'c1', isLiving: true },
		owners: [],
	};
	const about = { content: 'c1', body: '' };
	const row = { status: 'paid', generation: 0, withdrawalId: 'w1', about };
	expect(settle([], word)).toEqual({ isAccepted: true, record: [row] });
});
