/** The report of a run in sentences: what happened, which rows, and how to continue. */
import type { RunEnd } from '../shared/failures/itemError';
import { maskText } from '../shared/privacy/text';
import { ROW_STATES, type RowGroup, type RowState, type RunFacts, type RunReport } from './report';

/** What people recognize an item by; empty for nothing. */
type NameOf = (item: number) => string;

const nameless: NameOf = () => '';

/** For the error that ends a run; each part is empty if there is nothing to say. */
export function wordRun(
	report: RunReport,
	facts: RunFacts,
): Pick<RunEnd, 'account' | 'howToContinue' | 'withdrawals'> {
	if (report.itemCount < 2) {
		const isNothing = report.refused !== undefined && facts.hasActed !== true;
		const isOver = facts.isCancelled || isToldByRows(facts);
		const alone = isOver || hasEqual(facts) ? '' : retryAlone(facts);
		// Not as the way to continue: that is in the row's own words.
		const warning = isOver || alone !== '' ? '' : sendTheRest(facts) || warnOfNew(facts);
		const account = isNothing ? nothing(facts) : warning;
		return { account, howToContinue: alone, withdrawals: '' };
	}
	return {
		account: `${countRows(report, facts, nameless)} Row 1 is the first item.`,
		howToContinue: howToContinue(report, facts),
		withdrawals: [
			...listIds('Sent now', report.done),
			...listIds('Made before', report.before),
			// Duplicate Guard names what the rows are to be compared with.
			...listIds('Named in the messages', report.refused),
		].join(' '),
	};
}

/** What the builder of a workflow should know after a run that moves money, shown beside its output. */
export function findHints(report: RunReport, facts: RunFacts, nameOf: NameOf): string[] {
	const isPayout = facts.kind === 'payout';
	const payouts = isPayout ? wordPayouts(report, facts, nameOf) : '';
	const isPaidOnce = facts.hasReferences === true || facts.isEvent === true;
	return [
		...(facts.isTest === true && !isPayout ? ['With a test key no money moves.'] : []),
		...(payouts === '' ? [] : [payouts]),
		...(isPayout && !isPaidOnce ? adviseOnReferences(report, facts) : []),
		// Only with Continue On Fail: otherwise, the run has ended with an error.
		...(report.inDoubt ? [ENDS_GREEN] : []),
	];
}

const ENDS_GREEN =
	"Rows are in doubt, but On Error is set to Continue, so n8n lists this execution as successful. To have it fail in that case, end the workflow with an If node on {{ $json.error?.effect === 'unknown' }} and a Stop and Error node.";

/** What a run without references means for the next one. By hand, it may be the first one that moves money. */
function adviseOnReferences(
	{ done }: RunReport,
	{ isManual, isGuarded, isTest }: RunFacts,
): string[] {
	if (isTest === true || isManual !== true || done === undefined) return [];
	return [isGuarded === true ? `${NEXT_PAYS_AGAIN} ${GUARDED_FOR_NOW}` : NEXT_PAYS_AGAIN];
}

const NEXT_PAYS_AGAIN =
	'The next execution pays everyone again, as these payouts have no references. Remove the rows that are paid from the list, and fill in Reference before the next list is paid. Do not add references to rows that are paid.';
const GUARDED_FOR_NOW =
	"For 24 hours, 'Duplicate Guard' stops what was paid when you press Execute.";

/** For a run of payouts that n8n shows as a success; empty for a single one that failed: its error says it. */
export function wordPayouts(report: RunReport, facts: RunFacts, nameOf: NameOf): string {
	const { itemCount, done, before } = report;
	const account =
		itemCount > 1 ? countRows(report, facts, nameOf) : done || before ? wordOne(report, facts) : '';
	if (facts.isTest === true) return account && `${account} No money moved.`;
	return done ? `${account} ${PENDING}` : account;
}

const PENDING =
	'PENDING means that the bank has not confirmed yet: Withdrawal > Wait for Status waits for it.';

