import { mapValues } from 'lodash';

/**
 * What the emulated service does where the description of the API is silent. For each open point: its
 * switches, and for each switch what it can do. The first value is what the nodes assume; the second
 * one is its opposite. A value names its switch, so it occurs once in a point.
 */
export const DIALECTS = {
	listFilters: {
		/** `otherNames` knows its own names; `ignoredNames` filters by nothing. */
		names: ['assumedNames', 'otherNames', 'ignoredNames'],
		/** What happens to a query parameter that the service does not know. */
		unknown: ['ignored', 'refused'],
		/** Which timestamp of a row the date filters mean. */
		dates: ['createdAt', 'paidOrProcessedAt'],
	},
	listOrder: {
		order: ['newestFirst', 'oldestFirst', 'byId'],
	},
	documentParameters: {
		names: ['assumedNames', 'otherNames'],
		/** A statement without a period that the service can read. */
		period: ['required', 'currentMonth'],
	},
	requestBodies: {
		/** Undocumented fields: `destination.type` of withdrawals, `locale` of payments. */
		extra: ['none', 'required'],
		unknown: ['ignored', 'refused'],
	},
	simulateBody: {
		field: ['status', 'targetStatus'],
		answer: ['payment', 'empty'],
	},
	productFields: {
		required: ['nameAndAmount', 'all', 'nameOnly'],
	},
	successStatus: {
		status: ['createdOrOk', 'alwaysOk', 'accepted'],
	},
	paymentEnvelope: {
		envelope: ['payment', 'none', 'data'],
		checkoutUrl: ['inside', 'beside'],
	},
	paymentTransitions: {
		/** `stepwise`: by PROCESSING and CONFIRMED. */
		payment: ['direct', 'stepwise'],
	},
	withdrawalTransitions: {
		/** The status in the response to a creation. */
		first: ['pending', 'processing', 'completed'],
		/** Whether a COMPLETED withdrawal can still become FAILED: the bank sent the money back. */
		last: ['final', 'returnable'],
	},
	refundTransitions: {
		/** Whether a refund takes its time or has ended in the response. */
		pace: ['later', 'atOnce'],
	},
	pixKeyType: {
		spelling: ['RANDOM', 'EVP', 'lowerCase'],
	},
	methodData: {
		fields: ['qrCode', 'nested', 'typeOnly'],
	},
	refundFailedStatus: {
		status: ['502', '400', '422'],
	},
	unlistedEndpoints: {
		/** POST /v1/customers, PATCH /v1/customers/{customerId} and PATCH /v1/products/{productId}. */
		endpoints: ['absent', 'present'],
	},
	rateLimitReset: {
		unit: ['seconds', 'milliseconds', 'epochSeconds', 'epochMilliseconds', 'httpDate'],
		/** Whether `Retry-After` is sent, which is not described. */
		retryAfter: ['retryAfter', 'noRetryAfter'],
	},
	rateLimitDefault: {
		/** Requests a minute of a key without its own number; the account's setting is the most. */
		perMinute: ['asConfigured', '100', '10'],
	},
	sizeLimits: {
		/** `small`: texts of 140 characters, metadata of 500. */
		texts: ['none', 'small'],
	},
	deprecation: {
		headers: ['none', 'announced'],
	},
	storedFailures: {
		/** Which errors stay under an idempotency key: those that are described, none, or all. */
		stored: ['described', 'none', 'all'],
	},
	idempotencyScope: {
		/** Whose idempotency keys are distinguished: those of an account, or those of each of its API keys. */
		of: ['account', 'apiKey'],
	},
	signature: {
		layout: ['dot', 'newline', 'colon', 'plain', 'v1Colon', 'bodyFirst'],
		hash: ['sha256', 'sha512'],
		encoding: ['hex', 'base64', 'base64url'],
	},
	timestampForm: {
		form: ['s', 'ms', 'iso', 'us', 'ns', 'httpDate'],
	},
	retriedDelivery: {
		/** Whether a retry carries the timestamp of its own attempt, or of the first one. */
		timestamp: ['ofAttempt', 'ofFirst'],
	},
	headerForms: {
		/** `v1=…`, `t=…,v1=…`, the bare signature, `v1,…` or `sha256=…`. */
		value: ['versioned', 'fields', 'bare', 'versionedByComma', 'hashNamed'],
		further: ['none', 'sent'],
	},
	eventIdentifiers: {
		/** What a WITHDRAWAL event identifies its withdrawal by. */
		withdrawal: ['idAndTxId', 'txIdOnly', 'withdrawalIdOnly'],
	},
	probe: {
		signature: ['signed', 'unsigned'],
		name: ['webhook.test', 'TEST', 'WEBHOOK_TEST'],
		deliveryId: ['withId', 'withoutId'],
	},
	twelfthEvent: {
		event: ['neverSent', 'WITHDRAWAL_CANCELLED', 'PAYMENT_CREATED'],
	},
	eventTriggers: {
		withdrawalSent: ['whenCompleted', 'whenProcessing'],
		/** What is sent when a MED is refused and the payment is PAID again. */
		medRefused: ['resolved', 'resolvedAndPaid'],
	},
	eventFields: {
		/** Beyond what identifies the resource and what is described. */
		fields: ['many', 'few', 'unheardOf'],
	},
	reactivation: {
		/** Whether a suspended endpoint can be reactivated by POST /v1/webhooks/{id}/reactivate. */
		endpoint: ['absent', 'present'],
	},
	unlistedFields: {
		/** Fields of payments and withdrawals that the description does not list. */
		records: ['asDescribed', 'withMore'],
	},
	medStatus: {
		/** The status that a payment shows during a MED procedure. */
		during: ['MED_FROZEN', 'PAID'],
	},
	productSearch: {
		/** How a search by name compares; it knows no accents either way. */
		compares: ['anyCase', 'exactCase'],
	},
	checkoutUrls: {
		/** Where the checkout leads after paying, and on leaving without. */
		leadsTo: ['completionAfterPaying', 'returnAfterPaying'],
	},
	repeatedExternalId: {
		/** What it does, other than for hosted card payments. */
		finds: ['nothing', 'earlierPayment'],
	},
	customerAuthorization: {
		/** Whether a customer can be read by external ID with an API key. */
		takes: ['apiKey', 'oauthToken'],
	},
	scopes: {
		refund: ['refundOrWrite', 'writeOnly', 'refundOnly'],
		simulate: ['write', 'any'],
	},
	suspensionThresholds: {
		/** `few`: an endpoint is suspended after 20 failures in a row. */
		failures: ['asConfigured', 'few'],
	},
} as const satisfies Record<string, Record<string, readonly [string, string, ...string[]]>>;

