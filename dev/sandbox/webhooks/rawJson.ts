import { reaisToCents } from '../values/money';

/**
 * The raw text of a body. Amounts have two decimals (`10.00`), which no JSON library would write
 * again, so that a receiver that verifies a re-serialized body fails.
 */
export function writeBody(body: object): string {
	// First as JSON sees it: no undefined, dates as text.
	return write(JSON.parse(JSON.stringify(body)), '');
}

function write(value: unknown, key: string): string {
	if (Array.isArray(value)) return `[${value.map((entry) => write(entry, '')).join(',')}]`;
	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value).map(
			([name, entry]) => `${JSON.stringify(name)}:${write(entry, name)}`,
		);
		return `{${fields.join(',')}}`;
	}
	if (typeof value === 'number' && /amount$/i.test(key) && reaisToCents(value) !== null) {
		return value.toFixed(2);
	}
	return JSON.stringify(value);
}
