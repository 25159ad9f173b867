import {
	planBefore,
	type Before,
	type KnownOfOrder,
} from '../../../../../nodes/BrlPayments/payouts/unreferenced';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import { KEY_LIFE_MS } from '../../../../../nodes/shared/orders/key';
import type { OrderRecord, RowChange } from '../../../../../nodes/shared/orders/order';
import { factsWith, recordWith } from './orders';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Since then a key is surely forgotten. */
const FORGOTTEN = NOW - KEY_LIFE_MS;
const LAST_TRIED = NOW - HOUR / 2;

interface Given {
	record?: Partial<OrderRecord>;
	change?: RowChange;
	known?: Partial<Omit<KnownOfOrder, 'order'>>;
	facts?: Partial<ExecutionFacts>;
}

/** A first attempt, in an execution that a trigger started an hour ago. */
const plan = ({ record, change = 'none', known, facts }: Given = {}): Before =>
	planBefore(
		{
			order: { record: recordWith(record), change },
			keyId: 'key-id-1',
			isComplete: facts?.mode !== 'retry',
			allowLate: false,
			...known,
		},
		factsWith({ establishedAt: NOW - HOUR, ...facts }),
		NOW,
	);

test.each<[string, Given]>([
	['of a trigger', {}],
	['that has waited for a month', { facts: { establishedAt: NOW - 30 * DAY } }],
	['in an n8n that does not say when it began', { facts: { establishedAt: undefined } }],
	['that a person started', { facts: { isStartedByHand: true, mode: 'manual' } }],
	['in a sub-workflow', { facts: { isSubExecution: true, mode: 'integrated' } }],
	['as a tool of an agent', { facts: { isAgentTool: true } }],
])('a first attempt of an execution %s is sent', (_, given) => {
	expect(plan(given)).toEqual({ do: 'send' });
});

describe('an order that may have taken effect', () => {
	/** Its first attempt was an hour ago, its last one half an hour. */
	const lost = (given: Given = {}): Before =>
		plan({
			...given,
			record: {
				state: 'unclear',
				firstUsedAt: NOW - HOUR,
				lastTriedAt: LAST_TRIED,
				...given.record,
			},
		});

	// The service returns the first result.
	test.each<[string, Given]>([
		['as it is', {}],
		['in a retry', { facts: { mode: 'retry' } }],
		['in a retry of an old execution', { facts: { mode: 'retry', establishedAt: FORGOTTEN } }],
		['in a retry of unknown age', { facts: { mode: 'retry', establishedAt: undefined } }],
		['in a retry that knows all', { facts: { mode: 'retry' }, known: { isComplete: true } }],
		['by an agent', { facts: { isAgentTool: true } }],
		['until its key expires', { record: { firstUsedAt: FORGOTTEN + 1 } }],
		['if a clock is a little ahead', { record: { firstUsedAt: NOW + MINUTE } }],
	])('is sent while its key is alive: %s', (_, given) => {
		expect(lost(given)).toEqual({ do: 'send' });
	});

	test.each<[string, Given, number]>([
		['its key is forgotten', { record: { firstUsedAt: FORGOTTEN } }, FORGOTTEN],
		['something else is asked for', { change: 'changed' }, NOW - HOUR],
		[
			'something else is asked for, just after it was sent',
			{ change: 'changed', record: { firstUsedAt: NOW } },
			NOW,
		],
		[
			'nothing shows when it was first sent',
			{ record: { firstUsedAt: undefined } },
			NOW - 14 * DAY,
		],
		['it was first sent in the future', { record: { firstUsedAt: NOW + HOUR } }, NOW - 14 * DAY],
	])('is to be proved absent since its first attempt where %s', (_, given, since) => {
		expect(lost(given)).toEqual({
			do: 'prove',
			since,
			triedAt: LAST_TRIED,
			mayDiffer: false,
		});
	});

	test.each<[string, Given]>([
		['its key lives', {}],
		['its key is forgotten', { record: { firstUsedAt: FORGOTTEN } }],
		['something else is asked for', { change: 'changed' }],
	])('is not sent with another API key, where %s', (_, given) => {
		expect(lost({ ...given, known: { keyId: 'key-id-2' } })).toEqual({ do: 'stop' });
	});

	test.each<[string, Given]>([
		['its key is forgotten', { record: { firstUsedAt: FORGOTTEN } }],
		['something else is asked for', { change: 'changed' }],
		['it was sent with another API key', { known: { keyId: 'key-id-2' } }],
	])('is sent where %s, if the user has looked', (_, given) => {
		expect(lost(given).do).not.toBe('send');
		expect(lost({ ...given, known: { ...given.known, allowLate: true } })).toEqual({ do: 'send' });
	});
});

