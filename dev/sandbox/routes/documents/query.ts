import type { Dialect } from '../../settings/dialects';
import type { QueryText } from '../../http/operation';

/** What the parameters of documents are called in the dialect `otherNames`. */
const OTHER_NAMES = { outputFormat: 'format', from: 'startDate', to: 'endDate' } as const;

/** The query under the names of the schemas. Under other names, the assumed ones are unknown. */
export function translateDocumentQuery(
	query: QueryText,
	{ documentParameters }: Dialect,
): QueryText {
	if (documentParameters.names === 'assumedNames') return query;
	return Object.fromEntries(
		Object.entries(OTHER_NAMES).flatMap(([name, assumed]) =>
			Object.hasOwn(query, name) ? [[assumed, query[name]] as const] : [],
		),
	);
}
