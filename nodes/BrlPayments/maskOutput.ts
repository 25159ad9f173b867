import { maskPersonalData } from '../shared/privacy/value';
import type { ItemResult } from './orderRequest';
import type { ItemCall } from './item';

/**
 * To be read before anything is sent: an expression in it that fails must not make a payment look as if
 * it had failed.
 */
export function wantsMasking(call: ItemCall): boolean {
	return call.option('maskPersonalData');
}

/** Files stay as they are. */
export function maskResult<T extends ItemResult>(result: T, isMasked: boolean): T {
	return isMasked ? { ...result, json: maskPersonalData(result.json) } : result;
}
