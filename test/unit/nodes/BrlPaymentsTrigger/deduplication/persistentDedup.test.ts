import type { IExecuteFunctions } from 'n8n-workflow';
import { withDurableStore } from '../../../../../nodes/shared/n8n/durableStore';
import { openSeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	remember,
	type DeliveryMark,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
import { NODE } from '../../../support/nodeContext';
import { freshNodeId } from '../support/webhookContext';

type Store = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'getProcessedDataCount'
>;

/** n8n's helper: reads one row, returns what was in it, and writes it back with what was not. */
class FakeStore implements Store {
	entries: string[] = [];
	calls = 0;
	/** What happens to a call: it throws, or what it writes is lost, or its result is. */
	readonly mishaps: Array<() => 'lose' | 'loseAnswer' | void> = [];

	checkProcessedAndRecord: Store['checkProcessedAndRecord'] = async (items, scope, options) => {
		expect(scope).toBe('node');
		expect(options.mode).toBe('entries');
		this.calls += 1;
		const mishap = this.mishaps.shift()?.();
		const before = new Set(this.entries);
		const [added, processed] = [false, true].map((isThere) =>
			items.filter((item) => before.has(String(item)) === isThere),
		);
		if (mishap !== 'lose') this.entries.push(...(added ?? []).map(String));
		if (options.maxEntries) {
			this.entries.splice(0, this.entries.length - options.maxEntries);
		}
		if (mishap === 'loseAnswer') throw new Error('Connection lost');
		return { new: added ?? [], processed: processed ?? [] };
	};

	removeProcessed: Store['removeProcessed'] = async (items) => {
		this.entries = this.entries.filter((entry) => !items.includes(entry));
	};

	getProcessedDataCount: Store['getProcessedDataCount'] = async () => this.entries.length;
}

const fail = (message: string) => () => {
	throw new Error(message);
};

const mark = (changed: Partial<DeliveryMark> = {}): DeliveryMark => {
	const id = changed.id ?? 'a';
	const contents = ['content'];
	return { id, key: id, contents, fingerprints: ['sig-1'], emission: 'run-1', ...changed };
};

let store: FakeStore;
let warnings: string[];
let node: string;

beforeEach(() => {
	store = new FakeStore();
	warnings = [];
	node = freshNodeId();
});

const NOW = Date.parse('2026-11-21T12:00:00Z');
const KEEP_MS = 600_000;

const recall = async (
	changed: Partial<DeliveryMark> = {},
	{
		isShared = true,
		isRetry = false,
		now = NOW,
	}: { isShared?: boolean; isRetry?: boolean; now?: number } = {},
) =>
	await withDurableStore(
		{
			helpers: store as unknown as IExecuteFunctions['helpers'],
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'workflow', active: true }),
		},
		async (access) =>
			await remember(
				openSeenEvents(access, node, now, { keepMs: KEEP_MS, isShared }),
				mark(changed),
				{ isRetry, isShared },
				(message) => void warnings.push(message),
			),
	);

describe('a delivery', () => {
	test('is the first, and its copy is one', async () => {
		expect(await recall()).toBe('first');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
		expect(await recall({ emission: 'run-3', fingerprints: ['sig-2'] })).toBe('copy');
		expect(warnings).toEqual([]);
	});

	test('does not call itself a copy when its execution is run again', async () => {
		await recall();
		expect(await recall()).toBe('first');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
		expect(await recall()).toBe('first');
	});

	test('stays a copy when the execution of a copy is run again', async () => {
		await recall();
		expect(await recall({ emission: 'run-2' })).toBe('copy');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
	});

	test('is another one with another id and signature', async () => {
		await recall();
		expect(await recall({ id: 'b', fingerprints: ['sig-2'], emission: 'run-2' })).toBe('first');
	});
});

