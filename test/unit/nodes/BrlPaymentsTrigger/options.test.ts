import type { IDataObject } from 'n8n-workflow';
import { optionsField, readOptions } from '../../../../nodes/BrlPaymentsTrigger/options';
import { refusalOf } from '../../support/refusal';

const read = (options?: IDataObject, others: IDataObject = {}) =>
	readOptions((name, fallback) => ({ options, ...others })[name] ?? fallback);

const DEFAULTS = {
	events: [],
	emitTestPings: false,
	replayWindowMs: 300_000,
	mismatchStatus: 503,
	deduplicate: true,
	rememberedDeliveries: 5_000,
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

test.each([0, -1, NaN, Infinity, 'soon', {}])('a window of %p is refused', (replayWindow) => {
	expect(refusalOf(() => read({ replayWindow: replayWindow as never })).message).toMatch(
		/^Replay Window is not a positive number$/,
	);
});

test.each([0, -5, 'many'])('%p deliveries to remember are refused', (deliveriesToRemember) => {
	expect(refusalOf(() => read({ deliveriesToRemember })).message).toMatch(
		/^Deliveries to Remember is not a positive number$/,
	);
});

test.each([null, '', 403, '401', true])(
	'the answer %p to a mismatch is no choice: 503',
	(answer) => {
		expect(read({ answerToMismatch: answer }).mismatchStatus).toBe(503);
	},
);