describe('a retry whose memory knows nothing of the order', () => {
	const retried = (given: Given = {}): Before =>
		plan({ ...given, facts: { mode: 'retry', ...given.facts } });

	const delivery = { subject: 'delivery-1', receivedAt: NOW - 2 * HOUR };
	const provedSince = (since: number, mayDiffer: boolean) =>
		({ do: 'prove', since, triedAt: undefined, mayDiffer }) as const;

	test.each<[string, Given, Before]>([
		[
			'looks for what it may have paid before somebody corrected it, since the execution began',
			{},
			{ do: 'findEarlierSelf', since: NOW - HOUR },
		],
		[
			'looks since the delivery, if n8n does not say when the execution began',
			{ facts: { establishedAt: undefined, delivery } },
			{ do: 'findEarlierSelf', since: NOW - 2 * HOUR },
		],
		[
			'looks until a key from its beginning expires',
			{ facts: { establishedAt: FORGOTTEN + 1 } },
			{ do: 'findEarlierSelf', since: FORGOTTEN + 1 },
		],
		[
			'looks if its row was corrected since',
			{ known: { isComplete: true }, change: 'corrected' },
			{ do: 'findEarlierSelf', since: NOW - HOUR },
		],
		[
			'wants it proved absent once such a key has expired',
			{ facts: { establishedAt: FORGOTTEN } },
			provedSince(FORGOTTEN, true),
		],
		[
			'wants it proved absent also if another retry may have sent it',
			{ known: { isComplete: true }, facts: { establishedAt: FORGOTTEN } },
			provedSince(FORGOTTEN, false),
		],
		[
			'wants it proved absent for as long as n8n keeps executions, if nothing shows its age',
			{ facts: { establishedAt: undefined } },
			provedSince(NOW - 14 * DAY, false),
		],
	])('%s', (_, given, before) => {
		expect(retried(given)).toEqual(before);
	});

	test.each<[string, Given]>([
		['its memory is that of the execution that is retried', { known: { isComplete: true } }],
		['it is no retry', { facts: { mode: 'trigger' } }],
		['it was sent and refused', { record: { state: 'sent', firstUsedAt: NOW - HOUR } }],
		['an agent calls, for which Duplicate Guard looks', { facts: { isAgentTool: true } }],
		[
			'it was sent and refused, and nothing shows its age',
			{ record: { state: 'sent' }, facts: { establishedAt: undefined } },
		],
		['the user has looked', { known: { allowLate: true } }],
		[
			'the user has looked, long after the execution began',
			{ known: { allowLate: true }, facts: { establishedAt: FORGOTTEN } },
		],
	])('sends it where %s', (_, given) => {
		expect(retried(given)).toEqual({ do: 'send' });
	});
});

test('a second retry, long after a first one that may have paid what had been refused before', () => {
	const before = plan({
		record: { state: 'sent', firstUsedAt: FORGOTTEN },
		known: { isComplete: true },
		facts: { mode: 'retry', establishedAt: FORGOTTEN },
	});

	expect(before.do).toBe('prove');
});
