import { SeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/polling/memory';

// What is found first, what changes later, kills and restarts: test/engine/trigger/polling.test.ts.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-21T12:00:00Z');

const event = (id: string, changed: object = {}) => ({
	identities: [`${id.padEnd(10, '_')}paid`],
	createdAt: NOW - MINUTE,
	changedAt: NOW - MINUTE,
	isSelected: true,
	...changed,
});
const A = event('a');
const B = event('b');
/** Another event of the resource of A. */
const MOVED = event('a', { identities: [`${'a'.padEnd(10, '_')}refund`] });
const LATER = event('later', { changedAt: NOW + 1 });

let list: SeenEvents;
/** The list was read once, three days back, when nothing was in it. */
beforeEach(() => {
	list = new SeenEvents();
	list.noticeKey('key');
	list.finishReading(NOW - 3 * DAY, NOW);
});

const ACTIVATION = {};
const take = (found = [A], now = NOW, activation: object = ACTIVATION) =>
	list.takeNews(found, now, 0, activation);

test('what shows no time of creation counts as new', () => {
	expect(take([event('a', { createdAt: NaN })])).toHaveLength(1);
});

test('what nobody confirms is emitted again after 5 minutes, after 5 more, and then never again', () => {
	const emitted = Array.from({ length: 200 }, (_, minute) => minute).filter(
		(minute) => take([A], NOW + minute * MINUTE).length > 0,
	);
	expect(emitted).toEqual([0, 5, 10]);
});

test('what nobody confirms is emitted at once by the next activation, and by no more of them', () => {
	take();
	expect(take([A], NOW, {})).toEqual([A]);
	expect(take([A], NOW, {})).toEqual([]);
});

test('confirmed by one of its identities, it is known by the list, also after a restart', () => {
	take([event('emitted')]);
	list.confirm(A.identities, NOW);
	expect(take([event('a', { identities: ['other_____paid', ...A.identities] })])).toEqual([]);
	list = new SeenEvents(list.save());
	expect(take([A, event('other'), event('emitted')])).toEqual([event('emitted')]);
});

test('a list that could not be read at first goes by the clock of the service', () => {
	list = new SeenEvents();
	list.watchFrom(NOW);
	const undated = event('undated', { changedAt: NaN });
	expect(list.takeNews([LATER, undated], NOW, MINUTE, ACTIVATION)).toEqual([]);
});

describe('another API key', () => {
	test.each([
		['of the same account: news as ever', [A, B, LATER], [B, LATER]],
		['of which nothing is known: what has changed since the last poll', [B, LATER], [LATER]],
		['of the same account, where the known one has moved on', [MOVED, B], [MOVED, B]],
		['whose first list is empty: nothing is decided yet', [], []],
	])('%s', (_, found, news) => {
		list.confirm(A.identities, NOW);
		list.noticeKey('other key');
		expect(take(found)).toEqual(news);
	});

	test('before the first reading is the first one', () => {
		list = new SeenEvents();
		list.noticeKey('other key');
		expect(take()).toEqual([]);
	});
});

test('what is no longer considered is not kept', () => {
	list.confirm(A.identities, NOW);
	take([B]);
	list.finishReading(NOW - MINUTE, NOW);
	expect(list.save()).toContain(A.identities[0]);
	list.finishReading(NOW + 2 * MINUTE, NOW);
	for (const { identities } of [A, B]) expect(list.save()).not.toContain(identities[0]);
});
