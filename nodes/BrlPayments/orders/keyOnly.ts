/**
 * What has no name: refunds, products, charges without an External ID or with a key of the user's own. It is
 * sent under one key in all attempts of the execution, and the service recognizes that key for 24 hours.
 */
import type { IDataObject } from 'n8n-workflow';
import type { KeyedRequest } from '../../shared/client/keyed';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import type { Effect } from '../../shared/retry/errors';
import type { Outcome } from '../../shared/transport/outcome';
import { fingerprint, hash } from '../../shared/text/fingerprint';
import { toBrasiliaTime } from '../../shared/text/time';
import { InputError } from '../../shared/input/inputError';
import { idOfAnswer } from '../../shared/input/uuid';
import type { ItemResult, OrderRequest } from '../orderRequest';
import type { ItemCall } from '../item';
import type { ExecutionFacts } from './execution';
import { canonical, ownData, readOrder } from './names';
import { KEY_LIFE_MS } from './protocol';
import { HOW_TO_COME_BACK } from './texts';

/** The bound of the API (docs/api.md#idempotency), in characters. */
const MAX_KEY_LENGTH = 100;

const OWN_KEY_REMEDY =
	'Use an expression that differs per item, such as an order number. To repeat one item under its key, send only that item.';

/**
 * Checks a key that the user chose.
 * @throws InputError when a header can't carry it or it is longer than the API allows
 */
export function checkOwnKey(key: string): string {
	if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
		throw new InputError(
			key.length > MAX_KEY_LENGTH
				? `The idempotency key has ${key.length} characters, and at most ${MAX_KEY_LENGTH} are allowed`
				: 'The idempotency key has spaces or characters that a header cannot contain',
			'Use only letters without accents, digits, "-" and "_", or leave it empty for an automatic key.',
		);
	}
	return key;
}

/** Gives the items of one run their keys, in item order. */
export class KeyOnly {
	/** The item that has each key of the user's own. */
	private readonly owners = new Map<string, number>();

	/**
	 * @param counts how often earlier runs of this execution, in other rounds and nodes, have asked for each content:
	 * otherwise rounds of a loop that look alike would return one charge for several customers
	 * @param openElsewhere contents of which such a run got no answer
	 * @param isLive whether the API key is a live one
	 */
	constructor(
		private readonly facts: ExecutionFacts,
		private readonly counts: Map<string, number>,
		private readonly openElsewhere: ReadonlySet<string>,
		private readonly operation: string,
		private readonly isLive: boolean,
	) {}

	/** @throws InputError for an own key that is unusable, or that an earlier item has; ApiFailure, see {@link openElsewhere} */
	assign(call: ItemCall, request: OrderRequest, ownKey: string): KeyOnlyRequest {
		const { facts } = this;
		if (ownKey !== '') {
			const other = this.owners.get(checkOwnKey(ownKey));
			if (other !== undefined) {
				throw new InputError(
					`Rows ${other + 1} and ${call.itemIndex + 1} have the same idempotency key, so only one of them would take effect`,
					OWN_KEY_REMEDY,
				);
			}
			this.owners.set(ownKey, call.itemIndex);
			return new KeyOnlyRequest(ownKey, undefined, false, false);
		}
		const root = facts.rootOf(call.itemIndex);
		const { isAgentTool } = facts;
		// Only what an agent asks for tells its calls apart: whom it charges, or the description.
		const data = isAgentTool ? request.body : ownData(root, call.inputJson ?? {}, isAgentTool);
		const scope = [root?.name ?? [facts.origin, facts.executionId], this.operation, this.isLive];
		const content = fingerprint([scope, canonical(request.identity), canonical(data)]);
		const nth = isAgentTool ? 0 : (this.counts.get(content) ?? 0);
		if (!isAgentTool) this.counts.set(content, nth + 1);
		const came = readOrder(call.inputJson, isAutomaticKey);
		const isBack = came?.content === content;
		// It may be the item that got no answer, and not another one.
		if (!isBack && !isAgentTool && this.openElsewhere.has(content)) throw openElsewhere();
		const name = isBack ? came.name : `n8n-${hash([content, nth])}`;
		const isRetry = facts.mode === 'retry';
		const bornAt = root?.bornAt;
		return new KeyOnlyRequest(
			name,
			// An event that a person runs again from the editor may be days old.
			isRetry || (root?.isEvent && this.isLive) ? (bornAt ?? -Infinity) : undefined,
			call.option('allowRetryAfter24Hours'),
			isRetry,
			content,
			isAgentTool ? ASK_AGAIN : undefined,
		);
	}
}

