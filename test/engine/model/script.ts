/** Which scripts of the model can be played against the engine, and where the engine leaves them. */
import type { Script } from '../../model/story';

/** From here on, the engine goes another way than the script. */
export class Deviation extends Error {}

/** A script that nothing here can play. */
export class Unplayable extends Error {}

/** @throws Unplayable that says what cannot be expressed */
export function checkPlayable({ steps, bounds }: Script): void {
	if (bounds.mixups) {
		throw new Unplayable('The emulated service does not mix up its answers.');
	}
	const isFailed = steps.some(
		(step) =>
			(step.do === 'send' || step.do === 'arrive' || step.do === 'decide') &&
			step.result.startsWith('failed '),
	);
	if (isFailed) {
		throw new Unplayable(
			'The emulated service repeats its stored response under a key: it never says there that the bank has refused the withdrawal since.',
		);
	}
}