function wordOne({ done }: RunReport, { isTest, mayHaveMade }: RunFacts): string {
	if (done) return isTest === true ? 'Accepted with the test key.' : 'Sent now.';
	return mayHaveMade === true
		? 'This payout was made, now or before.'
		: 'Nothing was paid now: this payout was made before.';
}

/** `2 of 4 rows sent now: rows 1-2; 1 refused: row 3; 1 not sent: row 4.` */
function countRows(report: RunReport, facts: RunFacts, nameOf: NameOf): string {
	const parts = ROW_STATES.flatMap((state): string[] => {
		const group = report[state];
		const isFirst = state === 'done';
		if (group === undefined && !isFirst) return [];
		const count = `${group?.count ?? 0}${isFirst ? ` of ${report.itemCount} rows` : ''}`;
		// What went well needs no names.
		const named = state === 'done' || state === 'before' ? nameless : nameOf;
		return [`${count} ${wordOf(state, facts)}${group ? `: ${listRows(group, named)}` : ''}`];
	});
	return `${parts.join('; ')}.`;
}

function wordOf(state: RowState, { kind, mayHaveMade, hasActed, isTest }: RunFacts): string {
	const isPayout = kind === 'payout';
	switch (state) {
		case 'done':
			// The bank need not have confirmed it.
			if (isPayout) return isTest === true ? 'accepted with the test key' : 'sent now';
			return kind === 'read' ? 'finished' : 'took effect';
		case 'before':
			// If an earlier attempt got no answer, it may be this run that has paid.
			// Nor need a payout that was made have been paid: the bank may have refused it since.
			return `${isPayout ? 'made' : 'created'} ${mayHaveMade === true ? 'now or before' : 'before'}`;
		case 'inDoubt':
			return 'in doubt';
		case 'refused':
			// Now: whether an earlier execution has paid it, only the ledger knows, and it need not have been asked.
			return kind === 'read' ? 'failed' : 'refused';
		case 'notStarted':
			return kind === 'read'
				? 'not started'
				: hasActed === true
					? 'not sent this time'
					: 'not sent';
	}
}

const nothing = ({ kind, calledAs }: RunFacts): string => {
	// Other calls by the same workflow may have paid.
	const here = calledAs === undefined ? 'now' : 'by this call';
	return kind === 'payout'
		? `Nothing was paid ${here}.`
		: kind === 'order'
			? `Nothing took effect ${here}.`
			: '';
};

/** The caller shows this error as its own, and its retry would call once more. */
const retryAlone = ({ kind, calledAs, hasReferences }: RunFacts): string =>
	calledAs === undefined || hasReferences === true || (kind !== 'payout' && kind !== 'order')
		? ''
		: `Retry the called execution ${calledAs} alone: to retry its caller would ${again(kind)}. What the caller has not sent here yet, send in a new execution.`;

/** In a loop of single rows, whoever corrects one and starts the list again would pay the earlier ones again. */
const warnOfNew = ({ kind, hasActed, hasReferences }: RunFacts): string =>
	hasActed !== true || hasReferences === true || (kind !== 'payout' && kind !== 'order')
		? ''
		: 'What this execution did in other rounds or nodes, a new one would do again.';

/** The error of a row says how to go on, and neither a retry nor the same list again would help. */
const isToldByRows = ({ codes }: RunFacts): boolean =>
	['ROWS_CHANGED', 'REFERENCE_NEEDED', 'IN_DOUBT'].some((code) => codes?.has(code));

/** A row is the same as another one, so a retry of the saved rows stops again. */
const hasEqual = ({ codes }: RunFacts): boolean => codes?.has('EQUAL_ROWS') === true;

/** Another round or node may have paid the rest of these rows. */
const sendTheRest = (facts: RunFacts): string =>
	hasEqual(facts) && facts.hasActed === true
		? 'Do not choose Retry: it stops here again. In a new execution, send only what this one has not sent in any round or node: the rest would be paid again.'
		: '';

