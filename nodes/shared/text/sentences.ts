/** Puts sentences after one another; those that are empty or undefined are left out. */
export function joinSentences(...sentences: Array<string | undefined>): string {
	return sentences.filter(Boolean).join(' ');
}

/** Ends a text of unknown length like a sentence; cuts off one that is too long. */
export function sentence(text: string): string {
	const short = text.length > 500 ? `${text.slice(0, 500)}…` : text;
	return /[.!?…]$/.test(short) ? short : `${short}.`;
}
