import type { IDataObject } from 'n8n-workflow';
import {
	optionsField,
	readOptions,
} from '../../../../../nodes/BrlPaymentsTrigger/description/options';
import { getRefusal } from '../../../support/refusal';

const read = (options?: IDataObject, others: IDataObject = {}) =>
	readOptions((name, fallback) => ({ options, ...others })[name] ?? fallback);

const DEFAULTS = {
	events: [],
	emitTestPings: false,
	replayWindowMs: 300_000,
	mismatchStatus: 503,
	deduplicate: true,
	rememberedDeliveries: 50_000,
	replayIds: [],
	fetchCurrentState: false,
	maskPersonalData: false,
	oneOutputPerEvent: false,
};

test('without any, the safe ones', () => {
	expect(read()).toEqual(DEFAULTS);
	expect(read({})).toEqual(DEFAULTS);
});

test('the editor shows the same defaults', () => {
	const shown = Object.fromEntries(
		(optionsField.options ?? []).map((option) => [
			option.name,
			'default' in option ? option.default : undefined,
		]),
	);
	expect(read(shown as IDataObject)).toEqual(DEFAULTS);
});

test('each is read', () => {
	expect(
		read(
			{
				emitTestPings: true,
				replayWindow: 60,
				answerToMismatch: 401,
				deduplicate: false,
				deliveriesToRemember: 100,
				letThroughAgain: 'a b',
				maskPersonalData: true,
				oneOutputPerEvent: true,
			},
			{ events: ['PAYMENT_PAID'], fetchCurrentState: true },
		),
	).toEqual({
		events: ['PAYMENT_PAID'],
		emitTestPings: true,
		replayWindowMs: 60_000,
		mismatchStatus: 401,
		deduplicate: false,
		rememberedDeliveries: 100,
		replayIds: ['a', 'b'],
		fetchCurrentState: true,
		maskPersonalData: true,
		oneOutputPerEvent: true,
	});
});

test('the options are sorted, and each says what it does', () => {
	const names = (optionsField.options ?? []).map((option) =>
		'displayName' in option ? option.displayName : '',
	);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	for (const option of optionsField.options ?? []) {
		expect('description' in option && option.description).toBeTruthy();
	}
});

test.each([0, -1, 29, 3_601, NaN, Infinity, 'soon', {}])(
	'a window of %o is refused',
	(replayWindow) => {
		expect(getRefusal(() => read({ replayWindow: replayWindow as never }))).toMatchObject({
			message: expect.stringMatching(/^Replay Window \(Seconds\) cannot be/) as string,
			remedy: 'Enter a number from 30 to 3600.',
		});
	},
);

test.each([0, -5, 99, 'many'])('%o deliveries to remember are refused', (deliveriesToRemember) => {
	expect(getRefusal(() => read({ deliveriesToRemember })).message).toMatch(
		/^Deliveries to Remember cannot be/,
	);
});

test('what was left empty is as in a new node', () => {
	const empty = { replayWindow: null, deliveriesToRemember: undefined, answerToMismatch: '' };
	expect(read(empty)).toEqual(DEFAULTS);
});

test('what expressions deliver as text means what it says', () => {
	expect(read({ replayWindow: '60', answerToMismatch: '401' })).toMatchObject({
		replayWindowMs: 60_000,
		mismatchStatus: 401,
	});
});

test.each([403, true])('the response %o to a mismatch is refused', (answerToMismatch) => {
	expect(getRefusal(() => read({ answerToMismatch })).message).toMatch(
		/^Response to Invalid Signature is .*, which is not one of its values$/,
	);
});

describe.each([
	['deduplicate', 'Deduplicate'],
	['emitTestPings', 'Emit Test Pings'],
	['maskPersonalData', 'Mask Personal Data'],
	['oneOutputPerEvent', 'One Output per Event'],
	['fetchCurrentState', 'Fetch Current State'],
])('the switch %s', (name, label) => {
	const readSwitch = (value: unknown) => {
		const given = { [name]: value } as IDataObject;
		const options = name === 'fetchCurrentState' ? read({}, given) : read(given);
		return options[name as 'deduplicate'];
	};

	test.each(['true', 'True', 1, '1'])('is on by %o', (value) =>
		expect(readSwitch(value)).toBe(true),
	);
	test.each(['false', 0, '0'])('is off by %o', (value) => expect(readSwitch(value)).toBe(false));
	test.each(['yes', '', 2, {}])('is refused by %o', (value) => {
		expect(getRefusal(() => readSwitch(value)).message).toMatch(
			new RegExp(`^${label} is .*, which is neither true nor false$`),
		);
	});
});

describe('events', () => {
	test('may come as text', () => {
		const { events } = read({}, { events: 'payment_paid, WITHDRAWAL_SENT' });
		expect(events).toEqual(['PAYMENT_PAID', 'WITHDRAWAL_SENT']);
	});

	test('of which there is none are refused', () => {
		expect(getRefusal(() => read({}, { events: ['PAYMENT_PAID', 'PAYMENT_PAYED'] })).message).toBe(
			'Events is "PAYMENT_PAYED", which is not one of its values',
		);
	});

	test.each(['', ' '])('that an expression left out, as %o, are refused', (events) => {
		expect(getRefusal(() => read({}, { events })).message).toBe('Events is empty');
	});
});
