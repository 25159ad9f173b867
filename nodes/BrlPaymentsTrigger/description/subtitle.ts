import { eventOptions } from '../emit/events';

/** An expression for the text below the name of the node: `Payment Paid, Payment Confirmed`. */
export function buildSubtitle(): string {
	const words = Object.fromEntries(eventOptions.map(({ name, value }) => [String(value), name]));
	return `={{ [].concat($parameter["events"] ?? []).map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;
}
