import { isUuid } from './uuid';

/** The ID of what was created (docs/api.md#identifiers); undefined if a response shows none. */
export function idOfAnswer(body: unknown): string | undefined {
	const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
	return typeof id === 'string' && isUuid(id) ? id : undefined;
}