describe('a delivery that the service renders again for a retry', () => {
	const rendered = (...contents: string[]) => ({ contents });
	const retry = { emission: 'run-2', fingerprints: ['sig-2'] };

	test.each([
		['with one ID more', ['payment'], ['payment', 'txId']],
		['with one ID less', ['payment', 'txId'], ['txId']],
		['with another ID beside the same one', ['payment', 'txId'], ['txId', 'external']],
	])('%s is a copy', async (_, first, second) => {
		expect(await recall(rendered(...first))).toBe('first');
		expect(await recall({ ...retry, ...rendered(...second) })).toBe('copy');
		expect(await recall({ ...retry, ...rendered(...second) }, { isRetry: true })).toBe('copy');
		expect(await recall(rendered(...first), { isRetry: true })).toBe('first');
	});

	test('is a copy by an ID that the retry before it has shown', async () => {
		await recall(rendered('payment'));
		await recall({ ...retry, ...rendered('payment', 'txId') });
		expect(await recall({ ...rendered('txId'), emission: 'run-3' })).toBe('copy');
	});

	test('is the first if it has no ID in common: another resource, or another status', async () => {
		await recall(rendered('payment', 'txId'));
		expect(await recall({ ...retry, ...rendered('other payment') })).toBe('first');
		expect(await recall({ ...retry, ...rendered('other payment') })).toBe('first');
		expect(await recall({ ...rendered('other payment'), emission: 'run-3' })).toBe('copy');
	});

	test('is let through again once', async () => {
		await recall(rendered('payment'));
		const again = { ...rendered('payment', 'txId'), key: 'a again 1' };
		expect(await recall({ ...again, ...retry })).toBe('first');
		expect(await recall({ ...again, emission: 'run-3' })).toBe('copy');
		expect(await recall({ ...rendered('txId'), emission: 'run-4' })).toBe('copy');
	});
});

describe('a signature under another delivery id', () => {
	test('is refused', async () => {
		await recall();
		expect(await recall({ id: 'b', emission: 'run-2' })).toBe('foreignSignature');
		expect(await recall({ id: 'b', emission: 'run-2' })).toBe('foreignSignature');
	});

	test('does not use up that id: the genuine delivery is the first', async () => {
		await recall();
		await recall({ id: 'b', emission: 'run-2' });
		expect(await recall({ id: 'b', fingerprints: ['sig-2'], emission: 'run-3' })).toBe('first');
		expect(await recall({ id: 'b', fingerprints: ['sig-2'], emission: 'run-4' })).toBe('copy');
	});

	test('leaves nothing behind', async () => {
		await recall();
		const before = [...store.entries];
		await recall({
			id: 'b',
			key: 'b again 1',
			fingerprints: ['sig-2', 'sig-1'],
			emission: 'run-2',
		});
		// But that it was refused.
		expect(store.entries).toEqual([...before, 'refused b again 1 run-2']);
	});

	test('continues when a person runs it again, and then the id is known', async () => {
		await recall();
		const foreign = { id: 'b', emission: 'run-2' };
		expect(await recall(foreign)).toBe('foreignSignature');
		expect(await recall(foreign, { isRetry: true })).toBe('first');
		expect(await recall({ id: 'b', emission: 'run-3', fingerprints: ['sig-2'] })).toBe('copy');
		// Nor does that let in another one with the same signature.
		expect(await recall({ id: 'c', emission: 'run-4' }, { isRetry: true })).toBe(
			'foreignSignature',
		);
	});

	test('is refused once also where n8n was killed before, and continues the second time', async () => {
		await recall();
		const foreign = { id: 'b', emission: 'run-2' };
		expect(await recall(foreign, { isRetry: true })).toBe('foreignSignature');
		expect(await recall(foreign, { isRetry: true })).toBe('first');
	});

	test('stays a copy when it is run again after the genuine delivery has come', async () => {
		await recall();
		const foreign = { id: 'b', emission: 'run-2' };
		await recall(foreign);
		await recall({ id: 'b', emission: 'run-3', fingerprints: ['sig-2'] });
		expect(await recall(foreign, { isRetry: true })).toBe('copy');
	});

	test('is refused for each of several signatures', async () => {
		await recall({ fingerprints: ['sig-1', 'sig-2'] });
		for (const fingerprints of [['sig-2'], ['sig-3', 'sig-1']]) {
			expect(await recall({ id: 'b', fingerprints, emission: 'run-2' })).toBe('foreignSignature');
		}
		expect(await recall({ fingerprints: ['sig-2'], emission: 'run-3' })).toBe('copy');
	});

	test('a copy with its own signature ties that one, too', async () => {
		await recall();
		await recall({ fingerprints: ['sig-2'], emission: 'run-2' });
		expect(await recall({ id: 'b', fingerprints: ['sig-2'], emission: 'run-3' })).toBe(
			'foreignSignature',
		);
	});
});

