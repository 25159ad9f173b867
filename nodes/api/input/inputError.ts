/**
 * What the user gave cannot be sent: a decision made here, before any request.
 * `remedy` says what to change.
 */
export class InputError extends Error {
	/** @param effect `unknown` where an earlier attempt may have taken effect; this one was not sent */
	constructor(
		message: string,
		readonly remedy: string,
		readonly effect: 'none' | 'unknown' = 'none',
	) {
		super(message);
		this.name = 'InputError';
	}
}
