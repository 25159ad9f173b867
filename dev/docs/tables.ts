/** The tables in docs/ that are made from the code. */
import { kebabCase } from 'lodash';
import { resources } from '../../nodes/BrlPayments/resources';
import {
	ACCEPTED,
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	INTERNAL_ERROR,
	notADelivery,
	TOO_LARGE,
	type Reply,
} from '../../nodes/BrlPaymentsTrigger/answers';
import { DEFAULT_WINDOW_SECONDS } from '../../nodes/BrlPaymentsTrigger/description';
import { EVENTS } from '../../nodes/BrlPaymentsTrigger/events';
import { TRANSPORT_ERRORS } from '../../nodes/shared/failures/explainFailure';
import { ERROR_CATALOGUE, type CatalogueEntry } from '../../nodes/shared/retry/errors';
import { classify } from '../../nodes/shared/retry/verdict';
import type { FailedOutcome, UnclearCause } from '../../nodes/shared/transport/outcome';
import { REASON_OF_CODE } from '../../nodes/shared/transport/sendRequest';
import { OPERATIONS } from '../sandbox/routes';

type Rows = ReadonlyArray<readonly string[]>;

/** By page, and by the name that stands in the comment above the table. The first row is its head. */
export const TABLES: Readonly<Record<string, Readonly<Record<string, () => Rows>>>> = {
	'docs/errors.md': {
		'codes of the service': codesOfService,
		'codes of the connection': connectionCodes,
	},
	'docs/operations.md': { operations },
	'docs/events.md': { events, refused },
	'docs/api.md': { endpoints },
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
		answerToUnverified({ result: 'missing', header: 'X-Webhook-Signature' }),
		answerToUnverified({ result: 'mismatch', tried: '…' }),
		answerToUnverified({ result: 'malformed', header: 'X-Webhook-Timestamp' }),
		answerToUnverified({ result: 'stale', differenceMs: window + 60_000 }),
		...[FOREIGN_SIGNATURE, IN_FLIGHT, INTERNAL_ERROR, TOO_LARGE],
		notADelivery('The body is not a JSON object'),
		ACCEPTED,
	];
	const rows = replies.map(({ status, reason }) => [String(status), reason]);
	return [['response', 'what the sender and the log of n8n say'], ...rows];
}

/* The service */

/** What an endpoint does, and the field that its response is in. */
const ENDPOINTS: Readonly<Record<string, readonly [name: string, returns: string]>> = {
	'GET /v1/auth/self': ['Get the API key', '`apiKey`'],
	'GET /v1/balance': ['Get the balance', '`balance`'],
	'GET /v1/payments': ['List payments', '`payments`'],
	'GET /v1/payments/txid/{txId}': ['Get a payment by transaction ID', '`payment`'],
	'GET /v1/payments/{paymentId}': ['Get a payment', 'open: paymentEnvelope'],
	'GET /v1/payments/{paymentId}/boleto': ['Download a boleto', 'a PDF'],
	'POST /v1/payments': ['Create a payment', 'open: paymentEnvelope'],
	'POST /v1/payments/{paymentId}/refund': ['Refund a payment', '`refund`'],
	'POST /v1/payments/{paymentId}/simulate': ['Simulate an outcome', 'open: simulateBody'],
	'GET /v1/withdrawals': ['List withdrawals', '`withdrawals`'],
	'GET /v1/withdrawals/{withdrawalId}': ['Get a withdrawal', '`withdrawal`'],
	'GET /v1/withdrawals/limits': ['Get withdrawal limits', 'the limits as the body'],
	'POST /v1/withdrawals': ['Create a withdrawal', '`withdrawal`'],
	'POST /v1/products': ['Create a product', '`product`'],
	'GET /v1/products': ['List products', '`products`'],
	'GET /v1/products/external/{externalId}': ['Get a product by external ID', '`product`'],
	'DELETE /v1/products/{productId}': ['Delete a product', '`message`; it becomes inactive'],
	'POST /v1/products/{productId}/image': ['Upload a product image', '`product`'],
	'DELETE /v1/products/{productId}/image': ['Delete a product image', '`product`'],
	'GET /v1/customers/{customerId}': ['Get a customer', '`customer`'],
	'GET /v1/customers/external/{externalId}': ['Get a customer by external ID', '`customer`'],
	'DELETE /v1/customers/{customerId}': ['Delete a customer', '`message`; it becomes inactive'],
	'GET /v1/documents/payments/{paymentId}/receipt': ['Get a receipt', 'the receipt itself'],
	'GET /v1/documents/statements': ['Get a statement', '`content`'],
};

function endpoints(): Rows {
	const rows = OPERATIONS.map(({ method, path, scopes }) => {
		const address = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
		const [name, returns] = ENDPOINTS[address] ?? [address, ''];
		// The emulator asks for a scope of its own: none is documented.
		const scope = path.endsWith('/simulate') ? '' : scopes.map(code).join(' or ');
		return [`<a id="${kebabCase(name)}"></a>${name}`, code(address), scope, returns];
	});
	return [['endpoint', 'address', 'scope', 'returns'], ...rows];
}
