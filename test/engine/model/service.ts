/** The emulated service as a script has it: what it answers, and what its withdrawals are called. */
import type { Withdrawal, RecordedRequest, Sandbox } from '../../../dev/sandbox';
import { deriveReferenceKey } from '../../../nodes/shared/orders/key';
import { TICK_MS, type Bounds, type Result, type Step, type Wish } from '../../model/world';
import { CPF } from '../support/values';

/** From here on, the engine goes another way than the script. */
export class Deviation extends Error {}

/** A withdrawal in the books, and what the script calls it. */
export interface Booked {
	readonly name: string;
	/** Undefined: somebody else's. */
	readonly order: number | undefined;
	readonly content: string;
	readonly isLiving: boolean;
	readonly at: number;
	/** The idempotency key that made it. */
	readonly key: string | null;
}

/** A request that nobody waits for any more. */
export interface Lost {
	readonly run: string;
	readonly order: number;
	readonly sent: RecordedRequest;
	readonly sentAt: number;
	readonly apiKey: string;
}

/** What a script calls an account, as an API key and where it is used. */
export interface Account {
	readonly sandbox: Sandbox;
	readonly apiKey: string;
}

type SendResult = Extract<Step, { do: 'send' }>['result'];

const WITHDRAWALS = '/v1/withdrawals';
/** A late request executes within this time, or never. */
const LATE_MS = TICK_MS;

export const referenceOf = (order: number): string => `NF-${order + 1}`;

/** The contents differ in their amounts. */
const centsOf = (content: string): number => 1_001 + 100 * Number(content.slice(1));

/** What an item asks for. The description says whose withdrawal it is: effects are told apart by it. */
export const itemOf = (order: number, { content, body }: Wish) => ({
	amount: centsOf(content) / 100,
	pixKey: CPF,
	invoice: referenceOf(order),
	description: `${referenceOf(order)} ${body}`,
});

export class Service {
	/** What was sent without an answer, and may execute late. */
	lost: Lost[] = [];
	/** What was answered with CONFLICT, and is not decided. */
	busy: Lost[] = [];
	private readonly names = new Map<string, string>();
	private readonly ignored: ReadonlySet<string>;
	private readonly sandboxes: readonly Sandbox[];

	constructor(
		private readonly accounts: ReadonlyMap<string, Account>,
		private readonly bounds: Pick<Bounds, 'refuses' | 'asksNewKey'>,
		private readonly now: () => number,
	) {
		this.sandboxes = [...new Set([...accounts.values()].map(({ sandbox }) => sandbox))];
		this.ignored = new Set(this.all().map(({ id }) => id));
	}

	account(apiKey: string): Account {
		const account = this.accounts.get(apiKey);
		if (account === undefined) throw new TypeError(`The script has no API key ${apiKey}`);
		return account;
	}

	/** All withdrawals since the script began. */
	get books(): Booked[] {
		return this.news().map((booked) => ({
			name: this.names.get(booked.id) ?? booked.id,
			order: orderOf(booked),
			content: `c${(booked.amountCents - 1_001) / 100}`,
			isLiving: booked.status !== 'FAILED' && booked.status !== 'CANCELLED',
			at: booked.createdAt,
			key: booked.idempotencyKey,
		}));
	}

	/** The ID of what a script calls `w0`. */
	idOf(name: string): string {
		for (const [id, known] of this.names) if (known === name) return id;
		throw new Deviation(`the books have no ${name}`);
	}

	/** What the script calls a withdrawal. */
	nameOf(id: string): string | undefined {
		return this.names.get(id);
	}

	/** Does something that makes the service answer so, and looks whether its books agree. */
	async expect<T>(result: SendResult, apiKey: string, what: () => Promise<T>): Promise<T> {
		const { sandbox } = this.account(apiKey);
		const requests = sandbox.requests.length;
		const made = this.news().length;
		const undo = this.prepare(result, sandbox);
		const done = await what().finally(undo);
		const arrived = sandbox.requests.slice(requests).filter(({ method }) => method === 'POST');
		if (arrived.length === 0 && result !== 'unsent') throw new Deviation('nothing was sent');
		this.checkMade(result, made);
		const status = arrived.at(-1)?.status;
		if (result === 'mismatch' && status !== 409) {
			throw new Deviation(`the service answered with status ${status}`);
		}
		return done;
	}

	/** The last request that arrived, which nobody waits for. */
	lastSent(run: string, order: number, apiKey: string): Lost {
		const { requests } = this.account(apiKey).sandbox;
		const sent = requests.findLast(({ method }) => method === 'POST');
		if (sent === undefined) throw new Deviation('nothing was sent');
		return { run, order, sent, sentAt: this.now(), apiKey };
	}

	/** A request that was lost arrives after all, or the service decides on one. */
	async deliver({ sent, apiKey }: Lost, result: Result): Promise<void> {
		await this.expect(result, apiKey, async () => await this.post(apiKey, sent));
	}

	/** What may still execute, and has not; what is under way for too long never arrives. */
	get underWay(): Lost[] {
		return [...this.lost.filter(({ sentAt }) => this.now() - sentAt <= LATE_MS), ...this.busy];
	}

