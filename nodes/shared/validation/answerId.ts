import { isUuid } from './uuid';

/** The ID of what came into being (docs/api.md#identifiers); undefined where an answer shows none. */
export function idOfAnswer(body: unknown): string | undefined {
	const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
	return typeof id === 'string' && isUuid(id) ? id : undefined;
}
