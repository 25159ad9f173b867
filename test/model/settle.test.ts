import {
	decide,
	findDoubt,
	PERSON,
	PROOF_MS,
	settleNotPaid,
	settlePaid,
	type List,
	type Row,
} from '../../nodes/BrlPayments/orders/protocol';

const sending: Row = {
	id: 1,
	status: 'sending',
	generation: 0,
	content: 'c1',
	apiKey: 'a',
	run: 'run 1',
	at: 0,
};
const list: List = { ids: [], apiKey: 'a', at: PROOF_MS };

const paid: Row = { ...sending, id: 2, status: 'paid', withdrawalId: 'w1' };
const said: Row = { ...paid, run: PERSON };
const at = PROOF_MS;

/** Whatever people say: those of the model only say what they have seen. */
describe("a person's word", () => {
	it.each([
		[
			'it belongs to another order',
			settlePaid([sending], 'w1', 'c1', ['R-2', 'R-3'], at),
			'otherOrder',
		],
		[
			'the same, of an order that was never sent',
			settlePaid([], 'w1', 'c1', ['R-2'], at),
			'otherOrder',
		],
		['its amount is another one', settlePaid([sending], 'w1', 'c2', [], at), 'otherContent'],
		['it cannot be read, or has failed', settlePaid([sending], 'w1', '', [], at), 'otherContent'],
		['the same, of an order that was never sent', settlePaid([], 'w1', '', [], at), 'otherContent'],
		['the order may still be paid', settlePaid([sending], 'w1', 'c1', [], at - 1), 'tooEarly'],
		['a run has recorded the payout', settlePaid([paid], 'w2', 'c1', [], at), 'nothing'],
		[
			'the same, and something is open',
			settlePaid([sending, { ...paid, generation: 1 }], 'w2', 'c1', [], at),
			'nothing',
		],
		[
			'a late request may still execute',
			settleNotPaid([sending], { ...list, at: at - 1 }, [], -Infinity),
			'tooEarly',
		],
		[
			'the list cannot be read, and the person has looked too early',
			settleNotPaid([sending], { ...list, ids: undefined }, [], at - 1),
			'tooEarly',
		],
		[
			'the list is that of another API key',
			settleNotPaid([sending], { ...list, apiKey: 'b' }, [], -Infinity),
			'tooEarly',
		],
		[
			'the list cannot show what a person has edited',
			settleNotPaid([{ ...sending, status: 'edited', content: '' }], list, [], -Infinity),
			'tooEarly',
		],
		['nothing was sent', settleNotPaid([], list, [], at), 'nothing'],
		['a run has recorded the payout', settleNotPaid([paid], list, [], at), 'nothing'],
	])('is refused, as %s', (_, settlement, because) => {
		expect(settlement).toMatchObject({ because });
	});

	it('names the orders that a withdrawal belongs to', () => {
		const settlement = settlePaid([sending], 'w1', 'c1', ['R-2', 'R-3'], at);
		expect(settlement).toEqual({ because: 'otherOrder', ids: ['R-2', 'R-3'] });
	});

	it.each([
		['was never sent', [], 0],
		['was refused', [{ ...sending, status: 'refused' }], 0],
		[
			'was refused by the bank',
			[
				{ ...paid, generation: 2 },
				{ ...paid, status: 'failed', generation: 2 },
			],
			2,
		],
	] as ReadonlyArray<[string, Row[], number]>)(
		'counts for an order that %s, whatever its amount, and at once',
		(_, rows, generation) => {
			const record = [{ status: 'paid', generation, withdrawalId: 'w2', content: 'c9' }];
			expect(settlePaid(rows, 'w2', 'c9', [], 0)).toEqual({ record, remove: [] });
		},
	);

	it.each([
		['by another withdrawal', settlePaid([said], 'w2', 'c9', [], 0), ['w2']],
		['by Not Paid', settleNotPaid([said], { ...list, ids: undefined }, [], -Infinity), []],
	])('is taken back %s', (_, settlement, ids) => {
		const record = ids.map((id) => ({
			status: 'paid',
			generation: 0,
			withdrawalId: id,
			content: 'c9',
		}));
		expect(settlement).toEqual({ record, remove: [2] });
	});

	it('names what the person has not ruled out', () => {
		const shown: List = { ...list, ids: ['w1', 'w2'] };
		const first = settleNotPaid([sending], shown, ['w1'], -Infinity);
		expect(first).toEqual({ because: 'candidates', ids: ['w2'] });
		const second = settleNotPaid([sending], shown, ['w1', 'w2'], -Infinity);
		const closing = { status: 'refused', generation: 0, at: PROOF_MS };
		expect(second).toEqual({ record: [closing], remove: [] });
	});
});

describe('a row that a person has edited', () => {
	const edited: Row = { ...sending, id: 1, status: 'edited', at: 10 };

	it('leaves its order in doubt, unless a run has recorded the payout', () => {
		expect(decide([edited], 'a', 0)).toBe('edited');
		expect(findDoubt([edited])).toMatchObject({ until: 10 + PROOF_MS });
		expect(decide([edited, paid], 'a', 0)).toBe('paid');
		expect(findDoubt([edited, paid])).toBeUndefined();
	});

	it('is removed by what a person says instead', () => {
		const later = 10 + PROOF_MS;
		const closing = { status: 'refused', generation: 0, at: later };
		expect(settleNotPaid([edited], { ...list, at: later }, [], -Infinity)).toEqual({
			record: [closing],
			remove: [1],
		});
		const settlement = settlePaid([edited, said], 'w2', 'c9', [], later);
		expect(settlement).toMatchObject({ remove: [1, 2] });
	});
});
