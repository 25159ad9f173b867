import { KnownEvents } from '../../../../../nodes/BrlPaymentsTrigger/polling/knownEvents';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const ACTIVATION = {};

const event = (id: string, changed: object = {}) => ({
	identities: [id.padEnd(10, '_')],
	createdAt: NOW - MINUTE,
	changedAt: NOW - MINUTE,
	isSelected: true,
	...changed,
});
const A = event('a');

/** A list that was read once, three days back, when nothing was in it. */
function watched(): KnownEvents {
	const list = new KnownEvents();
	list.finishReading(NOW - 3 * DAY, NOW);
	return list;
}
const take = (list: KnownEvents, now = NOW, activation: object = ACTIVATION, found = [A]) =>
	list.takeNews(found, now, 0, activation);

test('what is found first is no news, however often it is found', () => {
	const list = new KnownEvents();
	expect(take(list)).toEqual([]);
	list.finishReading(NOW - 3 * DAY, NOW);
	expect(take(list)).toEqual([]);
	expect(take(list, NOW, {})).toEqual([]);
});

test('what appears later is news', () => {
	const list = watched();
	expect(take(list, NOW, ACTIVATION, [A, event('b')])).toEqual([A, event('b')]);
});

test.each([
	['not selected', { isSelected: false }],
	['older than what was watched', { createdAt: NOW - 4 * DAY }],
])('not what is %s, then or later', (_, changed) => {
	const list = watched();
	expect(take(list, NOW, ACTIVATION, [event('a', changed)])).toEqual([]);
	expect(take(list)).toEqual([]);
});

test('what shows no time of creation counts as new', () => {
	expect(take(watched(), NOW, ACTIVATION, [event('a', { createdAt: NaN })])).toHaveLength(1);
});

describe('until it is confirmed', () => {
	test('it is not emitted at the next poll', () => {
		const list = watched();
		take(list);
		expect(take(list, NOW + MINUTE)).toEqual([]);
	});

	test('it is emitted after 5 minutes, after 20 more, and then never again', () => {
		const list = watched();
		const emitted = Array.from({ length: 200 }, (_, minute) => minute).filter(
			(minute) => take(list, NOW + minute * MINUTE).length > 0,
		);
		expect(emitted).toEqual([0, 5, 25]);
	});

	test('it is emitted at once by the next activation, and by no more of them', () => {
		const list = watched();
		take(list);
		expect(take(list, NOW, {})).toEqual([A]);
		expect(take(list, NOW, {})).toEqual([]);
	});
});

test('confirmed, it is never emitted again', () => {
	const list = watched();
	take(list);
	list.confirm(A.identities, NOW);
	expect(take(list, NOW + DAY, {})).toEqual([]);
});

test('confirmed by one of its identities, it is known by the list', () => {
	const list = watched();
	list.confirm(A.identities, NOW);
	const found = event('a', { identities: ['other_____', ...A.identities] });
	expect(take(list, NOW, ACTIVATION, [found])).toEqual([]);
	expect(take(list, NOW, ACTIVATION, [event('other')])).toEqual([]);
});

describe('a list that could not be read at first', () => {
	const before = event('before', { changedAt: NOW });
	const since = event('since', { changedAt: NOW + 1 });
	const unreadable = () => {
		const list = new KnownEvents();
		list.noteUnread(NOW);
		return list;
	};

	test('what has changed since then is news, and what was there is not', () => {
		expect(take(unreadable(), NOW, ACTIVATION, [before, since])).toEqual([since]);
	});

	test('counts from the first attempt', () => {
		const list = unreadable();
		list.noteUnread(NOW + MINUTE);
		expect(take(list, NOW, ACTIVATION, [before, since])).toEqual([since]);
	});

	test('goes by the clock of the service', () => {
		const list = unreadable();
		expect(list.takeNews([since], NOW, MINUTE, ACTIVATION)).toEqual([]);
	});

	test('what does not show its time is no news', () => {
		const undated = event('undated', { changedAt: Number.NaN });
		expect(take(unreadable(), NOW, ACTIVATION, [undated])).toEqual([]);
	});

	test('changes nothing once the list was read', () => {
		const list = watched();
		list.noteUnread(NOW);
		expect(take(list, NOW, ACTIVATION, [before])).toEqual([before]);
	});
});

describe('another API key', () => {
	const later = event('later', { changedAt: NOW + 1 });
	const watchedWithOtherKey = () => {
		const list = watched();
		list.confirm(A.identities, NOW);
		list.noteOtherKey();
		return list;
	};

	test('of the same account: news as ever', () => {
		const b = event('b');
		expect(take(watchedWithOtherKey(), NOW, ACTIVATION, [A, b])).toEqual([b]);
	});

	test('of which nothing is known: news is what has changed since the last poll', () => {
		const b = event('b');
		expect(take(watchedWithOtherKey(), NOW, ACTIVATION, [b, later])).toEqual([later]);
	});

	test('before the first reading is the first one', () => {
		const list = new KnownEvents();
		list.noteOtherKey();
		expect(take(list, NOW, ACTIVATION, [A])).toEqual([]);
	});
});

describe('saved and loaded', () => {
	const reload = (list: KnownEvents) =>
		new KnownEvents(JSON.parse(JSON.stringify(list.save())) as ReturnType<KnownEvents['save']>);

	test('it knows what was confirmed and what was there, and not what was only emitted', () => {
		const list = new KnownEvents();
		take(list, NOW, ACTIVATION, [event('there')]);
		list.finishReading(NOW - 3 * DAY, NOW);
		take(list, NOW, ACTIVATION, [A, event('b')]);
		list.confirm(A.identities, NOW);
		const all = [event('there'), A, event('b')];
		expect(take(reload(list), NOW, {}, all)).toEqual([event('b')]);
	});

	test('since when it was watched without result', () => {
		const list = new KnownEvents();
		list.noteUnread(NOW);
		const [before, since] = [event('a', { changedAt: NOW }), event('b', { changedAt: NOW + 1 })];
		expect(take(reload(list), NOW, {}, [before, since])).toEqual([since]);
	});

	test('nothing is saved before anyone has tried to read it', () => {
		const list = new KnownEvents();
		take(list);
		expect(list.save()).toBeUndefined();
	});

	test('what is no longer looked at is not kept', () => {
		const list = watched();
		list.confirm(A.identities, NOW);
		list.finishReading(NOW - MINUTE, NOW);
		expect(list.save()?.known).not.toBe('');
		list.finishReading(NOW + 2 * MINUTE, NOW);
		expect(list.save()?.known).toBe('');
	});
});
