/** The payment service: what it does with a request, and what it remembers of a key. */
import type { Answer } from '../../nodes/BrlPayments/orders/protocol';
import { KEY_LIFE, type Bounds } from './bounds';
import {
	accountOf,
	addWithdrawal,
	idOf,
	spend,
	type KnownKey,
	type Request,
	type Result,
	type World,
} from './state';

function isKnown({ since }: KnownKey, now: number): boolean {
	return now - since < KEY_LIFE;
}

/** Whether a request can still bring a withdrawal into being. */
export function canStillPay(world: World, order: number): boolean {
	const { keys, requests, now } = world;
	const isFree = (request: Request) =>
		!keys.some((known) => known.key === request.key && isKnown(known, now));
	return requests.some((one) => one.order === order && isFree(one));
}

interface Executed {
	readonly world: World;
	readonly result: Result;
	readonly answer: Answer;
}

export class Service {
	constructor(private readonly bounds: Bounds) {}

	/** What may become of a request that has arrived. */
	execute(world: World, request: Request): Executed[] {
		const { now, left } = world;
		const { refuses, keepsErrors } = this.bounds;
		const early =
			refuses === 'early' && left.refusals > 0
				? [{ ...this.refused, world: spend(world, 'refusals') }]
				: [];
		const known = world.keys.find((one) => one.key === request.key && isKnown(one, now));
		if (known) return [...early, ...this.replay(world, known, request)];
		const existing = this.bounds.findsExisting ? findNewest(world, request) : -1;
		if (existing >= 0) return [...early, this.answerExisting(world, existing, request)];
		if (request.body === this.bounds.wrong) {
			return [{ ...this.refusal(request), world: this.keep(world, request, 'refused') }];
		}
		const mayRefuse = refuses !== 'early' && left.refusals > 0;
		if (keepsErrors && left.refusals > 0) {
			const spent = this.keep(spend(world, 'refusals'), request, 'error');
			return [{ ...this.broken, world: spent }, this.pay(world, request)];
		}
		return [
			...early,
			this.pay(world, request),
			...(mayRefuse ? [this.refuse(world, request)] : []),
		];
	}

	private replay(world: World, { body, result }: KnownKey, request: Request): Executed[] {
		if (body !== request.body) return [{ world, result: 'mismatch', answer: { kind: 'mismatch' } }];
		if (result === 'refused') return [{ ...this.refusal(request), world }];
		if (result === 'error') return [{ ...this.broken, world }];
		return this.answerPaid(world, result);
	}

	/** Of what has failed since, the service may answer with what it was at first, or is now. */
	private answerPaid(world: World, number: number): Executed[] {
		const id = idOf(number);
		const paid: Executed = { world, result: `paid ${id}`, answer: { kind: 'paid', id } };
		if (!world.withdrawals[number]?.isFailed) return [paid];
		return [paid, { world, result: `failed ${id}`, answer: { kind: 'failed', id } }];
	}

	/** It shows what it has made for the order before as it is now. */
	private answerExisting(world: World, number: number, request: Request): Executed {
		const [paid, failed] = this.answerPaid(this.keep(world, request, number), number);
		return (failed ?? paid) as Executed;
	}

	private pay(world: World, request: Request): Executed {
		const { order, content, apiKey, run } = request;
		const number = world.withdrawals.length;
		const paid = addWithdrawal(world, { order, content, account: accountOf(apiKey), run });
		const id = idOf(number);
		return {
			world: this.keep(paid, request, number),
			result: `paid ${id}`,
			answer: { kind: 'paid', id },
		};
	}

	private refuse(world: World, request: Request): Executed {
		const spent = spend(world, 'refusals');
		const isKept = this.bounds.refuses === 'kept';
		return { ...this.refused, world: isKept ? this.keep(spent, request, 'refused') : spent };
	}

	private get broken(): Pick<Executed, 'result' | 'answer'> {
		return { result: 'error', answer: { kind: 'unknown' } };
	}

	/** What is said of a request that is refused for what it asks. */
	private refusal({ body }: Request): Pick<Executed, 'result' | 'answer'> {
		if (body !== this.bounds.wrong) return this.refused;
		return { result: 'refused', answer: { kind: 'refused', needsNewKey: false } };
	}

	private get refused(): Pick<Executed, 'result' | 'answer'> {
		return { result: 'refused', answer: { kind: 'refused', needsNewKey: this.bounds.asksNewKey } };
	}

	keep(world: World, request: Request, result: KnownKey['result']): World {
		const { key, body, order } = request;
		const others = world.keys.filter((one) => one.key !== key);
		return { ...world, keys: [...others, { key, body, order, since: world.now, result }] };
	}
}

/** The number of what was made for the order of a request last; -1 if nothing was. */
function findNewest({ withdrawals }: World, { order, apiKey }: Request): number {
	return withdrawals.findLastIndex(
		(one) => one.order === order && one.account === accountOf(apiKey),
	);
}
