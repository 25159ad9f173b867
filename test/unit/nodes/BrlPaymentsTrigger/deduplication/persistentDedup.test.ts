import type { IExecuteFunctions } from 'n8n-workflow';
import { withDurableStore } from '../../../../../nodes/shared/n8n/durableStore';
import { openSeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	namesOfDelivery,
	remember,
	type DeliveryMark,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
import { NODE } from '../../../support/nodeContext';
import { freshNodeId } from '../support/webhookContext';

// What copies, retries and foreign signatures come to: test/engine/trigger/deliveries.test.ts.

type Store = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'getProcessedDataCount'
>;

/** n8n's helper: reads one row, returns what was in it, and writes it back with what was not. */
class FakeStore implements Store {
	calls = 0;
	/** What happens to a call: it throws, or what it writes is lost, or its result is. */
	readonly mishaps: Array<() => 'lose' | 'loseAnswer' | void> = [];

	constructor(public entries: string[] = []) {}

	checkProcessedAndRecord: Store['checkProcessedAndRecord'] = async (items) => {
		this.calls += 1;
		const mishap = this.mishaps.shift()?.();
		const before = new Set(this.entries);
		const [added, processed] = [false, true].map((isThere) =>
			items.filter((item) => before.has(String(item)) === isThere),
		) as [string[], string[]];
		if (mishap !== 'lose') this.entries.push(...added);
		if (mishap === 'loseAnswer') throw new Error('Connection lost');
		return { new: added, processed };
	};

	removeProcessed: Store['removeProcessed'] = async (items) => {
		this.entries = this.entries.filter((entry) => !items.includes(entry));
	};

	getProcessedDataCount: Store['getProcessedDataCount'] = async () => this.entries.length;
}

const fail = (message: string) => () => {
	throw new Error(message);
};
const always = <T>(mishap: T): T[] => Array.from({ length: 100 }, () => mishap);

let store: FakeStore;
let warnings: string[];
let node: string;

beforeEach(() => {
	store = new FakeStore();
	warnings = [];
	node = freshNodeId();
});

const recall = async (
	changed: Partial<DeliveryMark> = {},
	{ isShared = true, isRetry = false }: { isShared?: boolean; isRetry?: boolean } = {},
) => {
	const id = changed.id ?? 'a';
	const own = { id, key: id, contents: ['content'], fingerprints: ['sig-1'], emission: 'run-1' };
	return await withDurableStore(
		{
			helpers: store as unknown as IExecuteFunctions['helpers'],
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'workflow', active: true }),
		},
		async (access) =>
			await remember(
				openSeenEvents(access, node, 0, { keepMs: 600_000, isShared }, (message) => {
					warnings.push(message);
				}),
				namesOfDelivery({ ...own, ...changed }),
				isRetry,
			),
	);
};
const retry = { isRetry: true };
/** The next execution, of a copy. */
const copy = { emission: 'run-2' };
/** Another delivery with the signature of the first one, and the genuine one. */
const foreign = { id: 'b', emission: 'run-2' };
const genuine = { id: 'b', fingerprints: ['sig-2'], emission: 'run-3' };

test('a delivery is the first, its copy is one, and another delivery is the first', async () => {
	expect(await recall()).toBe('first');
	expect(await recall(copy)).toBe('copy');
	expect(await recall(genuine)).toBe('first');
	expect(warnings).toEqual([]);
});

test('a delivery that shows other IDs for a retry is a copy by the one in common', async () => {
	expect(await recall({ contents: ['payment', 'txId'] })).toBe('first');
	expect(await recall({ ...copy, contents: ['txId', 'external'] })).toBe('copy');
	expect(await recall({ ...genuine, id: 'a', contents: ['other'] })).toBe('first');
});

describe('a signature under another delivery id', () => {
	test('leaves nothing behind but that it was refused', async () => {
		await recall();
		const before = [...store.entries];
		const again = { ...foreign, key: 'b again 1', fingerprints: ['sig-2', 'sig-1'] };
		expect(await recall(again)).toBe('foreignSignature');
		expect(store.entries).toEqual([...before, 'refused b again 1 run-2']);
	});

	test('continues when a person runs it again, and then the id is known', async () => {
		await recall();
		expect(await recall(foreign)).toBe('foreignSignature');
		expect(await recall(foreign, retry)).toBe('first');
		expect(await recall(genuine)).toBe('copy');
		// Nor does that let in another one with the same signature.
		expect(await recall({ id: 'c', emission: 'run-4' }, retry)).toBe('foreignSignature');
	});

	test('stays a copy when it is run again after the genuine delivery has come', async () => {
		await recall();
		await recall(foreign);
		expect(await recall(genuine)).toBe('first');
		expect(await recall(foreign, retry)).toBe('copy');
	});

	test('is refused for each of several signatures, those of copies included', async () => {
		await recall({ fingerprints: ['sig-1', 'sig-2'] });
		await recall({ ...copy, fingerprints: ['sig-3'] });
		for (const fingerprints of [['sig-2'], ['sig-3'], ['sig-4', 'sig-1']]) {
			expect(await recall({ ...foreign, fingerprints })).toBe('foreignSignature');
		}
	});
});

