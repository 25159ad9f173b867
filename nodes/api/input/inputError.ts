/**
 * What the user gave cannot be sent: a decision made here, before any request.
 * Nothing took effect. `remedy` says what to change.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
