/**
 * Whether n8n looked at nothing of a request: it takes none while a look at its database takes more
 * than 5 seconds, as it may when all cores are busy.
 * @param body of the response
 */
export function isDatabaseAway(status: number, body: string): boolean {
	return status === 503 && body.includes('Database is not ready');
}
