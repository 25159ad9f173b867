/**
 * What a person reads off the screen of n8n. It decides only whether the person continues; what was
 * paid is decided by the books alone.
 */
import type { ItemState, RunSummary } from '../../../nodes/BrlPayments/execution/runSummary';
import { getRuns, type Execution, type Item, type NodeRun } from '../../n8n/rest/executionData';
import { getIndexes, pairedIndex } from '../report/statements';
import { PAY } from '../workflows';

/** Error codes of the package that name the withdrawal which pays the item. */
const PAID_BEFORE: ReadonlySet<unknown> = new Set(['POSSIBLE_DUPLICATE', 'ALREADY_DONE']);

/** What a run that failed says of items that are paid. */
const PAID: readonly ItemState[] = ['done', 'paidBefore', 'duplicates', 'doneEarlier'];

/** The payees that the paying node shows as paid, now or before, by the latest it says of each. */
export function shownAsPaid(execution: Execution): Set<string> {
	const shown = new Set<string>();
	for (const run of getRuns(execution, PAY)) {
		const input = getInput(execution, run);
		for (const [index, isPaid] of getOutcomes(run, input.length)) {
			const payee = input[index];
			if (payee === undefined) continue;
			if (isPaid) shown.add(payee);
			else shown.delete(payee);
		}
	}
	return shown;
}

/** Error codes of the package after which a person has to look a payout up at the service. */
const TO_LOOK_UP: ReadonlySet<unknown> = new Set(['REFERENCE_MISMATCH', 'PAYOUT_IN_DOUBT']);

/** The payees that the paying node asks the person to look up. */
export function shownAsStuck(execution: Execution): Set<string> {
	const stuck = new Set<string>();
	for (const run of getRuns(execution, PAY)) {
		const input = getInput(execution, run);
		for (const item of (run.data?.main ?? []).flatMap((output) => output ?? [])) {
			const payee = input[pairedIndex(item) ?? -1];
			const { code } = (item.json.error ?? {}) as { code?: unknown };
			if (payee !== undefined && TO_LOOK_UP.has(code)) stuck.add(payee);
		}
	}
	return stuck;
}

/** How often the paying node shows which error: the code where an item has one, else the message. */
export function errorsShown(execution: Execution): Map<string, number> {
	const counts = new Map<string, number>();
	const count = (name: unknown) => {
		const text = typeof name === 'string' ? name : 'an error without a name';
		counts.set(text, (counts.get(text) ?? 0) + 1);
	};
	for (const run of getRuns(execution, PAY)) {
		if (run.error) count(run.error.message);
		for (const { json, error } of (run.data?.main ?? []).flatMap((output) => output ?? [])) {
			const reported = json.error ?? error;
			if (typeof reported === 'string') count(reported);
			else if (reported) count((reported as { code?: unknown }).code);
		}
	}
	return counts;
}

/** What the paying node says about the items that it did not pay, each text once. */
export function explanationsShown(execution: Execution): string[] {
	const items = getRuns(execution, PAY).flatMap(({ data }) => (data?.main ?? []).flat());
	const texts = items.flatMap((item) => {
		const { code, message, description } = (item?.json.error ?? {}) as Record<string, unknown>;
		return typeof message === 'string' ? [[code, message, description].join(' | ')] : [];
	});
	return [...new Set(texts)];
}

/** The payees of the items that a run of the paying node was given. */
function getInput(execution: Execution, run: NodeRun): Array<string | undefined> {
	const source = run.source?.[0];
	if (!source) return [];
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const items = getRuns(execution, previousNode)[previousNodeRun]?.data?.main?.[previousNodeOutput];
	return (items ?? []).map(({ json }) => (typeof json.payee === 'string' ? json.payee : undefined));
}

/** Per index of an input item whether it is shown as paid. */
function getOutcomes(run: NodeRun, count: number): Map<number, boolean> {
	if (run.error) {
		const summary = run.error.summary as RunSummary | undefined;
		const paid = new Set(PAID.flatMap((state) => getIndexes(summary?.[state])));
		return new Map(Array.from({ length: count }, (_value, index) => [index, paid.has(index)]));
	}
	const outcomes = new Map<number, boolean>();
	for (const item of (run.data?.main ?? []).flatMap((output) => output ?? [])) {
		const index = pairedIndex(item);
		if (index !== undefined) outcomes.set(index, isPaid(item));
	}
	return outcomes;
}

function isPaid({ json, error }: Item): boolean {
	const reported = json.error ?? error;
	if (typeof reported === 'object' && reported !== null) {
		const { code, effect } = reported as { code?: unknown; effect?: unknown };
		return effect === 'done' || PAID_BEFORE.has(code);
	}
	if (reported !== undefined) return false;
	// The package's node returns the withdrawal itself, the HTTP Request node the whole body.
	const withdrawal = (json.withdrawal ?? json) as { id?: unknown };
	return typeof withdrawal.id === 'string';
}