describe('let through again', () => {
	test('once for each key, and the plain id stays known', async () => {
		await recall();
		expect(await recall({ key: 'a again 1', emission: 'run-2' })).toBe('first');
		expect(await recall({ key: 'a again 1', emission: 'run-3' })).toBe('copy');
		expect(await recall({ key: 'a again 2', emission: 'run-4' })).toBe('first');
		expect(await recall({ emission: 'run-5' })).toBe('copy');
	});

	test('an id that was never seen before is known afterwards without the wish', async () => {
		expect(await recall({ key: 'a again 1' })).toBe('first');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
	});

	test('is no copy with the signature that it first came with', async () => {
		await recall();
		expect(await recall({ key: 'a again 1', emission: 'run-2', fingerprints: ['sig-1'] })).toBe(
			'first',
		);
	});
});

describe('trouble with the store', () => {
	test('that throws once is tried again', async () => {
		store.mishaps.push(fail('UNIQUE constraint failed'));
		expect(await recall()).toBe('first');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
		expect(warnings).toEqual([
			'The events that were seen could not be read or written (attempt 1): UNIQUE constraint failed',
		]);
	});

	test('that throws once in front of a copy still knows it', async () => {
		await recall();
		store.mishaps.push(fail('locked'), fail('locked'));
		expect(await recall({ emission: 'run-2' })).toBe('copy');
		expect(warnings).toHaveLength(2);
	});

	test('that always throws does not lose the event, and is not called forever', async () => {
		store.mishaps.push(...Array.from({ length: 100 }, () => fail('gone')));
		expect(await recall()).toBe('first');
		expect(store.calls).toBe(5);
		expect(warnings).toHaveLength(5);
	});

	test('that throws something that is no error', async () => {
		store.mishaps.push(() => {
			throw 'gone' as unknown as Error;
		});
		expect(await recall()).toBe('first');
		expect(warnings[0]).toMatch(/unknown error$/);
	});

	test('whose write is lost to another process is written again', async () => {
		store.mishaps.push(() => 'lose');
		expect(await recall()).toBe('first');
		expect(store.entries).toEqual(expect.arrayContaining(['id a']));
		expect(await recall({ emission: 'run-2' })).toBe('copy');
	});

	test('whose writes are lost again and again is not called forever', async () => {
		store.mishaps.push(...Array.from({ length: 100 }, () => () => 'lose' as const));
		expect(await recall()).toBe('first');
		expect(store.calls).toBe(6);
	});

	test('another process that writes the same delivery in between does not make it a copy', async () => {
		// Both read an empty row: the first result counts, or the event would be lost in both.
		store.mishaps.push(
			() => 'lose',
			() => {
				store.entries.push('id a', 'signature sig-1', 'run a run-2');
			},
		);
		expect(await recall()).toBe('first');
	});

	test('that loses its result does not let a copy through', async () => {
		await recall();
		store.mishaps.push(() => 'loseAnswer');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
	});

	test('that cannot take back what a foreign signature left still refuses it', async () => {
		await recall();
		store.removeProcessed = async () => {
			throw new Error('locked');
		};
		expect(await recall({ id: 'b', emission: 'run-2' })).toBe('foreignSignature');
		expect(warnings).toHaveLength(5);
	});
});

