import { ALL_EVENTS, checkStatus, EVENTS, isSelected } from '../events/events';

/**
 * The expression behind the outputs of the node: one, or one per selected event and a last one for
 * everything else (test pings, and events that All Events lets in or that the status contradicts).
 * n8n evaluates it in the editor, so it is built as text and cannot call functions of this package.
 */
export function outputsExpression(): `={{${string}}}` {
	const names = JSON.stringify(
		Object.fromEntries(Object.entries(EVENTS).map(([value, { name }]) => [value, name])),
	);
	const order = JSON.stringify(Object.keys(EVENTS));
	return `={{ (() => {
		const names = ${names};
		const order = ${order};
		const toText = (value) => String(value ?? '').trim().toLowerCase();
		if (!['true', '1'].includes(toText(($parameter.options || {}).oneOutputPerEvent))) return [{ type: 'main' }];
		const given = $parameter.events;
		const events = (Array.isArray(given) ? given : String(given ?? '').split(',')).map((event) => toText(event).toUpperCase());
		const shown = events.includes('${ALL_EVENTS}') ? order : order.filter((event) => events.includes(event));
		return [...shown.map((event) => ({ type: 'main', displayName: names[event] })), { type: 'main', displayName: 'Other' }];
	})() }}`;
}

/**
 * The output that an event goes to; must agree with `outputsExpression`. An event that its signed
 * status does not confirm goes to the last one.
 */
export function getOutputIndex(
	{ event, status }: { event: string; status: string | null },
	selected: readonly string[],
	oneOutputPerEvent: boolean,
): number {
	if (!oneOutputPerEvent) return 0;
	const shown = Object.keys(EVENTS).filter((name) => isSelected(name, selected));
	const index = checkStatus(event, status) === 'agrees' ? shown.indexOf(event) : -1;
	return index === -1 ? shown.length : index;
}
