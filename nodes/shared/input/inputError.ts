import { maskText } from '../privacy/text';

/**
 * What the user gave cannot be sent: a decision made here, before any request.
 *
 * The message may quote what was given, so personal data in it is masked: n8n stores and logs errors.
 * `remedy` says what to change and quotes nothing.
 */
export class InputError extends Error {
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(maskText(message));
		this.name = 'InputError';
	}
}
