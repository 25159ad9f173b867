import type { INodeExecutionData } from 'n8n-workflow';
import type { AdaptiveLimiter } from '../../shared/concurrency/adaptiveLimiter';
import { mapInTurns } from '../../shared/concurrency/runtime';
import { maskPersonalData } from '../../shared/privacy/value';
import type { ItemCall } from './itemCall';
import type { BatchOperation, ItemOperation } from './operation';
import type { ItemResult } from './draft';

/**
 * Runs an operation for one item and masks its output, if the user wants that. The option is read
 * before: an expression in it that fails must not make a payment look as if it had failed.
 */
export async function executeMasked(
	operation: ItemOperation,
	call: ItemCall,
): Promise<ItemResult[]> {
	const isMasked = wantsMasking(call);
	const results = [await operation.execute(call)].flat();
	return isMasked ? await mapInTurns(results, maskJson) : results;
}

export function maskResult(result: ItemResult, isMasked: boolean): ItemResult {
	return isMasked ? maskJson(result) : result;
}

/** The same for an operation that judges all items together, each by its own option. */
export async function executeAllMasked(
	operation: BatchOperation,
	calls: readonly ItemCall[],
	pace: AdaptiveLimiter,
): Promise<INodeExecutionData[]> {
	const areMasked = calls.map(wantsMasking);
	const results = await operation.executeAll(calls, pace);
	return results.map((result, item) => (areMasked[item] ? maskJson(result) : result));
}

export function wantsMasking(call: ItemCall): boolean {
	return call.option('maskPersonalData');
}

/** Files stay as they are. */
function maskJson<T extends ItemResult>(result: T): T {
	return { ...result, json: maskPersonalData(result.json) };
}
