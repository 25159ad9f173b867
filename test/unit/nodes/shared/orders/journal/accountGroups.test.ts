import {
	findSender,
	foundGroup,
	KnownKeys,
	senderEntries,
	witnessEntries,
	WITNESSES,
} from '../../../../../../nodes/shared/orders/journal/accountGroups';
import { Inquiry } from '../../../../../../nodes/shared/orders/journal/facts';

/** A store that remembers what was recorded. */
function openStore() {
	const recorded = new Set<string>();
	const inquiry = new Inquiry(async (entries) => {
		const before = new Set(entries.filter((entry) => recorded.has(entry)));
		for (const entry of entries) recorded.add(entry);
		return before;
	});
	return { inquiry, recorded };
}
const found = async (account: string, isLive = true, ids: readonly string[] = []) =>
	await foundGroup(openStore().inquiry, account, isLive, [], ids);

describe('a new group', () => {
	it('has another name for another key, so that two processes hardly ever take the same one', async () => {
		const accounts = Array.from({ length: 40 }, (_, number) => `account-${number}`);
		const groups = await Promise.all(accounts.map(async (account) => await found(account)));

		expect(groups).not.toContain(undefined);
		expect(new Set(groups).size).toBeGreaterThan(20);
		expect(await found('account-7')).toBe(groups[7]);
	});

	it('has another name for test keys than for live ones', async () => {
		expect(await found('account-1', true)).toMatch(/^live-\d+$/);
		expect(await found('account-1', false)).toMatch(/^test-\d+$/);
	});

	it('has the next name where its own is taken, and none where all are', async () => {
		const { inquiry } = openStore();
		const taken: string[] = [];
		for (let count = 0; count < 32; count += 1) {
			const group = await foundGroup(inquiry, 'account-1', true, taken, []);
			expect(taken).not.toContain(group);
			taken.push(group!);
		}

		expect(await foundGroup(inquiry, 'account-1', true, taken, [])).toBeUndefined();
	});

	it('is proven by the newest withdrawals that its key shows, and no more', async () => {
		const { inquiry, recorded } = openStore();
		const ids = Array.from({ length: WITNESSES + 1 }, (_, index) => `withdrawal-${index}`);

		const group = await foundGroup(inquiry, 'account-1', true, [], ids);

		const isRecorded = ids.map((id) => witnessEntries(id, group).every((one) => recorded.has(one)));
		expect(isRecorded).toEqual([...Array.from({ length: WITNESSES }, () => true), false]);
	});
});

it('nothing is stated of a key without a group', () => {
	expect(witnessEntries('withdrawal-1', undefined)).toEqual([]);
	expect(senderEntries('order-1', undefined)).toEqual([]);
});

it('an order with two senders has none that is known', async () => {
	const { inquiry } = openStore();
	await inquiry.record([...senderEntries('one', 'live-1'), ...senderEntries('two', 'live-2')]);
	await inquiry.record(senderEntries('two', 'live-3'));

	expect(await findSender(inquiry, 'one', true)).toBe('live-1');
	expect(await findSender(inquiry, 'two', true)).toBeUndefined();
});

it('a key needs one proof in each journal, until the process starts again', () => {
	const keys = new KnownKeys();
	const needs = (journal: string, account: string) => keys.needsProof(journal, account);

	expect([needs('a', 'one'), needs('a', 'one')]).toEqual([true, false]);
	expect([needs('a', 'two'), needs('b', 'one')]).toEqual([true, true]);
	keys.clear();
	expect(needs('a', 'one')).toBe(true);
});