	/** All that is under way arrives, whatever the service makes of it. */
	async deliverRest(): Promise<void> {
		const { underWay } = this;
		this.lost = [];
		this.busy = [];
		for (const { sent, apiKey } of underWay) {
			await this.post(apiKey, sent);
			this.nameRest();
		}
	}

	/** As in a script, withdrawals are numbered as they are made. */
	nameRest(): void {
		for (const { id } of this.news()) {
			if (!this.names.has(id)) this.names.set(id, `w${this.names.size}`);
		}
	}

	/** Somebody else pays the same. */
	payElsewhere(content: string, result: Result): void {
		const made = this.news().length;
		this.account('a').sandbox.payByOtherTool({ pixKey: CPF, amountCents: centsOf(content) });
		this.checkMade(result, made);
	}

	/** Another tool uses the key of generation 0 for a request of its own. */
	async useKey(order: number, result: Result): Promise<void> {
		const key = deriveReferenceKey('withdrawal.create', false, referenceOf(order), 0);
		const body = { amount: 77, destination: { pixKey: CPF }, description: 'another tool' };
		await this.expect(result, 'a', async () => {
			await this.send('a', key, Buffer.from(JSON.stringify(body)));
		});
	}

	refuseByBank(name: string): void {
		const id = this.idOf(name);
		const owner = this.sandboxes.find(({ books }) =>
			books.withdrawals.some((one) => one.id === id),
		);
		owner?.setWithdrawalStatus(id, 'FAILED');
	}

	/** Does something while the list shows nothing that is younger than a tick. */
	async lagging<T>(apiKey: string, what: () => Promise<T>): Promise<T> {
		const { account } = this.account(apiKey).sandbox;
		account.withdrawalListLagMs = TICK_MS;
		return await what().finally(() => (account.withdrawalListLagMs = 0));
	}

	/** Does something while nothing can be read. */
	async unreadable<T>(apiKey: string, what: () => Promise<T>): Promise<T> {
		const { faults } = this.account(apiKey).sandbox;
		const undo = faults.add({ kind: 'error', method: 'GET', code: 'FORBIDDEN', times: Infinity });
		return await what().finally(undo);
	}

	private all(): Withdrawal[] {
		return this.sandboxes.flatMap(({ books }) => books.withdrawals);
	}

	/** In the order of their names; those without come last. */
	private news(): Withdrawal[] {
		const names = [...this.names.keys()];
		const place = ({ id }: Withdrawal) => (this.names.has(id) ? names.indexOf(id) : Infinity);
		return this.all()
			.filter(({ id }) => !this.ignored.has(id))
			.sort((one, other) => (place(one) < place(other) ? -1 : 1));
	}

	private prepare(result: SendResult, { faults, requests }: Sandbox): () => void {
		const post = { method: 'POST', path: WITHDRAWALS, times: Infinity } as const;
		const answer = (code: string, stored: boolean) =>
			faults.add({ ...post, kind: 'error', code, stored });
		switch (result) {
			case 'none':
				return faults.add({ ...post, kind: 'dropBefore' });
			case 'refused': {
				const { refuses, asksNewKey } = this.bounds;
				const code = asksNewKey ? 'WITHDRAWAL_PROVIDER_UNAVAILABLE' : 'INSUFFICIENT_BALANCE';
				return answer(code, refuses === 'kept');
			}
			case 'error':
				return answer('PROVIDER_TEMPORARILY_UNAVAILABLE', true);
			case 'conflict':
				return answer('IDEMPOTENCY_CONFLICT', false);
			case 'mismatch': {
				// What is not decided is held here: the service itself knows nothing of it.
				const isHeld = this.busy.length > 0 && requests.length > 0;
				return isHeld ? answer('IDEMPOTENCY_PAYLOAD_MISMATCH', false) : () => undefined;
			}
			default:
				return () => undefined;
		}
	}

	/** @param before how many withdrawals there were */
	private checkMade(result: SendResult, before: number): void {
		this.nameRest();
		const names = this.books.map(({ name }) => name);
		const [what, name = ''] = result.split(' ');
		const isNew = what === 'paid' && !names.slice(0, before).includes(name);
		const made = names.slice(before);
		if (made.join() !== (isNew ? name : '')) {
			throw new Deviation(`the service made ${made.length === 0 ? 'nothing' : made.join(', ')}`);
		}
	}

	private async post(apiKey: string, { headers, rawBody }: RecordedRequest): Promise<void> {
		await this.send(apiKey, String(headers['x-idempotency-key']), rawBody);
	}

	private async send(apiKey: string, key: string, body: Buffer): Promise<void> {
		const { sandbox, apiKey: secret } = this.account(apiKey);
		await fetch(`${sandbox.url}${WITHDRAWALS}`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${secret}`,
				'content-type': 'application/json',
				'x-idempotency-key': key,
			},
			body: new Uint8Array(body),
		});
	}
}

function orderOf({ description }: Withdrawal): number | undefined {
	const [, number] = /^NF-(\d+) /.exec(description ?? '') ?? [];
	return number === undefined ? undefined : Number(number) - 1;
}
