import { InputError } from '../input/inputError';

/** Half of a character beyond the first 65536, which cannot be encoded. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/**
 * Builds a path and encodes every value in it, so that an id with `/`, `?` or a blank stays one
 * segment: path`/v1/customers/external/${externalId}`.
 *
 * @throws InputError for an empty value and for `.` and `..`: every HTTP client resolves those as
 * folders, encoded or not, and the request would reach another endpoint.
 */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
	return literals.reduce((built, literal, index) => {
		const value = values[index - 1] ?? '';
		if (value === '' || value === '.' || value === '..' || HALF_CHARACTER.test(value)) {
			throw new InputError(
				value === '' ? 'An ID is empty' : `"${value}" cannot be used as an ID`,
				'Check the expression that provides the ID.',
			);
		}
		return `${built}${encodeURIComponent(value)}${literal}`;
	});
}
