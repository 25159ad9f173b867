/** Ends a text of unknown length like a sentence; cuts off one that is too long. */
export function sentence(text: string): string {
	const short = text.length > 500 ? `${text.slice(0, 500)}…` : text;
	return /[.!?…]$/.test(short) ? short : `${short}.`;
}
