import { BoundedMap } from '../../concurrency/boundedMap';
import { getEntries, type Inquiry, type Topic } from './facts';

/**
 * API keys that are known to see one account form a group. What was sent with one of them can be
 * looked up with every other one. A key joins a group once it has shown a withdrawal of the group:
 * one that was made with a key of the group, or that the founding key could see before it sent
 * anything. Nothing else proves membership.
 *
 * The store cannot list what is in it, so groups take their names from a small set, one set for
 * test keys and one for live keys: what was paid with a test key is never shown to a live one.
 */
export type AccountGroup = string;

/** Far more than one node is used with. Keys beyond it belong to no group, and prove nothing. */
const MAX_GROUPS = 32;

/** How many withdrawals identify a new group until its key has made some. */
export const WITNESSES = 5;

/** How many withdrawals of a key are read to find out which group it belongs to. */
export const SHOWN_WITHDRAWALS = 300;

const getEnvironment = (isLive: boolean) => (isLive ? 'live' : 'test');
const getGroups = (isLive: boolean): AccountGroup[] =>
	Array.from({ length: MAX_GROUPS }, (_, number) => `${getEnvironment(isLive)}-${number}`);

const fact = {
	founded: (group: AccountGroup) => `group ${group}`,
	member: (account: string, group: AccountGroup) => `member ${account} ${group}`,
	sentBy: (order: string, group: AccountGroup) => `sentBy ${order} ${group}`,
	shows: (id: string, group: AccountGroup) => `made ${id} ${group}`,
};

const topic = {
	founded: (isLive: boolean): Topic => ({
		name: `groups ${getEnvironment(isLive)}`,
		facts: getGroups(isLive).map(fact.founded),
	}),
	memberships: (account: string, isLive: boolean): Topic => ({
		name: `memberships ${account}`,
		facts: getGroups(isLive).map((group) => fact.member(account, group)),
	}),
	sender: (order: string, isLive: boolean): Topic => ({
		name: `sender ${order}`,
		facts: getGroups(isLive).map((group) => fact.sentBy(order, group)),
	}),
	shows: (id: string, group: AccountGroup): Topic => ({
		name: fact.shows(id, group),
		facts: [fact.shows(id, group)],
	}),
};

/** That an order was first sent with a key of the group. One copy: without it the order stays in doubt. */
export const senderEntries = (order: string, group: AccountGroup | undefined): string[] =>
	group === undefined ? [] : getEntries([fact.sentBy(order, group)], 1);

/** That the keys of a group show a withdrawal. One copy, likewise. */
export const witnessEntries = (id: string, group: AccountGroup | undefined): string[] =>
	group === undefined ? [] : getEntries([fact.shows(id, group)], 1);

/** How one API key relates to the groups of a journal. */
export interface Memberships {
	readonly mine: readonly AccountGroup[];
	/** Groups that it may yet turn out to belong to. */
	readonly others: readonly AccountGroup[];
}

/** @returns undefined where interrupted questions have destroyed it */
export async function findMemberships(
	inquiry: Inquiry,
	account: string,
	isLive: boolean,
): Promise<Memberships | undefined> {
	const { answers } = await inquiry.ask([
		topic.founded(isLive),
		topic.memberships(account, isLive),
	]);
	if (answers.size < 2 * MAX_GROUPS) return undefined;
	const groups = getGroups(isLive);
	const mine = groups.filter((group) => answers.get(fact.member(account, group)) === true);
	return {
		mine,
		others: groups.filter(
			(group) => answers.get(fact.founded(group)) === true && !mine.includes(group),
		),
	};
}

/**
 * Lets a key join the groups of which it shows a withdrawal.
 * @param ids of withdrawals that the key can see
 * @returns the groups that it has joined
 */
export async function joinGroups(
	inquiry: Inquiry,
	account: string,
	groups: readonly AccountGroup[],
	ids: readonly string[],
): Promise<AccountGroup[]> {
	const { answers } = await inquiry.ask(
		groups.flatMap((group) => ids.map((id) => topic.shows(id, group))),
	);
	const joined = groups.filter((group) =>
		ids.some((id) => answers.get(fact.shows(id, group)) === true),
	);
	const entries = getEntries(joined.map((group) => fact.member(account, group)));
	inquiry.keep(entries);
	if (entries.length > 0) await inquiry.record(entries);
	return joined;
}

/**
 * Makes a key the first of a new group. Which of the free names it takes follows from the key, so
 * that two processes that start with two keys at the same time hardly ever take the same one.
 * @param taken the groups that there are
 * @param ids of withdrawals that the key can see, newest first
 * @returns undefined where there are too many
 */
export async function foundGroup(
	inquiry: Inquiry,
	account: string,
	isLive: boolean,
	taken: readonly AccountGroup[],
	ids: readonly string[],
): Promise<AccountGroup | undefined> {
	const groups = getGroups(isLive);
	const start = [...account].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % MAX_GROUPS, 0);
	const inOrder = [...groups.slice(start), ...groups.slice(0, start)];
	const group = inOrder.find((candidate) => !taken.includes(candidate));
	if (group === undefined) return undefined;
	const entries = [
		...getEntries([fact.founded(group), fact.member(account, group)]),
		...ids.slice(0, WITNESSES).flatMap((id) => witnessEntries(id, group)),
	];
	inquiry.keep(entries);
	await inquiry.record(entries);
	return group;
}

/**
 * The group whose key has first sent an order.
 * @returns undefined where that was not stored, or was destroyed by an interrupted question
 */
export async function findSender(
	inquiry: Inquiry,
	order: string,
	isLive: boolean,
): Promise<AccountGroup | undefined> {
	const { answers } = await inquiry.ask([topic.sender(order, isLive)]);
	const found = getGroups(isLive).filter(
		(group) => answers.get(fact.sentBy(order, group)) === true,
	);
	return found.length === 1 ? found[0] : undefined;
}

/** What one process knows of API keys, by journal and key: it saves asking the store. */
export class KnownKeys {
	private readonly groups = new BoundedMap<string, readonly AccountGroup[]>(10_000);
	private readonly provable = new BoundedMap<string, true>(10_000);

	/** Forgets everything, as a restart does. */
	clear(): void {
		this.groups.clear();
		this.provable.clear();
	}

	/** Undefined for a key that this process has not met. */
	getGroups(journal: string, account: string): readonly AccountGroup[] | undefined {
		return this.groups.get(`${journal} ${account}`);
	}

	learn(journal: string, account: string, groups: readonly AccountGroup[]): void {
		this.groups.set(`${journal} ${account}`, groups);
	}

	/**
	 * To be called when a withdrawal was made with a key. True the first time: the withdrawal is to
	 * be recorded at once, so that another key can join, even if n8n is killed before the run ends.
	 */
	needsProof(journal: string, account: string): boolean {
		const name = `${journal} ${account}`;
		if (this.provable.has(name)) return false;
		this.provable.set(name, true);
		return true;
	}
}
