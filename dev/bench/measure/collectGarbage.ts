import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Earlier garbage must not be collected during a measurement. */
export function collectGarbage(): void {
	collect();
}
