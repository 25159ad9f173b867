/** What a user reads of a run, and whether the books agree with it (test/model/invariants.ts). */
import { NOT_SHOWN } from '../../../nodes/BrlPayments/payouts/texts';
import type { Execution, JsonRow } from '../support/execution';
import type { Booked, Lost } from './service';

/** What a run said, in the words of the model. */
export interface Said {
	readonly run: string;
	readonly order: number;
	/** `inDoubt` is everything that promises nothing. */
	readonly say: 'paid' | 'recorded' | 'mismatch' | 'elsewhere' | 'failed' | 'noEffect' | 'inDoubt';
	/** As the script calls it. */
	readonly id?: string | undefined;
	readonly isNew?: boolean;
	/** The message of the error. */
	readonly message?: string;
}

/** How it was when the run decided what to say. */
export interface Moment {
	readonly books: readonly Booked[];
	readonly underWay: readonly Lost[];
	/** When the run wrote its `sending`, if it did. */
	readonly claimedAt: number | undefined;
	readonly content: string;
	/** A person has said that the order was paid by these. */
	readonly words: readonly string[];
	readonly wasUsedElsewhere: boolean;
}

export interface Told {
	readonly said: Said;
	readonly moment: Moment;
}

interface ItemError {
	readonly code: string;
	readonly message: string;
	readonly effect: string;
	readonly withdrawalIds?: readonly string[];
}

/** @param nameOf what the script calls a withdrawal */
export function readSaid(
	run: string,
	order: number,
	execution: Execution,
	nameOf: (id: string) => string | undefined,
): Said {
	const item: JsonRow | undefined = execution.json[0];
	if (item === undefined) throw new TypeError(`${run} put nothing out`);
	const error = item.error as ItemError | undefined;
	const said = { run, order };
	if (error === undefined) {
		const id = nameOf(item.id as string) ?? (item.id as string);
		const say = execution.hints.includes(NOT_SHOWN) ? 'recorded' : 'paid';
		return { ...said, say, id, isNew: item.alreadyPaid === false };
	}
	const { code, message, effect, withdrawalIds = [] } = error;
	const [first] = withdrawalIds;
	const id = first === undefined ? undefined : (nameOf(first) ?? first);
	const failed = { ...said, id, message };
	if (code === 'WITHDRAWAL_CLAIMED_TWICE') return { ...failed, say: 'inDoubt' };
	if (code === 'REFERENCE_MISMATCH') {
		return { ...failed, say: id === undefined ? 'elsewhere' : 'mismatch' };
	}
	if (code === 'WITHDRAWAL_NOT_PAID') return { ...failed, say: 'failed' };
	return { ...failed, say: effect === 'none' ? 'noEffect' : 'inDoubt' };
}

/** I1, and I2 of all that was said, in this order. @param books as they are in the end */
export function findViolations(books: readonly Booked[], told: readonly Told[]): string[] {
	return [
		...findPaidTwice(books),
		...told.flatMap((one, index) => findLie(one, told.slice(0, index), books) ?? []),
	];
}

function findPaidTwice(books: readonly Booked[]): string[] {
	const orders = [...new Set(books.flatMap(({ order }) => order ?? []))];
	return orders.flatMap((order) => {
		const living = livingOf(books, order).map(({ name }) => name);
		return living.length < 2 ? [] : [`I1: order ${order + 1} is paid by ${living.join(' and ')}`];
	});
}

function livingOf(books: readonly Booked[], order: number): Booked[] {
	return books.filter((one) => one.order === order && one.isLiving);
}

function findLie(
	{ said, moment }: Told,
	before: readonly Told[],
	books: readonly Booked[],
): string | undefined {
	const { run, order, say, id, isNew } = said;
	const lie = (what: string) => `I2: ${run} ${what}`;
	const named = moment.books.find(({ name }) => name === id);
	if (id !== undefined && say !== 'inDoubt' && named?.order !== order) {
		// A person was mistaken: nobody can know, until the service names it for another order.
		if (!moment.words.includes(id)) return lie(`names ${id}, which is not of this order`);
		const last = before.findLast((one) => one.said.id === id && one.said.say === 'paid');
		return last === undefined || last.said.order === order
			? undefined
			: lie(`calls a second order paid by ${id}`);
	}
	switch (say) {
		case 'paid': {
			if (named?.content !== moment.content)
				return lie(`calls ${id} paid, which has other content`);
			const last = before.findLast((one) => one.said.id === id && one.said.say === 'paid');
			if (last !== undefined && last.said.order !== order) {
				return lie(`calls a second order paid by ${id}`);
			}
			if (isNew !== true)
				return named.isLiving ? undefined : lie(`calls ${id} paid, which has failed`);
			if (moment.claimedAt === undefined || named.at < moment.claimedAt) {
				return lie(`calls ${id} new, which was made before`);
			}
			const isSecond = before.some((one) => one.said.id === id && one.said.isNew);
			return isSecond ? lie(`calls ${id} new, as another run does`) : undefined;
		}
		case 'mismatch':
			return named?.content === moment.content
				? lie(`calls ${id} another payout, which has the same content`)
				: undefined;
		case 'failed':
			return named?.isLiving ? lie(`calls ${id} failed, which is living`) : undefined;
		case 'elsewhere':
			if (!moment.wasUsedElsewhere) return lie('blames another tool');
			return findEffect(order, moment, books);
		case 'noEffect':
			return findEffect(order, moment, books);
		case 'recorded':
		case 'inDoubt':
			return undefined;
	}
	function findEffect(of: number, then: Moment, now: readonly Booked[]): string | undefined {
		const [living] = livingOf(then.books, of);
		if (living) return lie(`says that it had no effect, and ${living.name} was made`);
		const keys = then.underWay.filter((one) => one.order === of).map((one) => one.sent);
		const late = livingOf(now, of).find(({ key }) =>
			keys.some((sent) => sent.idempotencyKey === key),
		);
		return (
			late &&
			lie(`says that it had no effect, and ${late.name} was made later, by what was under way`)
		);
	}
}