export type OpenPointId = keyof typeof DIALECTS;

type Switches<P extends OpenPointId> = {
	-readonly [S in keyof (typeof DIALECTS)[P]]: (typeof DIALECTS)[P][S] extends readonly string[]
		? (typeof DIALECTS)[P][S][number]
		: never;
};

/** What the service does at every open point. Live: a change affects every later request. */
export type Dialect = { -readonly [P in OpenPointId]: Switches<P> };

type Loose = Record<string, Record<string, string>>;
const POINTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = DIALECTS;

function build(choose: (values: readonly string[]) => string | undefined): Dialect {
	return mapValues(POINTS, (switches) =>
		mapValues(switches, (values) => choose(values) ?? values[1] ?? ''),
	) as unknown as Dialect;
}

export function assumedDialect(): Dialect {
	return build(([assumed]) => assumed);
}

/**
 * The opposite of everything that the nodes assume.
 * @param number 1 is the first alternative of each switch, 2 the second one where there is one, …
 */
export function oppositeDialect(number = 1): Dialect {
	return build((values) => values[number]);
}

/**
 * Reads `id=alternative,id2=one+another` from left to right. `opposite`, `opposite2`, … set all points.
 * @throws RangeError that says what there is to choose from
 */
export function parseDialect(text: string): Dialect {
	let dialect = assumedDialect();
	for (const part of text.split(',').map((one) => one.trim())) {
		const [, number] = /^opposite(\d?)$/.exec(part) ?? [];
		if (part === '' || part === 'assumed') continue;
		if (number !== undefined) dialect = oppositeDialect(Number(number || 1));
		else change(dialect, part);
	}
	return dialect;
}

function change(dialect: Loose, part: string): void {
	const [id = '', chosen = ''] = part.split(/=(.*)/s);
	const switches = Object.hasOwn(POINTS, id) ? POINTS[id] : undefined;
	if (!switches) {
		throw new RangeError(`There is no open point "${id}", only ${Object.keys(POINTS).join(', ')}.`);
	}
	for (const value of chosen.split('+')) {
		const found = Object.entries(switches).find(([, values]) => values.includes(value));
		if (!found) {
			const values = Object.values(switches).flat().join(', ');
			throw new RangeError(`${id} cannot be "${value}", only ${values}.`);
		}
		dialect[id] = { ...dialect[id], [found[0]]: value };
	}
}

/** The points that differ from what the nodes assume, in the form that `parseDialect` reads. */
export function describeDialect(dialect: Dialect): string {
	return Object.entries(POINTS)
		.flatMap(([id, switches]) => {
			const own = (dialect as Loose)[id] ?? {};
			const changed = Object.entries(switches)
				.filter(([name, [assumed]]) => own[name] !== assumed)
				.map(([name]) => own[name]);
			return changed.length === 0 ? [] : `${id}=${changed.join('+')}`;
		})
		.join(',');
}
