import {
	planLookUps,
	type GuardSettings,
	type LookUps,
	type OrderFacts,
} from '../../../../../nodes/shared/orders/duplicateCheck';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/identity/executionIdentity';
import { EXPIRY_MARGIN_MS, KEY_LIFETIME_MS } from '../../../../../nodes/shared/orders/keyExpiry';
import type { OrderRecord } from '../../../../../nodes/shared/orders/orderMemory';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Since then a key is surely forgotten. */
const FORGOTTEN = NOW - KEY_LIFETIME_MS + EXPIRY_MARGIN_MS;

interface Given {
	record?: Partial<OrderRecord>;
	order?: Partial<Omit<OrderFacts, 'record'>>;
	facts?: Partial<ExecutionFacts>;
	settings?: Partial<GuardSettings>;
}

/** A first attempt with a test key, in an execution that a trigger started an hour ago. */
const plan = ({ record = {}, order = {}, facts = {}, settings = {} }: Given = {}): LookUps =>
	planLookUps(
		{
			kind: 'automatic',
			record: {
				key: 'key-1',
				content: 'content-1',
				account: 'account-1',
				generation: 0,
				...record,
			},
			place: 'new',
			isSameAccount: true,
			isInherited: false,
			...order,
		},
		{
			executionId: '101',
			mode: 'trigger',
			isStartedByHand: false,
			establishedAt: NOW - HOUR,
			delivery: undefined,
			isSubExecution: false,
			isAgentTool: false,
			...facts,
		},
		{ mode: 'automatic', isLive: false, allowLate: false, ...settings },
		NOW,
	);

test('a first attempt needs no look-up', () => {
	expect(plan()).toEqual({});
});

describe('an order that may have taken effect', () => {
	const lost = (given: Given = {}): LookUps =>
		plan({
			...given,
			record: { sent: true, unclear: true, firstUsedAt: NOW - HOUR, ...given.record },
			order: { place: 'bound', ...given.order },
		});

	test('needs none while its key is alive: the service returns the first result', () => {
		expect(lost()).toEqual({});
	});

	test.each<[string, Given]>([
		['its key is forgotten', { record: { firstUsedAt: FORGOTTEN } }],
		['something else is asked for', { order: { place: 'changed' } }],
	])('is looked for where %s', (_, given) => {
		expect(lost(given).match).toEqual({
			since: given.record?.firstUsedAt ?? NOW - HOUR,
			ifUnreadable: 'doubt',
			needsSameAccount: false,
			isUntraced: false,
		});
	});

	test('is looked for where it was sent with another API key, to the same account', () => {
		expect(lost({ order: { isSameAccount: false } }).match).toEqual({
			since: NOW - HOUR,
			ifUnreadable: 'doubt',
			needsSameAccount: true,
			isUntraced: false,
		});
	});

	test.each([
		['is not known', undefined],
		['is in the future', NOW + HOUR],
	])('is looked for as far back as n8n keeps executions where its birth %s', (_, firstUsedAt) => {
		expect(lost({ record: { firstUsedAt } }).match?.since).toBe(NOW - 14 * DAY);
	});

	test('is looked for in the whole list where its birth is not known and the journal has it in doubt', () => {
		const journal = { isInDoubt: true, isKeyAlive: false };
		expect(lost({ record: { firstUsedAt: undefined }, settings: { journal } }).match?.since).toBe(
			-Infinity,
		);
		expect(lost({ record: { firstUsedAt: FORGOTTEN }, settings: { journal } }).match?.since).toBe(
			FORGOTTEN,
		);
	});

	test('is looked for since now where it was first sent now', () => {
		const given = { record: { firstUsedAt: NOW }, order: { isSameAccount: false } };
		expect(lost(given).match?.since).toBe(NOW);
	});

	test('is sent where the list is unreadable, if the user has looked', () => {
		const given = { record: { firstUsedAt: FORGOTTEN }, settings: { allowLate: true } };

		expect(lost(given).match?.ifUnreadable).toBe('send');
	});

	test.each<[string, Given]>([
		['always', { settings: { mode: 'always' } }],
		['by hand with a live key', { facts: { isStartedByHand: true }, settings: { isLive: true } }],
		['in a sub-workflow', { facts: { isSubExecution: true } }],
	])('is not guarded %s: it would be found itself', (_, given) => {
		expect(lost(given)).toEqual({});
	});
});

