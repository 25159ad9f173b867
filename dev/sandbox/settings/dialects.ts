import { mapValues } from 'lodash';

/**
 * What the emulated service does where the description of the API is silent and a wrong assumption
 * could cost money or an event. For each open point: its switches, and for each switch what it can do.
 * The first value is what the nodes assume; the second one is its opposite. A value names its switch,
 * so it occurs once in a point.
 */
const DIALECTS = {
	listFilters: {
		/** `otherNames` knows its own names; `ignoredNames` filters by nothing. */
		names: ['assumedNames', 'otherNames', 'ignoredNames'],
		/** Which timestamp of a row the date filters mean. */
		dates: ['createdAt', 'paidOrProcessedAt'],
	},
	listOrder: {
		order: ['newestFirst', 'oldestFirst', 'byId'],
	},
	paymentEnvelope: {
		envelope: ['payment', 'none', 'data'],
		checkoutUrl: ['inside', 'beside'],
	},
	withdrawalTransitions: {
		/** The status in the response to a creation. */
		first: ['pending', 'processing', 'completed'],
		/** Whether a COMPLETED withdrawal can still become FAILED: the bank sent the money back. */
		last: ['final', 'returnable'],
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
	eventTriggers: {
		withdrawalSent: ['whenCompleted', 'whenProcessing'],
		/** What is sent when a MED is refused and the payment is PAID again. */
		medRefused: ['resolved', 'resolvedAndPaid'],
	},
	medStatus: {
		/** The status that a payment shows during a MED procedure. */
		during: ['MED_FROZEN', 'PAID'],
	},
	repeatedExternalId: {
		/** What it does, other than for hosted card payments. */
		finds: ['nothing', 'earlierPayment'],
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

function build(choice: 0 | 1): Dialect {
	return mapValues(POINTS, (switches) =>
		mapValues(switches, (values) => values[choice]),
	) as unknown as Dialect;
}

export const assumedDialect = (): Dialect => build(0);

/**
 * Reads `id=alternative,id2=one+another` from left to right. `opposite` sets all points.
 * @throws RangeError that says what there is to choose from
 */
export function parseDialect(text: string): Dialect {
	let dialect = assumedDialect();
	for (const part of text.split(',').map((one) => one.trim())) {
		if (part === '') continue;
		if (part === 'opposite') dialect = build(1);
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
