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

test.each([
	['replayWindow', 29, /^Replay Window \(Seconds\) cannot be/],
	['replayWindow', 3_601, /^Replay Window \(Seconds\) cannot be/],
	['replayWindow', 'soon', /^Replay Window \(Seconds\) cannot be/],
	['deliveriesToRemember', 99, /^Deliveries to Remember cannot be/],
	[
		'answerToMismatch',
		403,
		/^Response to Invalid Signature is .*, which is not one of its values$/,
	],
	['deduplicate', 'yes', /^Deduplicate is .*, which is neither true nor false$/],
	['emitTestPings', 2, /^Emit Test Pings is .*, which is neither true nor false$/],
	['maskPersonalData', '', /^Mask Personal Data is .*, which is neither true nor false$/],
	['oneOutputPerEvent', {}, /^One Output per Event is .*, which is neither true nor false$/],
])('%s: %o is refused', (name, value, message) => {
	expect(getRefusal(() => read({ [name]: value })).message).toMatch(message);
});

test('Fetch Current State is refused if it is no switch', () => {
	expect(getRefusal(() => read({}, { fetchCurrentState: 'yes' })).message).toMatch(
		/^Fetch Current State is .*, which is neither true nor false$/,
	);
});

test('what was left empty is as in a new node', () => {
	const empty = { replayWindow: null, deliveriesToRemember: undefined, answerToMismatch: '' };
	expect(read(empty)).toEqual(DEFAULTS);
});

test('what expressions deliver as text means what it says', () => {
	const given = { replayWindow: '60', answerToMismatch: '401', deduplicate: 'false' };
	expect(read(given, { fetchCurrentState: 'True' })).toMatchObject({
		replayWindowMs: 60_000,
		mismatchStatus: 401,
		deduplicate: false,
		fetchCurrentState: true,
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