describe('an order with a reference', () => {
	const named = (journal: GuardSettings['journal'], given: Given = {}): LookUps =>
		plan({
			...given,
			order: { kind: 'reference', ...given.order },
			settings: { journal, ...given.settings },
		});
	const IN_DOUBT = { isInDoubt: true, isKeyAlive: false };

	test('that the journal does not know is sent, with no look-up and no guard', () => {
		const settings: Partial<GuardSettings> = { mode: 'always', isLive: true };

		expect(
			named(
				{ isInDoubt: false, isKeyAlive: false },
				{ settings, facts: { isStartedByHand: true } },
			),
		).toEqual({});
	});

	test('that is in doubt is looked for in the whole list', () => {
		expect(named(IN_DOUBT)).toEqual({
			match: {
				since: -Infinity,
				ifUnreadable: 'doubt',
				needsSameAccount: false,
				isUntraced: false,
			},
		});
	});

	test('that is in doubt is sent under its key while that is alive', () => {
		expect(named({ isInDoubt: true, isKeyAlive: true })).toEqual({});
	});

	test('that another execution left in doubt is sent, too, while its key is alive', () => {
		const record = { unclear: true, birthUnknown: true } as const;

		expect(named({ isInDoubt: true, isKeyAlive: true }, { record })).toEqual({});
	});

	test('that is in doubt is looked for where something else is asked for', () => {
		const given = { record: { unclear: true }, order: { place: 'changed' } } satisfies Given;

		expect(named({ isInDoubt: true, isKeyAlive: true }, given).match?.ifUnreadable).toBe('doubt');
	});

	test('that is in doubt with another API key is looked for though its key is alive', () => {
		const given = { order: { isSameAccount: false } };

		expect(named({ isInDoubt: true, isKeyAlive: true }, given).match?.needsSameAccount).toBe(true);
	});

	test('that is in doubt stays so where the list is unreadable, whatever the user allows', () => {
		expect(named(IN_DOUBT, { settings: { allowLate: true } }).match?.ifUnreadable).toBe('doubt');
	});

	test('that this execution remembers as lost is judged by that', () => {
		const record = { sent: true as const, unclear: true as const, firstUsedAt: NOW - HOUR };

		expect(named(IN_DOUBT, { record, order: { place: 'bound' } })).toEqual({});
	});

	test('needs no guard in a retry without a trace', () => {
		const facts = { mode: 'retry', establishedAt: undefined } as const;

		expect(named({ isInDoubt: false, isKeyAlive: false }, { facts })).toEqual({});
	});
});

describe('a retry without a record of the order', () => {
	const retried = (given: Given = {}): LookUps =>
		plan({ ...given, facts: { mode: 'retry', ...given.facts } });

	test('looks for what the first attempt has paid, since the execution began', () => {
		expect(retried()).toEqual({
			match: {
				since: NOW - HOUR,
				ifUnreadable: 'doubt',
				needsSameAccount: false,
				isUntraced: true,
			},
		});
	});

	test('begins with the delivery where n8n does not say when the execution began', () => {
		const delivery = { subject: 'delivery-1', receivedAt: NOW - 2 * HOUR };

		expect(retried({ facts: { establishedAt: undefined, delivery } }).match?.since).toBe(
			NOW - 2 * HOUR,
		);
	});

	test.each<[string, Given]>([
		['the key is its own and alive', { order: { kind: 'ownKey' } }],
		['the place is bound to it, and its key alive', { order: { place: 'bound' } }],
		['the first attempt has left a memory without it', { order: { isInherited: true } }],
		['the user has looked', { settings: { allowLate: true } }],
	])('is sent without a readable list where %s', (_, given) => {
		expect(retried(given).match?.ifUnreadable).toBe('send');
	});

	test('is not sent under its own key without a readable list where that is forgotten', () => {
		const given = {
			order: { kind: 'ownKey' },
			facts: { establishedAt: FORGOTTEN },
		} satisfies Given;

		expect(retried(given).match?.ifUnreadable).toBe('doubt');
	});

	test('looks for nothing where it was sent without effect, under a key that is alive', () => {
		const record = { sent: true as const, firstUsedAt: NOW - HOUR };

		expect(retried({ record, order: { place: 'bound' } })).toEqual({});
	});

	test('looks for what another retry has paid since, where the key is forgotten', () => {
		const record = { sent: true as const, firstUsedAt: FORGOTTEN };
		const given = { record, order: { place: 'bound' }, facts: { establishedAt: FORGOTTEN } };

		expect(retried(given as Given).match?.ifUnreadable).toBe('doubt');
	});

	describe('nor any trace of when the execution began', () => {
		const untraced = (given: Given = {}): LookUps =>
			retried({ ...given, facts: { establishedAt: undefined, ...given.facts } });

		test('is guarded as far back as n8n keeps executions, and refused without a list', () => {
			expect(untraced()).toEqual({
				guard: {
					reason: 'retriedWithoutTrace',
					since: NOW - 14 * DAY,
					days: 14,
					ifUnreadable: 'refuse',
				},
			});
		});

		test.each<[string, Given]>([
			['its key is its own', { order: { kind: 'ownKey' } }],
			['the guard is off', { settings: { mode: 'never' } }],
		])('is guarded where %s, too', (_, given) => {
			expect(untraced(given).guard?.reason).toBe('retriedWithoutTrace');
		});

		test.each<[string, Given]>([
			['the user has looked', { settings: { allowLate: true } }],
			['its first use is recorded', { record: { firstUsedAt: NOW - HOUR } }],
			['it was sent', { record: { sent: true } }],
			['it is no retry', { facts: { mode: 'trigger' } }],
		])('is not guarded where %s', (_, given) => {
			expect(untraced(given)).toEqual({});
		});
	});
});