/** Its execution succeeds, so n8n offers no retry. */
const ASK_AGAIN =
	'Look it up before you ask the agent for it again: in another chat message, it would be sent once more.';

const isAutomaticKey = (name: string): boolean => /^n8n-[\w-]{43}$/.test(name);

export class KeyOnlyRequest implements KeyedRequest {
	readonly reference = undefined;
	readonly again: string | undefined;
	firstUsedAt: number | undefined;
	isUnclear = false;
	private generation = 0;

	/** @param mayBeUsedAt when an earlier attempt may have used the key, epoch ms; undefined if none can have */
	constructor(
		private readonly first: string,
		private readonly mayBeUsedAt: number | undefined,
		private readonly allowLate: boolean,
		readonly isRetry: boolean,
		/** What it asks for; undefined under a key of the user's own. */
		readonly content?: string,
		again?: string,
	) {
		this.again = again;
	}

	get hasOwnKey(): boolean {
		return this.content === undefined;
	}

	/** A later execution starts over from the user's own key: if the service had forgotten the refusal, it would pay twice. */
	get hasNextKey(): boolean {
		return !this.hasOwnKey;
	}

	/** By which the item is recognized when it comes back; undefined for a key of the user's own. */
	get order(): Failure['order'] {
		return this.content === undefined ? undefined : { name: this.first, content: this.content };
	}

	/** Derived, not random, so that whoever starts over finds the later keys again. */
	get key(): string {
		return this.generation === 0 ? this.first : `n8n-${hash([this.first, this.generation])}`;
	}

	get retrySafeUntil(): number | undefined {
		const usedAt = this.mayBeUsedAt ?? this.firstUsedAt;
		const isKnown = usedAt !== undefined && usedAt !== -Infinity && !this.hasOwnKey;
		return isKnown ? usedAt + KEY_LIFE_MS : undefined;
	}

	beforeAttempt(now: number): void {
		const usedAt = this.mayBeUsedAt ?? this.firstUsedAt ?? now;
		if (!this.allowLate && now - usedAt >= KEY_LIFE_MS) throw tooOld(usedAt);
		this.firstUsedAt ??= now;
	}

	recordSuccess(): void {
		this.isUnclear = false;
	}

	/** A refusal after a lost response says nothing about the attempt whose response was lost. */
	recordOutcome(_outcome: Outcome, effect: Effect): void {
		this.isUnclear ||= effect === 'unknown';
	}

	useNextKey(): void {
		this.generation += 1;
	}

	recordUsedUp(): void {
		this.isUnclear = false;
	}
}

/** Nobody could tell this attempt from another order. */
const inDoubt = (message: string, description: string): ApiFailure =>
	new ApiFailure({ code: 'IN_DOUBT', message, description, effect: 'unknown' });

function openElsewhere(): ApiFailure {
	return inDoubt(
		'An equal item got no answer earlier in this execution, and this may be the same one',
		`This item was not sent. Look up whether the other one took effect. If this is another one, or it did not, run this item in a new execution. ${HOW_TO_COME_BACK}`,
	);
}

/** To the service it would be a new request. */
function tooOld(usedAt: number): ApiFailure {
	const began =
		usedAt === -Infinity
			? 'This is a retried execution, and it is not known when it began'
			: `This execution began on ${toBrasiliaTime(usedAt, 'down')}`;
	return inDoubt(
		`${began}, and the server recognizes a repetition for 24 hours only`,
		"Nothing was sent. Check whether it already took effect (Get Many, with the date of the first attempt). If it did not, run a new execution with only the items that remain. Only if nothing of this node took effect, you may also turn on 'Options > Allow Retry After 24 Hours' and retry again: that sends all its items.",
	);
}

/** @throws ApiFailure, InputError */
export async function settleByKey(
	call: ItemCall,
	request: OrderRequest,
	keyed: KeyOnlyRequest,
): Promise<ItemResult> {
	const body = await call.sendOrder(request, keyed);
	const { externalId } = request.body;
	// The service need not show it.
	const asked = externalId === undefined ? {} : { externalId };
	const id = idOfAnswer(body);
	if (!keyed.isRetry || request.current === undefined || id === undefined)
		return { json: { ...body, ...asked } };
	// The service may have stored the answer a day ago.
	const current = await request.current(id).catch((error: unknown) => {
		if (error instanceof ApiFailure) return {};
		throw error;
	});
	return { json: { ...body, ...(current as IDataObject), ...asked } };
}
