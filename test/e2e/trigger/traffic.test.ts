/**
 * 500 deliveries (`TRAFFIC_TOTAL`) of which 30 % are copies, 10 % forged and 5 % stale, with a
 * `kill -9` and a restart in the middle, from a sender that retries as documented. Every genuine event
 * has its effect once.
 */
import { createHash, createHmac, randomInt } from 'node:crypto';

import pLimit from 'p-limit';

import { getRuns } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { effectNode, useCounter } from '../support/counter';
import { paymentPaid, post, SECRET, signedHeaders, type Delivery } from '../support/deliveries';
import { FrontDoor } from '../support/frontDoor';
import { Listener, TRIGGER } from '../support/listener';
import { Sender } from '../support/sender';
import { useWorld } from '../support/n8nTestEnv';

/** A multiple of 20. Each run draws another order. */
const TOTAL = Number(process.env.TRAFFIC_TOTAL ?? 500);
const COPIES = 0.3 * TOTAL;
const FORGED = 0.1 * TOTAL;
const STALE = 0.05 * TOTAL;
const GENUINE = TOTAL - COPIES - FORGED - STALE;
/** n8n is killed when this many of all have a response. */
const KILL_AT = TOTAL / 2;
const CONCURRENCY = 16;
/**
 * n8n accepts deliveries faster than it runs workflows. This many may be on their way through it;
 * the rest waits, or nearly all that came before the kill would have to be retried by hand after it.
 */
const BACKLOG = 60;
/** Two minutes where two cores are free; machines that do other things as well take longer. */
const LONG_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;

const SEED = Number(process.env.TRAFFIC_SEED ?? randomInt(1_000_000));

/** Numbers from 0 to below 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
	let count = 0;
	return () => {
		count += 1;
		return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
	};
}

const random = randomFrom(SEED);
const below = (limit: number) => Math.floor(random() * limit);

const world = useWorld();
const counter = useCounter();
const door = new FrontDoor(world);
beforeAll(async () => await door.open());
afterAll(async () => await door.close());

const hmac = (text: string, secret = SECRET) =>
	createHmac('sha256', secret).update(text).digest('hex');

/** What an attacker sends who has seen a delivery but not the secret. */
const FORGERIES: Array<(seen: Delivery) => [ReturnType<typeof signedHeaders>, string | Buffer]> = [
	(seen) => [signedHeaders(seen, 'whsec_example_of_somebody_else'), seen.body],
	(seen) => [signedHeaders(seen), String(seen.body).replace('125.9', '925.9')],
	(seen) => [{ ...signedHeaders(seen), 'X-Webhook-Timestamp': String(Date.now()) }, seen.body],
	(seen) => [{ ...signedHeaders(seen), 'X-Webhook-Signature': hmac(String(seen.body)) }, seen.body],
	(seen) => [{ ...signedHeaders(seen), 'X-Webhook-Signature': 'v1=' }, seen.body],
	(seen) => [{ ...signedHeaders(seen), 'X-Webhook-Signature': '' }, seen.body],
];

interface Step {
	readonly kind: 'genuine' | 'copy' | 'forged' | 'stale';
	readonly delivery: Delivery;
}

/** Everything that is sent, in order. Forged ones often bear an id whose delivery is still to come. */
function plan(genuine: readonly Delivery[]): Step[] {
	const place = (kind: Step['kind'], delivery: Delivery, at: number) => ({ kind, delivery, at });
	const many = (count: number, make: (index: number) => Step & { at: number }) =>
		Array.from({ length: count }, (_each, index) => make(index));
	const anywhere = (kind: Step['kind']) =>
		place(kind, genuine[below(genuine.length)]!, random() * genuine.length);
	return [
		...genuine.map((delivery, at) => place('genuine', delivery, at)),
		...many(COPIES, (index) => {
			const at = below(genuine.length);
			// Half of them right behind the first, so that both are under way at once.
			const distance = index % 2 === 0 ? 0.5 : 1 + below(genuine.length);
			return place('copy', genuine[at]!, at + distance);
		}),
		...many(FORGED, () => anywhere('forged')),
		...many(STALE, () => anywhere('stale')),
	].sort((one, other) => one.at - other.at);
}

