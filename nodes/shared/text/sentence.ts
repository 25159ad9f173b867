/** Ends a text of unknown length like a sentence; cuts off what is endless. */
export function sentence(text: string): string {
	const short = text.length > 500 ? `${text.slice(0, 500)}…` : text;
	return /[.!?…]$/.test(short) ? short : `${short}.`;
}
