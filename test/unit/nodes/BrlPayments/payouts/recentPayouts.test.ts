import { RecentPayouts } from '../../../../../nodes/BrlPayments/payouts/recentPayouts';

const payout = (id: string, execution = '101', at = 0) => ({
	...{ id, execution, at },
	account: 'account-1',
});
const idsAfter = (recent: RecentPayouts, mark: number, content = 'content-1') =>
	recent.after(mark, Infinity, content).map(({ id }) => id);

test('knows the payouts of a content since a mark, with their executions', () => {
	const recent = new RecentPayouts();
	recent.add('content-1', payout('w1'));
	const mark = recent.mark();
	recent.add('content-1', payout('w2', '102'));
	recent.add('content-2', payout('w3'));
	recent.add('content-1', payout('w4'));

	expect(recent.after(mark, Infinity, 'content-1')).toMatchObject([
		payout('w2', '102'),
		payout('w4'),
	]);
	expect(idsAfter(recent, mark, 'content-2')).toEqual(['w3']);
	expect(idsAfter(recent, recent.mark())).toEqual([]);
});

test('knows the payouts before the mark that are younger than a given time', () => {
	const recent = new RecentPayouts();
	recent.add('content-1', payout('w1', '101', 5_000));
	recent.add('content-1', payout('w2', '101', 5_001));

	const found = recent.after(recent.mark(), 5_000, 'content-1');
	expect(found.map(({ id }) => id)).toEqual(['w2']);
});

test('knows nothing after a restart', () => {
	const recent = new RecentPayouts();
	recent.add('content-1', payout('w1'));
	recent.clear();
	expect(idsAfter(recent, 0)).toEqual([]);
});

test('knows a payout once, as the newest, however often it is added', () => {
	const recent = new RecentPayouts();
	recent.add('content-1', payout('w1'));
	recent.add('content-1', payout('w2'));
	const mark = recent.mark();
	recent.add('content-1', payout('w1'));

	expect(idsAfter(recent, 0)).toEqual(['w2', 'w1']);
	expect(idsAfter(recent, mark)).toEqual(['w1']);
});

test('remembers a bounded number of contents, and forgets the one unused longest', () => {
	const recent = new RecentPayouts(2);
	recent.add('content-1', payout('w1'));
	recent.add('content-2', payout('w2'));
	recent.add('content-1', payout('w3'));
	recent.add('content-3', payout('w4'));

	expect(
		['content-1', 'content-2', 'content-3'].map((content) => idsAfter(recent, 0, content)),
	).toEqual([['w1', 'w3'], [], ['w4']]);
});
