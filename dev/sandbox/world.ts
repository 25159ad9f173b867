import type { AccountSettings } from './settings/account';
import type { Cancel, Clock } from './values/clock';
import type { Dialect } from './settings/dialects';
import { FaultQueue } from './settings/faults';
import type { RecordedRequest } from './http/recorder';
import { IdempotencyStore } from './idempotency';
import { KeyRing } from './settings/keys';
import { RateLimiter } from './rateLimit';
import { Store } from './store/store';
import { Webhooks } from './webhooks';

/** Thrown through a request that a reset overtook: it must neither book nor respond. */
export class Overtaken extends Error {}

/** Everything one running emulator consists of, handed to each operation. */
export class World {
	store = new Store();
	readonly keys = new KeyRing();
	readonly faults = new FaultQueue();
	idempotency = new IdempotencyStore();
	rateLimiter = new RateLimiter();
	readonly requests: RecordedRequest[] = [];
	readonly webhooks: Webhooks;
	/** The base address, known once the server listens. */
	url = '';
	/** Grows with every reset, so that a request held up before it cannot book anything after it. */
	generation = 0;

	private readonly timers = new Set<Cancel>();
	private readonly initialAccount: AccountSettings;
	private readonly initialDialect: Dialect;

	constructor(
		/** Drives states: its timers are the ones that `speed` shortens. */
		readonly clock: Clock,
		/** Drives fault delays, which are real time because they test real client timeouts. */
		readonly faultClock: Clock,
		readonly account: AccountSettings,
		readonly dialect: Dialect,
	) {
		this.initialAccount = structuredClone(account);
		this.initialDialect = structuredClone(dialect);
		this.webhooks = new Webhooks(this);
	}

	now(): number {
		return this.clock.now();
	}

	/** Runs `fn` after `ms`, unless the emulator is reset or closed before. */
	schedule(fn: () => void, ms: number): void {
		const cancel = this.clock.setTimeout(() => {
			this.timers.delete(cancel);
			fn();
		}, ms);
		this.timers.add(cancel);
	}

	/** Resolves after `ms` on the fault clock. */
	wait(ms: number): Promise<void> {
		return new Promise((resolve) => void this.faultClock.setTimeout(resolve, ms));
	}

	/** Like `wait`, but throws `Overtaken` when a reset came in between. */
	async hold(ms: number): Promise<void> {
		const { generation } = this;
		await this.wait(ms);
		if (generation !== this.generation) throw new Overtaken();
	}

	cancelTimers(): void {
		for (const cancel of this.timers) cancel();
		this.timers.clear();
	}

	/** Back to the first minute: settings too, so that one test cannot affect the next. */
	reset(): void {
		this.generation++;
		this.cancelTimers();
		this.store = new Store();
		this.faults.clear();
		this.idempotency = new IdempotencyStore();
		this.rateLimiter = new RateLimiter();
		this.requests.length = 0;
		this.webhooks.clear();
		Object.assign(this.account, structuredClone(this.initialAccount));
		Object.assign(this.dialect, structuredClone(this.initialDialect));
	}
}
