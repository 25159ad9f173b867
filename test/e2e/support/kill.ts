import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { Execution } from '../../../dev/n8n/rest/executionData';
import type { N8nTestEnv } from './n8nTestEnv';

/** Waits for the moment to kill n8n, by counting and not by luck. */
async function untilKill(isMoment: () => boolean): Promise<void> {
	await waitFor(isMoment, { what: 'the moment to kill n8n', pollMs: 5, timeoutMs: 60_000 });
}

/** Every payout or charge takes so long that a kill falls between two of them. */
function slowDown({ sandbox }: N8nTestEnv, ms: number): void {
	sandbox.faults.add({ kind: 'delay', method: 'POST', ms, times: Infinity });
}

/**
 * Starts a workflow, and kills n8n in its middle: neither before the first of its items is booked nor after the
 * last. Returns the crashed execution once n8n is back, and the service as fast as ever.
 */
export async function killWhilePaying(
	world: N8nTestEnv,
	workflowId: string,
	path: string,
	items: IDataObject[],
	{ ms = 300, isMoment = () => countBooked(world) >= 4 } = {},
): Promise<Execution> {
	slowDown(world, ms);
	const executionId = await world.trigger(workflowId, path, { items });
	await untilKill(isMoment);
	await world.n8n.kill9();
	expect(countBooked(world)).toBeLessThan(items.length);
	await world.startN8n();
	const crashed = await world.client.waitForExecution(executionId);
	expect(crashed.status).toBe('crashed');
	world.sandbox.faults.clear();
	return crashed;
}

const countBooked = ({ sandbox: { books } }: N8nTestEnv) =>
	books.withdrawals.length + books.payments.length;
