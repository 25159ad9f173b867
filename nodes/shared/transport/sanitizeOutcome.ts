import type { Outcome } from './outcome';
import { maskText } from '../privacy/text';
import { maskMessages } from '../privacy/value';
import type { Redactor } from '../privacy/redact';

/**
 * An outcome that may be shown and stored: nothing in it contains the API key, and what a server
 * says about an error, which often repeats the request, contains no personal data either. Personal
 * data in a successful response is what the user asked for; masking it is an option of the nodes.
 *
 * Done before anything is cut to length: half a key would not be recognized.
 */
export function sanitizeOutcome(outcome: Outcome, redactor: Redactor): Outcome {
	switch (outcome.kind) {
		case 'success':
			return { ...outcome, body: redactor.json(outcome.body) };
		case 'refused': {
			const { code, message, details } = outcome;
			return {
				...outcome,
				code: maskText(redactor.text(code)),
				message: maskText(redactor.text(message)),
				details: maskMessages(redactor.json(details)),
			};
		}
		case 'blocked':
			return { ...outcome, reason: maskText(redactor.text(outcome.reason)) };
		case 'unclear':
			return outcome;
	}
}
