import { FaultProxy } from '../../../../../dev/chaos/faults/faultProxy';
import { drawFault, USUAL_FAULTS, type FaultName } from '../../../../../dev/chaos/faults/faults';
import { injectFaults, type FaultInjector } from '../../../../../dev/chaos/faults/faultInjector';
import { startSandbox, type RecordedRequest, type Sandbox } from '../../../../../dev/sandbox';

const SEED = 7;

/** What takes seconds is left to the end-to-end run. */
const SLOW: ReadonlyArray<FaultName | null> = ['lateAnswer', 'slowProcessing', 'refused'];

const draw = (payee: string, nth: number) => drawFault(SEED, payee, nth, USUAL_FAULTS);
const ALL = Array.from({ length: 5_000 }, (_value, index) => `payee-${index}@example.com`);
const PAYEES = ALL.filter((payee) => !SLOW.includes(draw(payee, 0)));

let sandbox: Sandbox;
let proxy: FaultProxy;
let injector: FaultInjector;

beforeEach(async () => {
	sandbox = await startSandbox();
	proxy = await FaultProxy.open(sandbox.port);
	const getPayee = ({ rawBody }: RecordedRequest) =>
		(JSON.parse(rawBody.toString()) as { destination: { pixKey: string } }).destination.pixKey;
	injector = injectFaults(SEED, sandbox, proxy, getPayee, () => USUAL_FAULTS);
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
		const fault = draw(payee, 0);
		const status = await pay(payee);
		if (fault === null) expect([payee, status]).toEqual([payee, 201]);
		else if (fault !== 'truncated') expect([payee, fault, status]).not.toContain(201);
	}
	const met = payees.filter((payee) => draw(payee, 0) !== null);
	expect(met.length).toBeGreaterThan(10);
	expect(injector.counts()).toEqual({ requests: 80, struck: met.length });
	expect(injector.lastRequestAt([payees[0]!, 'nobody'])).toBeGreaterThan(0);
	expect(injector.lastRequestAt(['nobody'])).toBe(0);
});

it('does not count a fault that found nothing to strike', async () => {
	const payee = ALL.find(
		(each) => draw(each, 0) === null && draw(each, 1) === 'providerUnavailable',
	)!;
	expect(await pay(payee, 'example-again')).toBe(201);
	// The response is known under the key: nothing is processed that could be refused.
	expect(await pay(payee, 'example-again')).toBe(201);
	expect(injector.counts()).toMatchObject({ requests: 2, struck: 0 });
});
