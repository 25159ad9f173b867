import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What was thrown away before a measurement is not to be cleaned up during it. */
export function collectGarbage(): void {
	collect();
}
