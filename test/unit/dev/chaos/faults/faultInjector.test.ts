import { FaultProxy } from '../../../../../dev/chaos/faults/faultProxy';
import {
	FAULT_PROFILES,
	drawFault,
	type FaultName,
} from '../../../../../dev/chaos/faults/faultProfiles';
import { planLoad } from '../../../../../dev/chaos/load';
import { injectFaults, type FaultInjector } from '../../../../../dev/chaos/faults/faultInjector';
import { startSandbox, type Sandbox } from '../../../../../dev/sandbox';

const SEED = 7;

/** What takes seconds is left to the end-to-end run. */
const SLOW: ReadonlyArray<FaultName | null> = ['lateAnswer', 'slowProcessing', 'refused'];

const PAYEES = planLoad(SEED, 200)
	.flatMap(({ payouts }) => payouts)
	.map(({ payee }) => payee)
	.filter((payee) => !SLOW.includes(drawFault(SEED, payee, 0)));

let sandbox: Sandbox;
let proxy: FaultProxy;
let injector: FaultInjector;

beforeEach(async () => {
	sandbox = await startSandbox();
	proxy = await FaultProxy.open(sandbox.port);
	injector = injectFaults(SEED, sandbox, proxy);
});

afterEach(async () => {
	await proxy.close();
	await sandbox.close();
});

let keys = 0;
const pay = async (
	payee: string,
	idempotencyKey = `example-${(keys += 1)}`,
): Promise<number | null> =>
	await fetch(`${proxy.url}/v1/withdrawals`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.keys.test}`,
			'content-type': 'application/json',
			'x-idempotency-key': idempotencyKey,
			connection: 'close',
		},
		body: JSON.stringify({ amount: 20, destination: { pixKey: payee } }),
	}).then(
		({ status }) => status,
		() => null,
	);

it('gives every first request the fault that is drawn for its payee, and counts what was met', async () => {
	const payees = PAYEES.slice(0, 80);
	// Last first: the order must not matter.
	for (const payee of [...payees].reverse()) {
		const fault = drawFault(SEED, payee, 0);
		const status = await pay(payee);
		if (fault === null) expect([payee, status]).toEqual([payee, 201]);
		else if (fault !== 'truncated') expect([payee, fault, status]).not.toContain(201);
	}
	const expected = new Map<FaultName, number>();
	for (const payee of payees) {
		const fault = drawFault(SEED, payee, 0);
		if (fault) expected.set(fault, (expected.get(fault) ?? 0) + 1);
	}
	expect(expected.size).toBeGreaterThan(5);
	const { requests, struck, byFault, conflicts } = injector.counts();
	expect(requests).toBe(80);
	expect(byFault).toEqual(expected);
	expect(struck).toBe([...expected.values()].reduce((sum, count) => sum + count, 0));
	expect(conflicts).toBe(0);
});

it('draws again for the second request of a payee', async () => {
	const differs = PAYEES.filter((payee) => {
		const second = drawFault(SEED, payee, 1);
		return drawFault(SEED, payee, 0) === null && second !== null && !SLOW.includes(second);
	});
	const payee = differs.find(
		(each) => FAULT_PROFILES[drawFault(SEED, each, 1)!].action.kind === 'dropBefore',
	)!;
	expect(await pay(payee)).toBe(201);
	expect(await pay(payee)).toBeNull();
	expect(injector.counts()).toMatchObject({ requests: 2, struck: 1 });
});

it('does not count a fault that found nothing to strike', async () => {
	const payee = planLoad(SEED, 5_000)
		.flatMap(({ payouts }) => payouts)
		.map((payout) => payout.payee)
		.find(
			(each) =>
				drawFault(SEED, each, 0) === null && drawFault(SEED, each, 1) === 'providerUnavailable',
		)!;
	expect(await pay(payee, 'example-again')).toBe(201);
	// The response is known under the key: nothing is processed that could be refused.
	expect(await pay(payee, 'example-again')).toBe(201);
	expect(injector.counts()).toMatchObject({ requests: 2, struck: 0 });
});

it('knows when one of some payees was last asked for', async () => {
	const [one, two, three] = PAYEES as [string, string, string];
	expect(injector.lastRequestAt([one, two])).toBe(0);
	const before = Date.now();
	await pay(two);
	expect(injector.lastRequestAt([one, two])).toBeGreaterThanOrEqual(before);
	expect(injector.lastRequestAt([one, three])).toBe(0);
});

it('closes the proxy where a connection is to be refused', async () => {
	const payee = planLoad(SEED, 2_000)
		.flatMap(({ payouts }) => payouts)
		.find((payout) => drawFault(SEED, payout.payee, 0) === 'refused')!.payee;
	expect(await pay(payee)).toBeNull();
	expect(injector.counts()).toMatchObject({ requests: 1, struck: 1, closures: 1 });
});
