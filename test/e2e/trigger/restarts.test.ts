/**
 * n8n ends, crashes or fails around a delivery. Whatever happens, its event has its effect once: when
 * the sender tries again, or when the user retries what n8n lists as crashed or failed.
 */
import { getRuns } from '../../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../../dev/n8n/paths';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { effectNode, useCounter } from '../support/counter';
import { runSql, whileInsertsFail } from '../support/database';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();
const counter = useCounter();

const listen = async () => await Listener.open(world, { after: [effectNode(counter)] });

const effectsToBe = async (count: number) =>
	await waitFor(() => counter.effects.length >= count, { what: `${count} effect(s)` });

const retry = async (listener: Listener, id: string) =>
	await world.client.retryExecution({ id, workflowId: listener.workflowId });

/** n8n 1.x confirms a delivery before it stores the execution: what it cannot store is lost. */
const itWhereStoredFirst = isN8nFrom('2') ? it : it.skip;

describe('a delivery whose execution could not be started', () => {
	itWhereStoredFirst(
		'is accepted when it comes again, and its copies then start nothing',
		async () => {
			const listener = await listen();
			const delivery = paymentPaid();
			await whileInsertsFail(world, 'execution_entity', async () => {
				expect((await deliver(listener.url, delivery)).status).toBeGreaterThanOrEqual(500);
				expect((await deliver(listener.url, delivery)).status).toBeGreaterThanOrEqual(500);
			});
			expect(await listener.executions()).toEqual([]);
			expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
			await effectsToBe(1);
			expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
			expect(await listener.emittedIds()).toEqual([delivery.id]);
			expect(counter.deliveryIds).toEqual([delivery.id]);
		},
	);
});

describe('a delivery that n8n was killed before responding to', () => {
	it('is accepted once when it comes again, if its execution had not begun', async () => {
		const listener = await listen();
		const delivery = paymentPaid();
		const url = listener.url;
		// The response gets lost when n8n is killed.
		const lost = deliver(url, delivery).catch(() => undefined);
		await world.n8n.kill9();
		await lost;
		await world.startN8n();

		expect(await deliver(url, delivery)).toMatchObject({ status: 200 });
		await listener.executions();
		const crashed = (await listener.executions()).filter(({ status }) => status === 'crashed');
		for (const { id } of crashed) await retry(listener, id);
		await effectsToBe(1);
		await listener.executions();
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});

	it('has its effect once when it comes again and its crashed execution is retried too', async () => {
		const listener = await listen();
		const delivery = paymentPaid();
		counter.hold();
		// Killed after the execution was saved and before the trigger had remembered the delivery.
		await runSql(
			world,
			`CREATE TRIGGER example_full BEFORE INSERT ON processed_data
			BEGIN SELECT RAISE(ABORT, 'no space, for example'); END`,
		);
		await deliver(listener.url, delivery);
		await waitFor(() => counter.waiting === 1, { what: 'the execution to be at work' });
		await world.n8n.kill9();
		await runSql(world, 'DROP TRIGGER example_full');
		counter.release();
		await world.startN8n();

		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		await effectsToBe(1);
		const [crashed] = await listener.executions();
		expect(crashed).toMatchObject({ status: 'crashed' });
		const retried = await retry(listener, crashed!.id);
		expect(retried.status).toBe('success');
		expect(getRuns(retried, TRIGGER).at(-1)?.data?.main).toEqual([[]]);
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});
});

describe('an execution that is run again', () => {
	it('is no copy of itself after a crash, and is the only one to have the effect', async () => {
		const listener = await listen();
		const delivery = paymentPaid();
		counter.hold();
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		await waitFor(() => counter.waiting === 1, { what: 'the execution to be at work' });
		await world.n8n.kill9();
		counter.release();
		await world.startN8n();
		// Remembered before the crash: a copy that comes in the meantime starts nothing.
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });

		const [crashed] = await listener.executions();
		expect(crashed).toMatchObject({ status: 'crashed' });
		const retried = await retry(listener, crashed!.id);
		expect(retried.status).toBe('success');
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});
});
