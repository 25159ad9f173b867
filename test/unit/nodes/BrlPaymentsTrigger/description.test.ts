import { createContext, Script } from 'node:vm';
import { NodeHelpers, type IDataObject, type INodeProperties } from 'n8n-workflow';
import {
	checkPollTimes,
	properties,
	webhookDescription,
	buildSubtitle,
	readOptions,
	readReceiveBy,
} from '../../../../nodes/BrlPaymentsTrigger/description';
import { getRefusal } from '../../support/refusal';

/** What is read of these fields, and of these options. */
const read = ({ receiveBy, events, fetchCurrentState, ...options }: IDataObject) => {
	const parameters: IDataObject = { receiveBy, events, fetchCurrentState, options };
	return readOptions((name, fallback) => parameters[name] ?? fallback);
};

const DAY_MS = 24 * 60 * 60_000;
const DEFAULTS = {
	receiveBy: 'webhook',
	events: [],
	emitTestPings: false,
	replayWindowMs: 300_000,
	deduplicate: true,
	fetchCurrentState: false,
	lookBackMs: 3 * DAY_MS,
	maskPersonalData: false,
};

const fields = properties.find(({ name }) => name === 'options')!.options as INodeProperties[];

test.each<[string, IDataObject]>([
	['none', {}],
	['what the editor shows', Object.fromEntries(fields.map((one) => [one.name, one.default]))],
])('%s: the safe options', (_, given) => {
	expect(read(given)).toEqual(DEFAULTS);
});

test.each<[IDataObject, object]>([
	[{ events: ['PAYMENT_PAID'] }, { events: ['PAYMENT_PAID'] }],
	[{ events: 'med_received, med_resolved' }, { events: ['MED_RECEIVED', 'MED_RESOLVED'] }],
	[{ fetchCurrentState: 'True' }, { fetchCurrentState: true }],
	[{ replayWindow: '60' }, { replayWindowMs: 60_000 }],
	[{ deduplicate: 'false' }, { deduplicate: false }],
	[{ maskPersonalData: true }, { maskPersonalData: true }],
	[{ receiveBy: 'Polling' }, { receiveBy: 'polling' }],
	[{ lookBack: '1.5' }, { lookBackMs: 1.5 * DAY_MS }],
])('%o is read', (given, expected) => {
	expect(read(given)).toEqual({ ...DEFAULTS, ...expected });
});

test.each<[IDataObject, RegExp]>([
	[{ replayWindow: 3_601 }, /^Replay Window \(Seconds\) cannot be/],
	[{ lookBack: 0.5 }, /^Look Back \(Days\) cannot be/],
	[{ receiveBy: 'pigeon' }, /^Receive By is "pigeon"/],
	[{ deduplicate: 'yes' }, /^Deduplicate is .*, which is neither true nor false$/],
	[{ fetchCurrentState: 'yes' }, /^Fetch Current State is .*, which is neither true nor false$/],
	[
		{ events: ['PAYMENT_PAYED'] },
		/^Trigger On is "PAYMENT_PAYED", which is not one of its values$/,
	],
	// An expression that returns nothing would lose every event.
	[{ events: '' }, /^Trigger On is empty$/],
])('%o is refused', (given, message) => {
	expect(getRefusal(() => read(given)).message).toMatch(message);
});

test('Receive By is read alone: n8n polls a node once that only receives', () => {
	const parameters: IDataObject = { receiveBy: 'webhook', options: { lookBack: 'soon' } };
	expect(readReceiveBy((name) => parameters[name])).toBe('webhook');
	expect(readReceiveBy((_, fallback) => fallback)).toBe('webhook');
});

const FIELDS = ['Receive By', 'Poll Times', 'Trigger On', 'Fetch Current State', 'Options'];
const ALL_OPTIONS = [
	...['Deduplicate', 'Emit Test Pings', 'Look Back (Days)', 'Mask Personal Data'],
	'Replay Window (Seconds)',
];

test.each([
	['polling', FIELDS, ['Look Back (Days)', 'Mask Personal Data']],
	['both', FIELDS, ALL_OPTIONS],
	[
		'webhook',
		FIELDS.filter((name) => name !== 'Poll Times'),
		ALL_OPTIONS.filter((name) => name !== 'Look Back (Days)'),
	],
])('by %s, the editor shows the fields and options that count, and no others', (...given) => {
	const [receiveBy, ...expected] = given;
	const shown = [properties, fields].map((all) =>
		all
			.filter(({ type }) => type !== 'notice' && type !== 'hidden')
			.filter((one) => NodeHelpers.displayParameter({ receiveBy }, one, null, null, { receiveBy }))
			.map(({ displayName }) => displayName),
	);
	expect(shown).toEqual(expected);
});

test.each([
	[{ item: [{ mode: 'everyMinute' }] }, true],
	[{ item: [] }, false],
	[{}, false],
	[null, false],
])('Poll Times %j are enough: %s', (pollTimes, isEnough) => {
	const check = expect(() => checkPollTimes(() => pollTimes));
	if (isEnough) check.not.toThrow();
	else check.toThrow('Poll Times has no entry');
});

/** @returns what n8n makes of an expression, with nothing around it but the parameters */
function compile(expression: string) {
	const code = /^=\{\{([^]*)\}\}$/.exec(expression)?.[1] ?? '';
	// n8n ends an expression at the first pair of closing braces.
	expect(code).not.toContain('}}');
	const script = new Script(`toJson(${code})`);
	const surroundings = { $parameter: {}, toJson: JSON.stringify };
	const context = createContext(surroundings);
	return (parameters: IDataObject): unknown => {
		surroundings.$parameter = parameters;
		return JSON.parse(script.runInContext(context) as string);
	};
}

test.each<[string, string[] | string | undefined, string]>([
	['events', ['PAYMENT_PAID', 'MED_RECEIVED'], 'Payment Paid, MED Received'],
	['all events', ['*'], 'All Events'],
	['one event, from an expression', 'PAYMENT_PAID', 'Payment Paid'],
	['nothing', undefined, ''],
])('the subtitle shows %s in words', (_, events, words) => {
	expect(compile(buildSubtitle())({ events })).toBe(words);
});

test.each<[IDataObject, string]>([
	[{ receiveBy: 'webhook' }, 'POST'],
	// n8n registers none without a method.
	[{ receiveBy: 'polling' }, ''],
])('with %o, the webhook has the method "%s"', (parameters, method) => {
	expect(compile(String(webhookDescription.httpMethod))(parameters)).toBe(method);
});