const again = (kind: RunFacts['kind']): string =>
	kind === 'payout' ? 'pay everyone again' : 'send everything again';

function howToContinue(report: RunReport, facts: RunFacts): string {
	const { kind, hasActed, hasReferences, isCancelled, codes, calledAs } = facts;
	// With ROWS_CHANGED, to run the changed list once more would pay what was paid.
	if ((kind !== 'order' && kind !== 'payout') || isToldByRows(facts)) return '';
	const isPayout = kind === 'payout';
	if (hasReferences === true) {
		const once = isPayout ? 'each reference is paid' : 'each External ID is charged';
		// What came by a webhook or a form, nobody can run again.
		const retry = isCancelled ? '' : ', or choose Retry, which repeats the saved rows';
		return `To continue, do what each message says, and run the workflow again${retry}: ${once} once.`;
	}
	if (isCancelled) {
		return 'n8n offers no Retry for a stopped execution. Check what took effect, and send only the rest in a new execution.';
	}
	// Another execution has paid some of these rows: of its own rest, its retry knows nothing of this one.
	if (codes?.has('POSSIBLE_DUPLICATE')) {
		return `To continue, do what each message says.${report.done ? ' Do not retry another execution of these rows: it would pay again what was paid here.' : ''}`;
	}
	const rest = sendTheRest(facts);
	if (rest !== '') return `To continue, do what each message says. ${rest}`;
	const { done, before, inDoubt, refused } = report;
	if (!hasActed && !done && !before && !inDoubt && calledAs === undefined) {
		return `${nothing(facts)} To continue, do what each message says, and start the workflow again, or choose Retry in the list Executions, which repeats the saved rows. Not both: that would ${again(kind)}.`;
	}
	const doubt = inDoubt ? 'do what the message of each row in doubt says, and ' : '';
	// The ledger knows each payout; of everything else, the service recognizes the key.
	const within = isPayout ? '' : ' within 24 hours, with this node unchanged';
	const correct = refused
		? ` Retry repeats the saved rows: to correct one, start a new execution without the rows that took effect${hasActed === true ? ', here or in other rounds and nodes' : ''}. Then do not retry this one.`
		: '';
	const other =
		calledAs === undefined ? `A new execution would ${again(kind)}.` : retryAlone(facts);
	return `To continue, ${doubt}choose Retry in the list Executions${within}: nothing that took effect is repeated. ${other}${correct}`;
}

/** A text stays readable, however many rows it names. */
export const MAX_ROWS = 10;

/** `rows 1-5, 8 (NF-8)`: people count rows from 1. */
export function listRows(
	{ count, items }: Pick<RowGroup, 'count' | 'items'>,
	nameOf: NameOf,
): string {
	const texts = items.flatMap(([first, last]) => {
		if (nameOf(first) === '') return first === last ? `${first + 1}` : `${first + 1}-${last + 1}`;
		return Array.from({ length: last - first + 1 }, (_, nth) => nameOfRow(first + nth, nameOf));
	});
	const left = texts.length - MAX_ROWS;
	const shown = left > 0 ? [...texts.slice(0, MAX_ROWS), `and ${left} more`] : texts;
	return `${count === 1 ? 'row' : 'rows'} ${shown.join(', ')}`;
}

/** `2 (NF-2)`, as people count. */
export function nameOfRow(index: number, nameOf: NameOf): string {
	const name = nameOf(index);
	return `${index + 1}${name === '' ? '' : ` (${maskText(name)})`}`;
}

/** `Sent now: ID, ID.` */
function listIds(label: string, group: RowGroup | undefined): string[] {
	const { withdrawalIds: ids = [], moreWithdrawals: unnamed = 0 } = group ?? {};
	if (ids.length === 0) return [];
	return [`${label}: ${ids.join(', ')}${unnamed === 0 ? '' : ` and ${unnamed} more`}.`];
}
