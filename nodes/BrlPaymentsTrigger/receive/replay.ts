/**
 * Replays by hand. The API knows two kinds: with the original delivery id, which deduplication
 * discards, and with a new id, which it lets through anyway (docs/api.md#replays-and-resends).
 */

/** The IDs in the option Let Through Again; the same ID twice means twice. */
export function readReplayIds(text: string): string[] {
	return text.split(/[\s,;]+/).filter((id) => id !== '');
}

/**
 * What a delivery is remembered by: its id or, while the user wants it let through again, a separate
 * name, so that each entry of the user lets one copy through and no more.
 */
export function replayKey(deliveryId: string, replayIds: readonly string[]): string {
	const wishes = replayIds.filter((id) => id === deliveryId).length;
	return wishes === 0 ? deliveryId : `${deliveryId} again ${wishes}`;
}
