import { Modules } from './modules';
import type { BrlPaymentsTrigger } from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';

const TRIGGER = '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';

/**
 * The trigger as one process of n8n has loaded it: what the package remembers in memory goes with it.
 * @param shared modules of the package, by path, that this process has in common with the test
 */
export function loadTrigger(shared: Readonly<Record<string, unknown>> = {}): BrlPaymentsTrigger {
	const modules = new Modules();
	for (const [name, module] of Object.entries(shared)) modules.mock(name, __dirname, () => module);
	const loaded = modules.require(TRIGGER, __dirname) as {
		BrlPaymentsTrigger: typeof BrlPaymentsTrigger;
	};
	return new loaded.BrlPaymentsTrigger();
}
