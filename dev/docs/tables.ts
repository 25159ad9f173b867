/** The tables in docs/ that are made from the code. */
import { resources } from '../../nodes/BrlPayments/resources';
import {
	ACCEPTED,
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	INTERNAL_ERROR,
	notADelivery,
	TOO_LARGE,
	unsigned,
	type Reply,
} from '../../nodes/BrlPaymentsTrigger/answers';
import { DEFAULT_WINDOW_SECONDS } from '../../nodes/BrlPaymentsTrigger/description';
import { EVENTS } from '../../nodes/BrlPaymentsTrigger/events';
import { TRANSPORT_ERRORS } from '../../nodes/shared/failures/explainFailure';
import { ERROR_CATALOGUE, type CatalogueEntry } from '../../nodes/shared/retry/errors';
import { classify } from '../../nodes/shared/retry/verdict';
import type { FailedOutcome, UnclearCause } from '../../nodes/shared/transport/outcome';
import { REASON_OF_CODE } from '../../nodes/shared/transport/sendRequest';

type Rows = ReadonlyArray<readonly string[]>;

/** By page, and by the name that stands in the comment above the table. The first row is its head. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, () => Rows>>>> = {
	'docs/errors.md': {
		'codes of the service': codesOfService,
		'codes of the connection': connectionCodes,
	},
	'docs/operations.md': { operations },
	'docs/events.md': { events, refused },
};

/**
 * A page with its tables as the code has them now.
 * @throws Error if the page has no place for one of them
 */
export function fillTables(page: string, text: string): string {
	return Object.entries(TABLES[page]!).reduce((filled, [name, rows]) => {
		const place = new RegExp(
			`(<!-- \`npm run docs\` writes: ${name} -->\n<!-- prettier-ignore -->\n)[^\n]*(?:\n\\|[^\n]*)*`,
		);
		if (!place.test(filled)) throw new Error(`${page} has no place for the table "${name}"`);
		return filled.replace(place, (_, comment: string) => comment + toMarkdown(rows()));
	}, text);
}

function toMarkdown([head = [], ...rows]: Rows): string {
	return [head, head.map(() => '-'), ...rows]
		.map((cells) => `|${cells.map((cell) => cell.replaceAll('|', '\\|')).join('|')}|`)
		.join('\n');
}

const code = (text: string): string => `\`${text}\``;

/* Errors */

const EFFECT = { none: 'no', notReached: 'not now', unknown: 'perhaps' } as const;
const RETRY = { never: 'no', sameKey: 'same key', newKey: 'new key', wait: 'waits' } as const;

/** Whether it took effect, and what the node does, of a write under a key. */
function judge(
	outcome: FailedOutcome,
	isReplay = false,
	kind: 'keyed' | 'boletoCreation' = 'keyed',
) {
	const { effect, retry } = classify(outcome, kind, isReplay);
	return [EFFECT[effect], RETRY[retry]] as const;
}

function codesOfService(): Rows {
	const rows = Object.entries<CatalogueEntry>(ERROR_CATALOGUE).map(([name, entry]) => {
		const { status, what, remedy, onReplay, onBoletoReplay } = entry;
		const outcome: FailedOutcome = {
			...{ kind: 'refused', code: name, status: status ?? 0 },
			...{ message: '', details: undefined, headers: {} },
		};
		const [effect, retry] = judge(outcome);
		const [, later] = judge(outcome, true, onBoletoReplay ? 'boletoCreation' : 'keyed');
		const then = onReplay || onBoletoReplay ? `, if stored ${later}` : '';
		return [code(name), String(status ?? ''), `${what}.`, remedy, effect, retry + then];
	});
	return [['code', 'HTTP', 'what happened', 'what to do', 'took effect', 'retried'], ...rows];
}

function connectionCodes(): Rows {
	const causes = Object.keys(TRANSPORT_ERRORS) as UnclearCause[];
	const rows = causes.map((cause) => {
		const reasons = Object.values(REASON_OF_CODE).filter(({ reason }) => reason === cause);
		const neverSent = reasons.length > 0 && reasons.every((reason) => reason.neverSent);
		const status = cause === 'gateway' ? 502 : null;
		const { code: name, message, description } = TRANSPORT_ERRORS[cause];
		const verdict = judge({ kind: 'unclear', cause, status, neverSent });
		return [code(name), `${message}.`, description, ...verdict];
	});
	return [['code', 'what happened', 'what to do', 'took effect', 'retried'], ...rows.sort()];
}

/* Operations */

function operations(): Rows {
	const rows = resources.flatMap(({ option, operations: own }) =>
		own.map(({ option: { name, description }, scope, extraScope, isWrite, movesMoney }) => [
			`${option.name} > **${name}**`,
			`${movesMoney ? '**Moves money.** ' : isWrite ? '**Writes.** ' : ''}${description}`,
			[scope, extraScope && `${extraScope.scope} for ${extraScope.purpose}`]
				.filter((one) => one !== undefined && one !== null)
				.join('; ')
				.replaceAll(/\w+:\w+/g, code),
		]),
	);
	return [['operation', 'what it does', 'scope'], ...rows];
}

/* The trigger */

function events(): Rows {
	const rows = Object.entries(EVENTS).map(([type, { name, description, listed }]) => [
		name,
		code(type),
		description,
		listed ? listed.map(code).join(' or ') : 'no',
	]);
	return [['Trigger On', 'event', 'what happened', 'polling sees it as'], ...rows];
}

function refused(): Rows {
	const window = DEFAULT_WINDOW_SECONDS * 1000;
	const replies: Reply[] = [
		unsigned('X-Webhook-Signature'),
		answerToUnverified({ result: 'mismatch', tried: '…' }),
		answerToUnverified({ result: 'malformed' }),
		answerToUnverified({ result: 'stale', differenceMs: window + 60_000 }),
		...[FOREIGN_SIGNATURE, IN_FLIGHT, INTERNAL_ERROR, TOO_LARGE],
		notADelivery('The body is not a JSON object'),
		ACCEPTED,
	];
	const rows = replies.map(({ status, reason }) => [String(status), reason]);
	return [['response', 'what the sender and the log of n8n say'], ...rows];
}
