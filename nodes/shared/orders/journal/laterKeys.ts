import { createTopic, getAllEntries, getEntries, type Inquiry } from './facts';
import { bucketsOfLife, toBucket } from './keyLife';

/** The later key of an order that a run has moved on to. */
export interface LaterKey {
	readonly order: string;
	/** How many keys came before it. */
	readonly generation: number;
}

/** What is known of the keys of an order. */
export interface LastKey {
	/** Of the last key that a run has moved on to. */
	readonly generation: number;
	/** False where interrupted questions have destroyed what was known of the key after it. */
	readonly isCertain: boolean;
}

/** Of an order that no run has moved on. */
export const FIRST_KEY: LastKey = { generation: 0, isCertain: true };

const fact = {
	/** In this bucket of time, the service may know what was sent under the key of this generation. */
	used: ({ order, generation }: LaterKey, bucket: number) =>
		`used ${order} ${generation} ${bucket}`,
	/** The same of any order: that spares the question about each of a thousand orders. */
	usedByAny: (bucket: number) => `used ${bucket}`,
};

const facts = (key: LaterKey, now: number) =>
	bucketsOfLife(now).map((bucket) => fact.used(key, bucket));

/**
 * Notes that orders move on to later keys. For a day: until then the service recognizes what was sent
 * under them, and afterwards only the list of withdrawals shows it.
 * @param now epoch ms
 */
export async function noteLaterKeys(
	inquiry: Inquiry,
	keys: readonly LaterKey[],
	now: number,
): Promise<void> {
	const ofAny = bucketsOfLife(now).map(fact.usedByAny);
	const entries = getEntries([...ofAny, ...keys.flatMap((key) => facts(key, now))]);
	inquiry.keep(entries);
	await inquiry.record(entries);
}

/**
 * The last key that each order has moved on to. One call of the store where none has, otherwise one more
 * for each key that one of them has.
 * @param now epoch ms
 */
export async function findLastKeys(
	inquiry: Inquiry,
	orders: readonly string[],
	now: number,
): Promise<ReadonlyMap<string, LastKey>> {
	const found = new Map(orders.map((order): [string, LastKey] => [order, FIRST_KEY]));
	const ofAny = fact.usedByAny(toBucket(now));
	const { answers: any } = await inquiry.ask([createTopic(ofAny)]);
	if (any.get(ofAny) === false) return found;
	let open = orders.map((order): LaterKey => ({ order, generation: 1 }));
	while (open.length > 0) {
		const used = (key: LaterKey) => fact.used(key, toBucket(now));
		const { answers } = await inquiry.ask(open.map((key) => createTopic(used(key))));
		for (const key of open) {
			const isCertain = answers.has(used(key));
			found.set(key.order, { generation: key.generation - 1, isCertain });
		}
		open = open
			.filter((key) => answers.get(used(key)) === true)
			.map(({ order, generation }) => ({ order, generation: generation + 1 }));
	}
	return found;
}

/** All that can be recorded of the later keys of an order, up to this one. @param now epoch ms */
export function listLaterKeyEntries({ order, generation }: LaterKey, now: number): string[] {
	const keys = Array.from({ length: generation }, (_, index) => ({ order, generation: index + 1 }));
	return keys.flatMap((key) => facts(key, now).flatMap((name) => getAllEntries(createTopic(name))));
}