it(
	`has each genuine event's effect once (seed ${SEED})`,
	async () => {
		const listener = await Listener.open(world, { after: [effectNode(counter)] });
		const url = () => `${door.url}/${listener.path}`;
		const genuine = Array.from({ length: GENUINE }, () => paymentPaid());
		const sender = new Sender(url, random);
		const intruders = new Map<number, number>();
		let answered = 0;
		let accepted = 0;
		/** Accepted, and lying in executions that crashed. */
		let stranded = 0;
		const hasRoom = () => accepted - stranded - counter.effects.length < BACKLOG;

		const take = async ({ kind, delivery }: Step): Promise<string> => {
			if (kind === 'genuine' || kind === 'copy') return await sender.send(delivery);
			const [headers, body] =
				kind === 'forged'
					? FORGERIES[below(FORGERIES.length)]!(delivery)
					: [signedHeaders(delivery, SECRET, Date.now() - HOUR_MS), delivery.body];
			const status = await post(url(), headers, body).then(
				(answer) => answer.status,
				() => 0,
			);
			intruders.set(status, (intruders.get(status) ?? 0) + 1);
			return status >= 200 && status < 300 ? 'intruded' : 'kept out';
		};

		const limit = pLimit(CONCURRENCY);
		const outcomes = new Map<string, number>();
		const traffic = Promise.all(
			plan(genuine).map(
				async (step) =>
					await limit(async () => {
						await waitFor(hasRoom, { what: 'n8n to get on', timeoutMs: LONG_MS });
						const outcome = `${step.kind} ${await take(step)}`;
						if (outcome === 'genuine accepted') accepted += 1;
						outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
						answered += 1;
					}),
			),
		);
		await waitFor(() => answered >= KILL_AT, { what: 'half of the traffic', timeoutMs: LONG_MS });
		await world.n8n.kill9();
		stranded = accepted - counter.effects.length;
		await world.startN8n();
		await traffic;
		const executions = await listener.executions();

		// What the user finds in the list: executions that n8n was killed in. Those that had their
		// effect already need nothing; the others are retried.
		const crashed = executions.filter(({ status }) => status === 'crashed');
		const done = new Set(counter.effects.map(({ executionId }) => executionId));
		const unfinished = crashed.filter(({ id }) => !done.has(id));
		for (const { id } of unfinished) {
			await world.client.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
		}

		const withEffect = new Set(counter.effects.map(({ executionId }) => executionId));
		const all = await listener.executions();
		const without = all.filter(({ id, status }) => status !== 'crashed' && !withEffect.has(id));
		process.stdout.write(
			`${JSON.stringify({
				seed: SEED,
				outcomes: Object.fromEntries([...outcomes].sort()),
				answersToSender: Object.fromEntries(sender.answers),
				answersToIntruders: Object.fromEntries(intruders),
				executions: all.length,
				withEffect: withEffect.size,
				endedAsCopy: without.length,
				crashed: crashed.length,
				crashedWithoutEffect: unfinished.length,
				effects: counter.effects.length,
				genuine: genuine.length,
			})}\n`,
		);

		expect(Object.fromEntries(outcomes)).toEqual({
			'genuine accepted': GENUINE,
			'copy accepted': COPIES,
			'forged kept out': FORGED,
			'stale kept out': STALE,
		});
		// None lost, none twice: each id is there once.
		expect(counter.deliveryIds).toEqual(genuine.map(({ id }) => id).sort());
		expect(withEffect.size).toBe(GENUINE);
		// Whatever else ran ended at once, without an item.
		for (const { id } of without) {
			const execution = await world.client.getExecution(id);
			expect(execution.status).toBe('success');
			expect(getRuns(execution, TRIGGER).at(-1)?.data?.main).toEqual([[]]);
		}
	},
	LONG_MS,
);
