import { FaultProxy } from '../../../../dev/chaos/faultProxy';
import { FAULT_PROFILES, fateOf, type FaultName } from '../../../../dev/chaos/faultProfiles';
import { planLoad } from '../../../../dev/chaos/load';
import { injectFaults, type WeatherStation } from '../../../../dev/chaos/faultInjector';
import { startSandbox, type Sandbox } from '../../../../dev/sandbox';

const SEED = 7;

/** What takes seconds is left to the end-to-end run. */
const SLOW: ReadonlyArray<FaultName | null> = ['lateAnswer', 'slowProcessing', 'refused'];

const PAYEES = planLoad(SEED, 200)
	.flatMap(({ payouts }) => payouts)
	.map(({ payee }) => payee)
	.filter((payee) => !SLOW.includes(fateOf(SEED, payee, 0)));

let sandbox: Sandbox;
let door: FaultProxy;
let station: WeatherStation;

beforeEach(async () => {
	sandbox = await startSandbox();
	door = await FaultProxy.open(sandbox.port);
	station = injectFaults(SEED, sandbox, door);
});

afterEach(async () => {
	await door.close();
	await sandbox.close();
});

let keys = 0;
const pay = async (
	payee: string,
	idempotencyKey = `example-${(keys += 1)}`,
): Promise<number | null> =>
	await fetch(`${door.url}/v1/withdrawals`, {
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

it('gives every first request the fate that is drawn for its payee, and counts what was met', async () => {
	const payees = PAYEES.slice(0, 80);
	// Last first: the order must not matter.
	for (const payee of [...payees].reverse()) {
		const fate = fateOf(SEED, payee, 0);
		const status = await pay(payee);
		if (fate === null) expect([payee, status]).toEqual([payee, 201]);
		else if (fate !== 'truncated') expect([payee, fate, status]).not.toContain(201);
	}
	const expected = new Map<FaultName, number>();
	for (const payee of payees) {
		const fate = fateOf(SEED, payee, 0);
		if (fate) expected.set(fate, (expected.get(fate) ?? 0) + 1);
	}
	expect(expected.size).toBeGreaterThan(5);
	const { requests, struck, byFate, conflicts } = station.weather();
	expect(requests).toBe(80);
	expect(byFate).toEqual(expected);
	expect(struck).toBe([...expected.values()].reduce((sum, count) => sum + count, 0));
	expect(conflicts).toBe(0);
});

it('draws again for the second request of a payee', async () => {
	const differs = PAYEES.filter((payee) => {
		const second = fateOf(SEED, payee, 1);
		return fateOf(SEED, payee, 0) === null && second !== null && !SLOW.includes(second);
	});
	const payee = differs.find(
		(each) => FAULT_PROFILES[fateOf(SEED, each, 1)!].action.kind === 'dropBefore',
	)!;
	expect(await pay(payee)).toBe(201);
	expect(await pay(payee)).toBeNull();
	expect(station.weather()).toMatchObject({ requests: 2, struck: 1 });
});

it('does not count a fault that found nothing to strike', async () => {
	const payee = planLoad(SEED, 5_000)
		.flatMap(({ payouts }) => payouts)
		.map((payout) => payout.payee)
		.find(
			(each) => fateOf(SEED, each, 0) === null && fateOf(SEED, each, 1) === 'providerUnavailable',
		)!;
	expect(await pay(payee, 'example-again')).toBe(201);
	// The answer is known under the key: nothing is processed that could be refused.
	expect(await pay(payee, 'example-again')).toBe(201);
	expect(station.weather()).toMatchObject({ requests: 2, struck: 0 });
});

it('knows when one of some payees was last asked for', async () => {
	const [one, two, three] = PAYEES as [string, string, string];
	expect(station.lastRequestAt([one, two])).toBe(0);
	const before = Date.now();
	await pay(two);
	expect(station.lastRequestAt([one, two])).toBeGreaterThanOrEqual(before);
	expect(station.lastRequestAt([one, three])).toBe(0);
});

it('shuts the door where a connection is to be refused', async () => {
	const payee = planLoad(SEED, 2_000)
		.flatMap(({ payouts }) => payouts)
		.find((payout) => fateOf(SEED, payout.payee, 0) === 'refused')!.payee;
	expect(await pay(payee)).toBeNull();
	expect(station.weather()).toMatchObject({ requests: 1, struck: 1, shuttings: 1 });
});
