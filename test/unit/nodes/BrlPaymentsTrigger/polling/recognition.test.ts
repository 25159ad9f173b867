import { withDurableStore, type StoreAccess } from '../../../../../nodes/api/durableStore';
import {
	recognizeDelivered,
	recognizePolled,
} from '../../../../../nodes/BrlPaymentsTrigger/polling/recognition';
import { FakeDeduplication } from '../../../support/deduplicationStore';

let database: FakeDeduplication;
let warnings: string[];
beforeEach(() => {
	database = new FakeDeduplication();
	warnings = [];
});

const inStore = async <T>(use: (store: StoreAccess) => Promise<T>) =>
	await withDurableStore(database.context(), use);
const warn = (message: string) => void warnings.push(message);
const mark = (emission: string, ...identities: string[]) => ({ emission, identities });
const polled = async (...marks: Array<ReturnType<typeof mark>>) =>
	await inStore(async (store) => await recognizePolled(store, marks, warn));
const delivered = async (...identities: string[]) =>
	await inStore(async (store) => await recognizeDelivered(store, identities, warn));

describe('polled', () => {
	test('each once, several at a time', async () => {
		expect(await polled(mark('1', 'a', 'A'), mark('1', 'b', 'B'))).toEqual([true, true]);
		expect(await polled(mark('2', 'b', 'B'), mark('2', 'c', 'C'))).toEqual([false, true]);
	});

	test('again by the execution that had it first', async () => {
		await polled(mark('1', 'a'));
		expect(await polled(mark('1', 'a'))).toEqual([true]);
	});

	test('not by the repetition of a repetition', async () => {
		await polled(mark('1', 'a'));
		await polled(mark('2', 'a'));
		expect(await polled(mark('2', 'a'))).toEqual([false]);
	});

	test('not after a webhook has brought it, by either identity', async () => {
		await delivered('A');
		expect(await polled(mark('1', 'a', 'A'))).toEqual([false]);
	});
});

describe('delivered', () => {
	test('the first, and each later one', async () => {
		expect(await delivered('a', 'A')).toBe(true);
		expect(await delivered('a', 'A')).toBe(true);
	});

	test.each([[['a', 'A']], [['a']], [['A']]])(
		'not the first one of what polling has brought, by %s; each later one',
		async (identities) => {
			await polled(mark('1', 'a', 'A'));
			expect(await delivered(...identities)).toBe(false);
			expect(await delivered('a', 'A')).toBe(true);
		},
	);
});

describe('a store that fails', () => {
	test('once: it is asked again', async () => {
		await polled(mark('1', 'a'));
		database.failAt(1);
		expect(await polled(mark('2', 'a'))).toEqual([false]);
		expect(warnings).toHaveLength(1);
	});

	test('to remove an entry: the other events go on', async () => {
		await polled(mark('1', 'a'));
		// Recorded, looked whether it is there, and then removed.
		database.failAt(3);
		expect(await polled(mark('2', 'a'), mark('2', 'b'))).toEqual([false, true]);
		expect(warnings).toHaveLength(1);
	});

	test('always: the events go on', async () => {
		const store: StoreAccess = {
			record: async () => await Promise.reject(new Error('The database is gone')),
			forget: async () => {},
		};
		expect(await recognizePolled(store, [mark('1', 'a')], warn)).toEqual([true]);
		expect(await recognizeDelivered(store, ['a'], warn)).toBe(true);
		expect(warnings).toHaveLength(10);
	});
});