describe('in a retry of an execution', () => {
	const RETRY = { mode: 'retry' } as const;

	test('that began before the life of a key, looks for what was sent since under a later one', () => {
		const record = { sent: true as const, firstUsedAt: NOW - HOUR };
		const facts = { ...RETRY, establishedAt: FORGOTTEN };
		expect(plan({ record, order: { place: 'bound' }, facts }).match?.since).toBe(FORGOTTEN);
	});

	test.each([
		['automatic', 'send'],
		['adopted', 'doubt'],
	] as const)(
		'that was saved with all it knew, what is %s and not known: %s where the list is unreadable',
		(kind, expected) => {
			const order = { kind, isInherited: true };
			expect(plan({ order, facts: RETRY }).match?.ifUnreadable).toBe(expected);
		},
	);
});

test('a call of an agent for what was sent without effect is guarded', () => {
	const record = { sent: true as const, firstUsedAt: NOW - HOUR };
	expect(plan({ record, facts: { isAgentTool: true } }).guard?.reason).toBe('agentTool');
});

describe('the guard', () => {
	const YESTERDAY = { since: NOW - DAY, days: 1 };

	test('is on where the user wants it, and refuses without a list', () => {
		expect(plan({ settings: { mode: 'always' } })).toEqual({
			guard: { reason: 'always', ...YESTERDAY, ifUnreadable: 'refuse' },
		});
	});

	test.each(['ownKey', 'adopted'] as const)('is on for %s where the user wants it', (kind) => {
		expect(plan({ order: { kind }, settings: { mode: 'always' } }).guard?.reason).toBe('always');
	});

	test('is on after an attempt without effect where the user wants it', () => {
		const record = { sent: true as const, firstUsedAt: NOW };

		expect(plan({ record, settings: { mode: 'always' } }).guard?.reason).toBe('always');
	});

	describe('in a sub-workflow', () => {
		const SUB = { mode: 'integrated', isSubExecution: true } as const;

		test('is on, and refuses without a list', () => {
			expect(plan({ facts: SUB })).toEqual({
				guard: { reason: 'subExecution', ...YESTERDAY, ifUnreadable: 'refuse' },
			});
		});

		test.each<[string, Given]>([
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['a failed item has come back', { order: { kind: 'adopted', place: 'bound' } }],
		])('is off where %s', (_, given) => {
			expect(plan({ ...given, facts: SUB })).toEqual({});
		});
	});

	test.each<[string, Partial<OrderFacts>]>([
		['a failed item comes back from another execution', { kind: 'adopted', place: 'new' }],
		['an item was sent without effect', { kind: 'automatic', place: 'bound' }],
	])('is on in a sub-workflow where %s', (_, order) => {
		const facts = { mode: 'integrated', isSubExecution: true } as const;
		expect(plan({ order, facts }).guard?.reason).toBe('subExecution');
	});

	describe('for a person who presses Execute', () => {
		const byHand = (given: Given = {}): LookUps =>
			plan({
				...given,
				facts: { isStartedByHand: true, ...given.facts },
				settings: { isLive: true, ...given.settings },
			});

		test('is on with a live key, and lets items through that it cannot check', () => {
			expect(byHand()).toEqual({
				guard: { reason: 'manual', ...YESTERDAY, ifUnreadable: 'send' },
			});
		});

		test.each<[string, Given]>([
			['the key is a test key', { settings: { isLive: false } }],
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['no person pressed it', { facts: { isStartedByHand: false } }],
		])('is off where %s', (_, given) => {
			expect(byHand(given)).toEqual({});
		});
	});

	describe('for an agent', () => {
		const byAgent = (given: Given = {}): LookUps =>
			plan({ ...given, facts: { isAgentTool: true, ...given.facts } });
		const LOST = { sent: true, unclear: true, firstUsedAt: NOW - HOUR } as const;

		test('is on, and refuses without a list', () => {
			expect(byAgent()).toEqual({
				guard: { reason: 'agentTool', ...YESTERDAY, ifUnreadable: 'refuse' },
			});
		});

		test.each<[string, Given]>([
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['the reference comes from the agent', { order: { kind: 'reference' } }],
			['it calls again after a success', { record: { sent: true, doneAt: NOW } }],
			['it is a retry', { facts: { mode: 'retry' } }],
		])('is on where %s, too', (_, given) => {
			expect(byAgent(given).guard?.reason).toBe('agentTool');
		});

		test('is off after a lost response, of which the service recognizes the key', () => {
			expect(byAgent({ record: LOST, order: { place: 'bound' } })).toEqual({});
		});

		test.each<[string, Partial<OrderRecord>]>([
			['the key is forgotten', { ...LOST, firstUsedAt: FORGOTTEN }],
			['the agent knows of a success', { ...LOST, agentKnows: true }],
		])('is on after a lost response where %s', (_, record) => {
			expect(byAgent({ record, order: { place: 'bound' } }).guard?.reason).toBe('agentTool');
		});
	});
});
