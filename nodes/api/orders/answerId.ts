import { isUuid } from '../input/uuid';

/** The ID of what came into being ("General rules", 4); undefined where an answer shows none. */
export function idOfAnswer(body: unknown): string | undefined {
	const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
	return typeof id === 'string' && isUuid(id) ? id : undefined;
}
