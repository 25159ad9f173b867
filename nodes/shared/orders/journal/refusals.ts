import { getEntries, createTopic, type Inquiry } from './facts';
import { toBucket, bucketsOfLife, toDay, daysOfLife } from './keyLife';

/** A key of an order: how many keys came before it, and the fingerprint of the API key it was sent with. */
export interface UsedKey {
	readonly order: string;
	readonly account: string;
	readonly generation: number;
}

/** A question about a key, for what is to be sent under it now. */
export interface KeyUse extends UsedKey {
	/** Fingerprint of what is to be paid, as in `JournalQuery`. */
	readonly content: string;
}

/** That the service keeps a refusal under a key, of this content. */
export interface Refusal extends KeyUse {
	/** Centavos that it was for, where an earlier response was lost, so that they may have been paid. */
	readonly doubtfulCents?: number;
}

/** What is known of the refusals under a key. */
export interface UsedUp {
	/**
	 * Whether the service keeps, or may keep, a refusal of other content under it, for this API key or
	 * another of its group.
	 */
	readonly isRefused: boolean;
	/** Whether an earlier response under it was lost, so that something may have been paid. */
	readonly isDoubtful: boolean;
	/** This content was refused under it as well, so nothing shows what the key holds. */
	readonly isContradictory?: true;
}

/** `suspected`: the service has refused once, and was not asked again whether it keeps that. */
type RefusalKind = 'refused' | 'suspected';

const fact = {
	/**
	 * In this bucket of time, the service keeps a refusal under the key of this generation, or may keep
	 * one. Later the key is free, for another workflow too.
	 * @param sender group of the API key that it was sent with, or else the API key
	 */
	kept: (kind: RefusalKind, { order, generation }: UsedKey, sender: string, bucket: number) =>
		`${kind} ${order} ${generation} ${sender} ${bucket}`,
	/**
	 * On this day the key may be one whose refusal was noted before: another note does not extend its
	 * life.
	 */
	noted: (kind: RefusalKind, { order, generation }: UsedKey, sender: string, day: number) =>
		`${kind} noted ${order} ${generation} ${sender} ${day}`,
	/**
	 * In this bucket of time, this content was refused under the key. So what the key holds, if the
	 * service finds that it differs, is no refusal of other content: something refused this one before
	 * the service looked at the key.
	 */
	answered: ({ order, generation, content }: KeyUse, bucket: number) =>
		`answered ${order} ${generation} ${content} ${bucket}`,
	/** Under the key, after a lost response: something, and this amount, may have been paid. */
	doubtful: ({ order, generation }: UsedKey) => `doubtful ${order} ${generation}`,
	doubtfulCents: ({ order, generation }: UsedKey, cents: number) =>
		`doubtful ${order} ${generation} ${cents}`,
};

/**
 * Notes refusals. One that comes again does not make the key younger: what was stated of its life
 * stays.
 * @param refusals each with the group of the API key that it came for, or else the API key
 * @param now epoch ms
 * @returns for each, in order, whether it was known before; what is not certain counts as known
 */
export async function noteRefusals(
	inquiry: Inquiry,
	kind: RefusalKind,
	refusals: ReadonlyArray<Refusal & { readonly sender: string }>,
	now: number,
): Promise<boolean[]> {
	const today = (each: Refusal & { readonly sender: string }) =>
		fact.noted(kind, each, each.sender, toDay(now));
	const { answers } = await inquiry.ask(refusals.map((each) => createTopic(today(each))));
	const isKnown = refusals.map((each) => answers.get(today(each)) !== false);
	const fresh = refusals.filter((_each, index) => isKnown[index] === false);
	const kept = fresh.flatMap((each) =>
		bucketsOfLife(now).map((bucket) => fact.kept(kind, each, each.sender, bucket)),
	);
	const noted = fresh.flatMap((each) =>
		daysOfLife(now).map((day) => fact.noted(kind, each, each.sender, day)),
	);
	const doubtful = refusals.flatMap((each) => [
		...(kind === 'refused' && each.doubtfulCents !== undefined ? [fact.doubtful(each)] : []),
		...(each.doubtfulCents === undefined ? [] : [fact.doubtfulCents(each, each.doubtfulCents)]),
	]);
	const answered = refusals.flatMap((each) =>
		bucketsOfLife(now).map((bucket) => fact.answered(each, bucket)),
	);
	// One copy: an interrupted question makes the refusal count as unknown.
	const entries = [
		...getEntries([...kept, ...answered], 1),
		...getEntries([...noted, ...doubtful]),
	];
	inquiry.keep(entries);
	await inquiry.record(entries);
	return isKnown;
}

/**
 * What is known of the refusals of other content under a key.
 * @param mine the API key in use, and its groups
 * @param now epoch ms
 */
export async function findRefusals(
	inquiry: Inquiry,
	key: KeyUse,
	mine: readonly string[],
	now: number,
): Promise<UsedUp> {
	const kept = (kind: RefusalKind) =>
		mine.map((sender) => fact.kept(kind, key, sender, toBucket(now)));
	const [refused, suspected] = [kept('refused'), kept('suspected')];
	const answered = fact.answered(key, toBucket(now));
	const { answers } = await inquiry.ask(
		[...refused, ...suspected, answered, fact.doubtful(key)].map((name) => createTopic(name)),
	);
	if (answers.get(answered) !== false) {
		return { isRefused: false, isDoubtful: true, isContradictory: true };
	}
	const isTrue = (name: string) => answers.get(name) === true;
	if (!refused.some(isTrue)) return { isRefused: suspected.some(isTrue), isDoubtful: true };
	return { isRefused: true, isDoubtful: answers.get(fact.doubtful(key)) !== false };
}

/**
 * Whether one of these amounts may have been paid under a key that holds a refusal now.
 * @param amounts centavos
 */
export async function mayHavePaid(
	inquiry: Inquiry,
	key: UsedKey,
	amounts: readonly number[],
): Promise<boolean> {
	const names = amounts.map((cents) => fact.doubtfulCents(key, cents));
	const { answers } = await inquiry.ask(names.map((name) => createTopic(name)));
	return names.some((name) => answers.get(name) !== false);
}
