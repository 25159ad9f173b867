/** What tells two worlds apart. */
import type { Action, Row, State } from '../../nodes/BrlPayments/orders/protocol';
import { COUNTS, KEY_LIFE, TICK_MS } from './bounds';
import type { Run, World } from './state';

/** Run names are single characters of a range of their own, so that `keyOf` can rename them. */
export function runName(index: number): string {
	return String.fromCharCode(0xe000 + index);
}
const RUN_NAMES = /[\uE000-\uEFFF]/g;

/** `bare`: without the names of runs, by which parts are sorted. */
export interface Text {
	readonly full: string;
	readonly bare: string;
}

function toText(full: string): Text {
	return { full, bare: full.replace(RUN_NAMES, '') };
}

export function toRun(
	{ order, body }: Pick<Run, 'order' | 'body'>,
	state: State,
	action: Action,
	half = false,
	unansweredAt = state.unansweredAt,
): Run {
	// Reading the ledger replaces what was known of it.
	const isRead = action.do === 'change' && action.record.length === 0 && !half;
	const { rows, ...rest } = state;
	const known = isRead ? '' : describeRows(rows);
	const ids = 'remove' in action ? action.remove : [];
	const removed = describeRows(rows.filter(({ id }) => ids.includes(id)));
	const what = isRead ? '' : describe(action);
	const full = `${order}${body}${describe(rest)}${known}>${what}-${removed}/${half}${unansweredAt}`;
	return { order, body, state, action, half, unansweredAt, text: toText(full) };
}

const rowTexts = new WeakMap<Row, Text>();

function describeRow(row: Row): Text {
	const cached = rowTexts.get(row);
	if (cached) return cached;
	const text = toText(describe(row));
	rowTexts.set(row, text);
	return text;
}

function describeRows(rows: readonly Row[]): string {
	return sorted(rows.map(describeRow));
}

function sorted(texts: Text[]): string {
	if (texts.length > 1)
		texts.sort((one, other) => (one.bare < other.bare ? -1 : one.bare > other.bare ? 1 : 0));
	let all = '';
	for (const { full } of texts) all += `${full};`;
	return all;
}

/** Plain data, without IDs of rows. */
function describe(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (Array.isArray(value)) return `[${value.map(describe).join()}]`;
	if (value instanceof Set) return `{${[...(value as Set<unknown>)].sort().join()}}`;
	let text = '';
	for (const name in value) {
		if (name !== 'id' && name !== 'remove')
			text += `${describe((value as Record<string, unknown>)[name])},`;
		else if (name === 'id' && typeof (value as Row).id === 'string')
			text += `${(value as Row).id as unknown as string},`;
	}
	return `(${text})`;
}

/**
 * The same for worlds that differ in nothing that matters: IDs of rows, and which of two runs is which.
 * Times are absolute: what is left to happen says what time it is.
 */
export function keyOf(world: World): string {
	const left = COUNTS.map((count) => world.left[count]).join();
	return rename(`${left}|${describeWorld(world)}`);
}

function describeWorld({ ledger, keys, withdrawals, requests, runs, look, now }: World): string {
	const rows = ledger.map(({ order, row }) => {
		const { full, bare } = describeRow(row);
		return order === 0 ? { full, bare } : { full: order + full, bare: order + bare };
	});
	let text = `${now}|${sorted(runs.map((run) => run.text))}|${sorted(rows)}|`;
	text += sorted(requests.map((one) => toText(describe(one))));
	text += '|';
	text += sorted(keys.map((known) => toText(describe(known))));
	text += '|';
	for (const one of withdrawals) text += describe(one);
	return look ? `${text}|${describe(look)}` : text;
}

/** As `keyOf`, whatever is left to happen, and whenever it is: for the worlds in which all is at rest. */
export function restingKeyOf(world: World): string {
	const { now } = world;
	const ago = (at: number) => at - now * TICK_MS;
	return rename(
		describeWorld({
			...world,
			now: 0,
			ledger: world.ledger.map(({ order, row }) => ({ order, row: { ...row, at: ago(row.at) } })),
			keys: world.keys.map((known) => ({ ...known, since: known.since - now })),
			withdrawals: world.withdrawals.map((one) => ({
				...one,
				at: Math.max(one.at - now, -2 * KEY_LIFE),
			})),
		}),
	);
}

function rename(text: string): string {
	const names = new Map<string, string>();
	return text.replace(RUN_NAMES, (name) => {
		const known = names.get(name);
		if (known !== undefined) return known;
		const next = String.fromCharCode(0xe000 + names.size);
		names.set(name, next);
		return next;
	});
}
