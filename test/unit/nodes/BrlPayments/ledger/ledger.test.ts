import { readRow, toCells, type StoredCells } from '../../../../../nodes/BrlPayments/ledger/ledger';
import type { Row } from '../../../../../nodes/BrlPayments/ledger/protocol';

const AT = Date.parse('2026-06-01T12:00:00Z');
const EDITED = AT + 600_000;
const ASKED = { run: 'run-1', apiKey: 'key', content: 'content', body: 'body' };

/** An attempt, as the node writes it; tests change one aspect. */
function stored(more: Partial<StoredCells> = {}): StoredCells {
	return {
		id: 7,
		kind: 'payout',
		createdAt: AT,
		updatedAt: AT,
		reference: 'a',
		status: 'sending',
		amount: 12.5,
		pixKey: null,
		withdrawalId: null,
		sentAt: new Date(AT).toISOString(),
		environment: 'test',
		generation: 2,
		apiKey: 'key',
		content: 'content.body',
		run: 'run-1',
		workflow: null,
		execution: null,
		details: null,
		...more,
	};
}

describe('a row by the node', () => {
	it('says what was written', () => {
		const row = { id: 7, status: 'sending', generation: 2, at: AT, ...ASKED };
		expect(readRow(stored())).toEqual([row]);
	});

	it.each([
		['an hour ago', new Date(AT - 3_600_000).toISOString(), AT - 3_600_000],
		['seconds before it was written', new Date(AT - 5_000).toISOString(), AT],
		['later than it was written', new Date(AT + 3_600_000).toISOString(), AT],
		['at no known time', null, 0],
		['at no time', 'yesterday', 0],
	])('that was sent %s is as old as that, also if it was imported since', (_, sentAt, at) => {
		expect(readRow(stored({ sentAt }))).toMatchObject([{ status: 'sending', at }]);
	});

	it.each([
		[AT - 5_000, AT - 5_000],
		[AT + 1, AT],
	])('is as old as its evidence, and no younger than itself: %i', (evidenceAt, at) => {
		const details = JSON.stringify({ evidenceAt });
		expect(readRow(stored({ status: 'refused', details }))).toMatchObject([{ at }]);
	});

	it('comes back as it was written', () => {
		const row = { status: 'refused', generation: 3, at: AT - 5_000, shown: ['w1'] } as const;
		const cells = toCells(row, ASKED, AT);
		expect(cells.sentAt).toBe('2026-06-01T11:59:55.000Z');
		expect(readRow(stored(cells))).toEqual([{ id: 7, ...row, ...ASKED }]);
	});

	it('may be about nothing that was asked for', () => {
		const about = { content: '', body: '' };
		const cells = toCells({ status: 'paid', generation: 0, about }, ASKED, AT);
		expect(cells).toMatchObject({ content: '', details: null, withdrawalId: null });
		expect(readRow(stored({ ...cells, withdrawalId: 'w1' }))).toMatchObject([about]);
	});
});

describe('a row by a person', () => {
	const ATTEMPT = { status: 'sending', at: AT } as const;
	const NOT_PAID = { status: 'not paid', at: EDITED } as const;
	const edited = { updatedAt: EDITED };
	const evidence = JSON.stringify({ evidenceAt: AT - 5_000 });

	it.each<[string, Partial<StoredCells>, Array<Partial<Row>>]>([
		[
			'may say Paid with blanks',
			{ status: ' Paid ', run: null, withdrawalId: ' w1 ' },
			[{ status: 'paid', run: '', withdrawalId: 'w1', isByPerson: true }],
		],
		[
			'may say PAID of the row of the node',
			{ status: 'PAID', withdrawalId: 'w1', ...edited },
			[{ status: 'paid', isByPerson: true }],
		],
		['says when it was not paid', { status: 'not paid', ...edited }, [ATTEMPT, NOT_PAID]],
		['means the same by failed', { status: 'failed', ...edited }, [ATTEMPT, NOT_PAID]],
		['means the same by refused', { status: 'refused', ...edited }, [ATTEMPT, NOT_PAID]],
		[
			'has made no attempt',
			{ status: 'not paid', run: null, content: null, ...edited },
			[NOT_PAID],
		],
		[
			'that Settle Reference wrote as paid, and that is taken back, is an attempt again',
			{ status: 'not paid', run: null, details: evidence, ...edited },
			[{ status: 'sending', content: 'content', at: AT - 5_000 }, NOT_PAID],
		],
		['may leave out the generation', { generation: null }, [{ generation: 0 }]],
	])('%s', (_, more, rows) => {
		expect(readRow(stored(more))).toMatchObject(rows);
	});

	it('is told apart from one by the node', () => {
		const [row] = readRow(stored({ status: 'paid', withdrawalId: 'w1' }))!;
		expect(row).not.toHaveProperty('isByPerson');
	});
});

it.each<Partial<StoredCells>>([
	{ status: '' },
	{ status: 'perhaps' },
	{ status: 'paid' },
	{ status: 'paid', withdrawalId: ' ' },
	{ generation: -1 },
	{ generation: 0.5 },
	{ details: 'text' },
	{ details: '1' },
	{ details: 'null' },
	{ details: '{"evidenceAt":"1"}' },
	{ details: '{"shown":"w1"}' },
	{ details: '{"shown":[1]}' },
])('a row with %o cannot be read', (more) => {
	expect(readRow(stored(more))).toBeUndefined();
});
