import { readRow, toCells, type StoredCells } from '../../../../../nodes/BrlPayments/ledger/ledger';

const AT = Date.parse('2026-06-01T12:00:00Z');
const EDITED = AT + 600_000;

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
		expect(readRow(stored())).toEqual([
			{
				id: 7,
				status: 'sending',
				generation: 2,
				content: 'content',
				body: 'body',
				apiKey: 'key',
				run: 'run-1',
				at: AT,
			},
		]);
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

	it('is as old as its evidence', () => {
		const details = JSON.stringify({ evidenceAt: AT - 5_000, shown: ['w1'] });
		expect(readRow(stored({ status: 'refused', details }))).toMatchObject([
			{ status: 'refused', at: AT - 5_000, shown: ['w1'] },
		]);
	});

	it('comes back as it was written', () => {
		const asked = { run: 'run-1', apiKey: 'key', content: 'content', body: 'body' };
		const row = { status: 'refused', generation: 3, at: AT - 5_000, shown: ['w1'] } as const;
		const cells = toCells(row, asked, AT);
		expect(cells.sentAt).toBe('2026-06-01T11:59:55.000Z');
		expect(readRow(stored(cells))).toEqual([{ id: 7, ...row, ...asked }]);
	});

	it('may be about nothing that was asked for', () => {
		const asked = { run: 'run-1', apiKey: 'key', content: 'content', body: 'body' };
		const about = { content: '', body: '' };
		const cells = toCells({ status: 'paid', generation: 0, about }, asked, AT);
		expect(cells).toMatchObject({ content: '', details: null, withdrawalId: null });
		expect(readRow(stored({ ...cells, withdrawalId: 'w1' }))).toMatchObject([about]);
	});

	it('is no younger than itself, whatever its evidence says', () => {
		const details = JSON.stringify({ evidenceAt: AT + 1 });
		expect(readRow(stored({ status: 'refused', details }))).toMatchObject([{ at: AT }]);
	});
});

describe('a row by a person', () => {
	it.each([' Paid ', 'PAID'])('may say %s', (status) => {
		expect(readRow(stored({ status, run: null, withdrawalId: ' w1 ' }))).toMatchObject([
			{ status: 'paid', run: '', withdrawalId: 'w1' },
		]);
	});

	it.each([{ run: null }, { updatedAt: EDITED }])('is told apart by %o', (more) => {
		const paid = { status: 'paid', withdrawalId: 'w1' };
		expect(readRow(stored({ ...paid, ...more }))).toMatchObject([{ isByPerson: true }]);
		expect(readRow(stored(paid))?.[0]).not.toHaveProperty('isByPerson');
	});

	it('says by `not paid` when it was said, and leaves the attempt', () => {
		const edited = stored({ status: 'not paid', updatedAt: EDITED });
		expect(readRow(edited)).toMatchObject([
			{ status: 'sending', at: AT },
			{ status: 'not paid', at: EDITED },
		]);
	});

	it.each(['failed', 'refused'])('means `not paid` by %s', (status) => {
		expect(readRow(stored({ status, updatedAt: EDITED }))).toMatchObject([
			{ status: 'sending' },
			{ status: 'not paid', at: EDITED },
		]);
	});

	it('has made no attempt', () => {
		const word = { status: 'not paid', run: null, content: null, updatedAt: EDITED };
		expect(readRow(stored(word))).toMatchObject([{ status: 'not paid', at: EDITED }]);
	});

	it('that Settle Reference wrote as paid, and that is taken back, is an attempt again', () => {
		const details = JSON.stringify({ evidenceAt: AT - 5_000 });
		const taken = { status: 'not paid', run: null, details, updatedAt: EDITED };
		expect(readRow(stored(taken))).toMatchObject([
			{ status: 'sending', content: 'content', at: AT - 5_000 },
			{ status: 'not paid', at: EDITED },
		]);
	});

	it('may leave out the generation', () => {
		expect(readRow(stored({ generation: null }))).toMatchObject([{ generation: 0 }]);
	});
});

describe('what cannot be read', () => {
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
	])('is %o', (more) => {
		expect(readRow(stored(more))).toBeUndefined();
	});
});