describe('let through again', () => {
	test('once for each key, and the plain id stays known', async () => {
		await recall();
		for (const key of ['a again 1', 'a again 2']) {
			expect(await recall({ key, emission: `first ${key}` })).toBe('first');
			expect(await recall({ key, emission: `second ${key}` })).toBe('copy');
		}
		expect(await recall({ emission: 'run-5' })).toBe('copy');
	});

	test('an id that was never seen before is known afterwards without the wish', async () => {
		expect(await recall({ key: 'a again 1' })).toBe('first');
		expect(await recall(copy)).toBe('copy');
	});
});

describe('trouble with the store', () => {
	test('that throws once is tried again', async () => {
		store.mishaps.push(fail('UNIQUE constraint failed'));
		expect(await recall()).toBe('first');
		expect(await recall(copy)).toBe('copy');
		expect(warnings).toEqual([
			'The events that were seen could not be read or written (attempt 1): UNIQUE constraint failed',
		]);
	});

	test('that always throws does not lose the event, and is not called forever', async () => {
		const throwAnything = () => {
			throw 'gone' as unknown as Error;
		};
		store.mishaps.push(...always(throwAnything));
		expect(await recall()).toBe('first');
		expect(store.calls).toBe(5);
		expect(warnings).toHaveLength(5);
		expect(warnings.at(-1)).toMatch(/\(attempt 5\): unknown error$/);
	});

	test('whose write is lost to another process is written again', async () => {
		store.mishaps.push(() => 'lose');
		expect(await recall()).toBe('first');
		expect(await recall(copy)).toBe('copy');
	});

	test('whose writes are lost again and again is not called forever', async () => {
		store.mishaps.push(...always(() => 'lose' as const));
		expect(await recall()).toBe('first');
		expect(store.calls).toBe(6);
	});

	test('another process that writes the same delivery in between does not make it a copy', async () => {
		// Both read an empty row: the first result counts, or the event would be lost in both.
		store.mishaps.push(
			() => 'lose',
			() => void store.entries.push('id a', 'signature sig-1', 'run a run-2'),
		);
		expect(await recall()).toBe('first');
	});

	test('that loses its result does not let a copy through', async () => {
		await recall();
		store.mishaps.push(() => 'loseAnswer');
		expect(await recall(copy)).toBe('copy');
	});

	test('that cannot take back what a foreign signature left still refuses it', async () => {
		await recall();
		store.removeProcessed = async () => fail('locked')();
		expect(await recall(foreign)).toBe('foreignSignature');
		expect(warnings).toHaveLength(5);
	});
});

describe('killed after its first call', () => {
	/** As far as the store knows: nothing that comes after so many calls reaches it. */
	const killed = async (changed: Partial<DeliveryMark> = {}, calls = 1) => {
		store.mishaps.push(...Array.from({ length: calls }, () => () => undefined));
		store.mishaps.push(...always(fail('killed')));
		store.removeProcessed = async () => fail('killed')();
		await recall(changed);
		store = new FakeStore(store.entries);
	};

	test('a copy stays one when it is run again, however often', async () => {
		await recall();
		await killed(copy);
		expect(await recall(copy, retry)).toBe('copy');
		expect(await recall(copy, retry)).toBe('copy');
	});

	test('the first continues when it is run again, and a copy after that does not', async () => {
		await killed();
		expect(await recall({}, retry)).toBe('first');
		expect(await recall({}, retry)).toBe('first');
		expect(await recall(copy)).toBe('copy');
	});

	test('the first gives way to a copy that came before it was run again', async () => {
		await killed();
		expect(await recall(copy)).toBe('first');
		expect(await recall({}, retry)).toBe('copy');
		expect(await recall(copy, retry)).toBe('first');
		expect(await recall({ emission: 'run-3' })).toBe('copy');
	});

	test('the first and a copy: one of them continues, whichever is run again first', async () => {
		await killed();
		await killed(copy);
		expect(await recall(copy, retry)).toBe('first');
		expect(await recall({}, retry)).toBe('copy');
		expect(await recall(copy, retry)).toBe('first');
	});

	test('or after its second one, next to others: it continues when it is run again', async () => {
		await recall();
		await killed(genuine, 2);
		expect(await recall(genuine, retry)).toBe('first');
	});

	describe('with a foreign signature', () => {
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
			// The signature still belongs to the first id.
			expect(await recall({ emission: 'run-5' })).toBe('copy');
			expect(await recall(genuine)).toBe('first');
		});

		test('it is refused when it is run again, and continues the second time', async () => {
			expect(await recall(foreign, retry)).toBe('foreignSignature');
			expect(await recall(foreign, retry)).toBe('first');
		});
	});
});

test.each([
	['two calls where no other process writes', false, 2],
	['three calls where one may', true, 3],
])('costs %s', async (_, isShared, calls) => {
	expect(await recall({}, { isShared })).toBe('first');
	expect(store.calls).toBe(calls);
});
