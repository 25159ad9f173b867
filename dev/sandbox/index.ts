import type { AddressInfo } from 'node:net';
import { defaultAccount, type AccountSettings } from './settings/account';
import { createRealClock, type Clock } from './values/clock';
import { assumedDialect, type Dialect } from './settings/dialects';
import { found } from './errors';
import type { KeySettings } from './settings/keys';
import { forcePaymentStatus } from './lifecycle/refunds';
import { setWithdrawalStatus, startWithdrawal } from './lifecycle/withdrawals';
import {
	createSeeds,
	newWithdrawal,
	type Payment,
	type Product,
	type Refund,
	type Withdrawal,
} from './store/rows';
import { buildServer } from './server';
import type { PaymentStatus, WithdrawalStatus } from './store/types';
import { World } from './world';

export { createManualClock, createRealClock } from './values/clock';
export type { Clock, ManualClock } from './values/clock';
export { assumedDialect, parseDialect } from './settings/dialects';
export type { Dialect, OpenPointId } from './settings/dialects';
export type { FaultAction } from './settings/faults';
export type { RecordedRequest } from './http/recorder';
export type { Payment, Product, Withdrawal } from './store/rows';
export type { Endpoint } from './webhooks';
export { signedRequest, WEBHOOK_EVENTS } from './webhooks';
export { boletoPdf } from './documents/boleto';
export { ERROR_CODES, type ErrorCode } from './errors';

interface SandboxOptions {
	/** 0 is any free port, the default. */
	port?: number;
	/** 10: the 5 s delay takes 0.5 s. Default 1. */
	speed?: number;
	/** Default: real time with its timers scaled by `speed`. */
	clock?: Clock;
	account?: Partial<AccountSettings>;
	/** What the service does where its description is silent. Default: what the nodes assume. */
	dialect?: Dialect;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts an emulator of the payment service on 127.0.0.1. For development: no real money exists. */
export async function startSandbox(options: SandboxOptions = {}) {
	const world = new World(
		options.clock ?? createRealClock(options.speed),
		options.clock ?? createRealClock(),
		{ ...defaultAccount(), ...options.account },
		structuredClone(options.dialect ?? assumedDialect()),
	);
	const now = world.now();
	// The same keys at every start, so that a saved credential keeps working.
	const keys = {
		test: world.keys.create({ environment: 'SANDBOX' }, now, {
			kid: 'testkey001',
			secret: 'examplesecretofthetestkey0000001',
		}),
		live: world.keys.create({ environment: 'PRODUCTION' }, now, {
			kid: 'livekey001',
			secret: 'examplesecretofthelivekey0000001',
		}),
	};
	const app = await buildServer(world);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const { port } = app.server.address() as AddressInfo;
	world.url = `http://127.0.0.1:${port}`;

	return {
		/** `http://127.0.0.1:PORT` */
		url: world.url,
		/** Full keys with the wildcard scope. */
		keys,
		/** Makes a key and returns its full text. */
		createKey: (settings: KeySettings) => world.keys.create(settings, world.now()),
		/** What really happened, for assertions; both environments. */
		get books() {
			const { payments, products, refunds, withdrawals } = world.store;
			return {
				payments: payments.effects as readonly Payment[],
				products: products.effects as readonly Product[],
				refunds: refunds.effects as readonly Refund[],
				withdrawals: withdrawals.effects as readonly Withdrawal[],
			};
		},
		faults: world.faults,
		/** Live settings: a change affects every later request. */
		account: world.account,
		/** Live too, and reset like the settings. */
		dialect: world.dialect,
		/** Every request that arrived at the service, oldest first. */
		requests: world.requests,
		seed: createSeeds(world),
		/**
		 * Another tool pays from the same account: booked, listed and completed like any other withdrawal,
		 * but no request made it. Limits are not checked; the environment defaults to SANDBOX.
		 */
		payByOtherTool(given: Partial<Withdrawal> = {}): Withdrawal {
			const withdrawal = newWithdrawal(world, given);
			startWithdrawal(world, withdrawal);
			return withdrawal;
		},
		/** Registers endpoints and sends them what happens to live payments and withdrawals. */
		webhooks: world.webhooks,
		/** Forces what only payers, banks or card schemes do. @throws when the payment cannot go there */
		setPaymentStatus(id: string, status: PaymentStatus): void {
			const payment = found(world.store.payments.find(id), 'payment');
			if (forcePaymentStatus(world, payment, status)) return;
			throw new Error(`A payment that is ${payment.status} cannot become ${status}`);
		},
		setWithdrawalStatus(id: string, status: WithdrawalStatus, errorMessage?: string): void {
			const withdrawal = found(world.store.withdrawals.find(id), 'withdrawal');
			if (setWithdrawalStatus(world, withdrawal, status, errorMessage)) return;
			throw new Error(`A withdrawal that is ${withdrawal.status} cannot become ${status}`);
		},
		/** Empties books, rows, faults, recorded requests, idempotency keys, endpoints, deliveries; settings as at the start. */
		reset: () => world.reset(),
		async close(): Promise<void> {
			world.generation++;
			world.cancelTimers();
			await world.webhooks.close();
			await app.close();
		},
	};
}