describe('killed after its first call', () => {
	/** As far as the store knows: nothing that comes after that call reaches it. */
	const killed = async (changed: Partial<DeliveryMark> = {}) => {
		const { entries } = store;
		const untilKilled = new FakeStore();
		untilKilled.entries = entries;
		store = untilKilled;
		store.mishaps.push(() => undefined, ...Array.from({ length: 10 }, () => fail('killed')));
		store.removeProcessed = async () => fail('killed')();
		await recall(changed);
		const left = store.entries;
		store = new FakeStore();
		store.entries = left;
	};

	test('a copy stays one when it is run again', async () => {
		await recall();
		await killed({ emission: 'run-2' });
		expect(await recall({ emission: 'run-2' }, { isRetry: true })).toBe('copy');
		// Nor does it win by being run again.
		expect(await recall({ emission: 'run-2' }, { isRetry: true })).toBe('copy');
	});

	test('the first continues when it is run again, and a copy after that does not', async () => {
		await killed();
		expect(await recall({}, { isRetry: true })).toBe('first');
		expect(await recall({}, { isRetry: true })).toBe('first');
		expect(await recall({ emission: 'run-2' })).toBe('copy');
	});

	test('the first gives way to a copy that came before it was run again', async () => {
		await killed();
		expect(await recall({ emission: 'run-2' })).toBe('first');
		expect(await recall({}, { isRetry: true })).toBe('copy');
		expect(await recall({ emission: 'run-2' }, { isRetry: true })).toBe('first');
		expect(await recall({ emission: 'run-3' })).toBe('copy');
	});

	describe('with a foreign signature', () => {
		const foreign = { id: 'b', emission: 'run-2' };
		const genuine = { id: 'b', fingerprints: ['sig-2'], emission: 'run-3' };

		beforeEach(async () => {
			await recall();
			await killed(foreign);
		});

		test('the genuine delivery of that id is the first', async () => {
			expect(await recall(genuine)).toBe('first');
			expect(await recall({ ...genuine, emission: 'run-4' })).toBe('copy');
		});

		test('it is refused when it comes once more', async () => {
			expect(await recall({ ...foreign, emission: 'run-4' })).toBe('foreignSignature');
			expect(await recall(genuine)).toBe('first');
		});

		test('it is refused when it is run again, and continues the second time', async () => {
			expect(await recall(foreign, { isRetry: true })).toBe('foreignSignature');
			expect(await recall(foreign, { isRetry: true })).toBe('first');
		});

		test('a genuine delivery does not count as its owner', async () => {
			await recall({ ...foreign, emission: 'run-4' });
			// The signature still belongs to the first id.
			expect(await recall({ emission: 'run-5' })).toBe('copy');
		});
	});

	test('the first and a copy: one of them continues, whichever is run again first', async () => {
		await killed();
		await killed({ emission: 'run-2' });
		expect(await recall({ emission: 'run-2' }, { isRetry: true })).toBe('first');
		expect(await recall({}, { isRetry: true })).toBe('copy');
		expect(await recall({ emission: 'run-2' }, { isRetry: true })).toBe('first');
	});
});

describe('cost', () => {
	test('two calls where no other process writes, three where one may', async () => {
		expect(await recall({}, { isShared: false })).toBe('first');
		expect(store.calls).toBe(2);
		expect(await recall({ id: 'b', fingerprints: ['sig-2'] })).toBe('first');
		expect(store.calls).toBe(5);
	});

	test('two calls for a copy where no other process writes', async () => {
		await recall({}, { isShared: false });
		store.calls = 0;
		expect(await recall({ emission: 'run-2' }, { isShared: false })).toBe('copy');
		expect(store.calls).toBe(2);
	});
});

describe('memory', () => {
	/** A separate delivery. */
	const numbered = (number: number, emission = `${number}`) => ({
		id: `id-${number}`,
		contents: [`payment ${number}`, `txId ${number}`],
		fingerprints: [`s-${number}-${emission}`],
		emission,
	});

	test('holds 4,000 deliveries for as long as no more come', async () => {
		await recall(numbered(0), { isShared: false });
		// Recording each of the others would show nothing more: the store drops by number alone.
		const between = 3_980 * store.entries.length;
		store.entries.push(...Array.from({ length: between }, (_, index) => `between ${index}`));
		for (let number = 3_981; number < 4_000; number += 1) {
			await recall(numbered(number), { isShared: false, now: NOW + number * KEEP_MS });
		}
		const now = NOW + 4_000 * KEEP_MS;
		expect(await recall(numbered(0, 'copy'), { isShared: false, now })).toBe('copy');
		expect(store.entries.length).toBeLessThan(29_020);
	});

	test('holds what came within two windows, however many', async () => {
		// More entries than the row holds otherwise, and the last one within the time.
		store.entries = Array.from({ length: 40_000 }, (_, index) => `old ${index}`);
		await recall(numbered(1), { isShared: false });
		for (let number = 2; number < 12; number += 1) {
			const fingerprints = Array.from({ length: 3_000 }, (_, index) => `s-${number}-${index}`);
			const many = { ...numbered(number), fingerprints };
			await recall(many, { isShared: false, now: NOW + 50_000 * number });
		}
		const later = { isShared: false, now: NOW + KEEP_MS };
		expect(await recall(numbered(1, 'copy'), later)).toBe('copy');
		// What is older gives way.
		expect(store.entries.includes('old 0')).toBe(false);
	});

	test('lets go of a flood when it is over', async () => {
		const fingerprints = Array.from({ length: 40_000 }, (_, index) => `s-${index}`);
		await recall({ ...numbered(1), fingerprints }, { isShared: false });
		expect(store.entries.length).toBeGreaterThan(40_000);
		for (const spans of [1, 2, 3]) {
			await recall(numbered(1 + spans), { isShared: false, now: NOW + spans * KEEP_MS });
		}
		expect(store.entries.length).toBeLessThan(29_030);
	});
});
