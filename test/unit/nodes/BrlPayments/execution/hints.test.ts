import { summarizeRun } from '../../../../../nodes/BrlPayments/execution/runSummary';
import {
	adviseOnSettings,
	type RunSettings,
} from '../../../../../nodes/BrlPayments/execution/hints';
import { about, done, failed, paidBefore, type Outcome } from '../../../support/runOutcomes';

const CONTINUES: RunSettings = {
	node: 'Pay',
	onError: 'continueRegularOutput',
	canFail: false,
	savesSuccess: true,
	savesFailure: true,
};
const IN_DOUBT = [done({ id: 'a' }), failed('unknown')];

const advise = (outcomes: Outcome[], changed: Partial<RunSettings> = {}, facts = about()) =>
	adviseOnSettings(summarizeRun(outcomes, facts), facts, { ...CONTINUES, ...changed });

test('says that a run with an item in doubt is green, and by which nodes it fails', () => {
	const [advice, ...others] = advise(IN_DOUBT);

	expect(others).toEqual([]);
	expect(advice).toContain('lists this execution as successful');
	expect(advice).toContain(
		`{{ $("Pay").isExecuted && $("Pay").all().some(({ json }) => json.error?.effect === 'unknown') }}`,
	);
});

test.each<[string, Partial<RunSettings>, string]>([
	['the error output', { onError: 'continueErrorOutput' }, '$("Pay").all(1).some('],
	// The node shows only its last round.
	['the loop around it', { loop: 'Loop' }, 'end the output done of Loop with an If node on'],
	['the items of the loop', { loop: 'Loop' }, '$("Loop").all().some('],
	[
		'the loop, not the error output',
		{ loop: 'Loop', onError: 'continueErrorOutput' },
		'$("Loop").all().some(',
	],
])('names %s', (_, changed, words) => {
	expect(advise(IN_DOUBT, changed)[0]).toContain(words);
});

test.each<[string, Outcome[], Partial<RunSettings>]>([
	['every item is done, now or before', [done({ id: 'a' }), paidBefore('b')], {}],
	['the run fails by itself', IN_DOUBT, { onError: 'stopWorkflow' }],
	['a Stop and Error node follows', IN_DOUBT, { canFail: true }],
])('says nothing if %s', (_, outcomes, changed) => {
	expect(advise(outcomes, changed)).toEqual([]);
});

test('says it to the person who builds the workflow even while everything is paid', () => {
	const facts = about({ isManual: true });

	expect(advise([done({ id: 'a' }), done({ id: 'b' })], {}, facts)).toHaveLength(1);
});

test('says that doubts are forgotten if successful executions are not saved', () => {
	const advice = advise(IN_DOUBT, { savesSuccess: false });

	expect(advice).toHaveLength(2);
	expect(advice[1]).toContain('does not save successful executions');
});

test('says that an execution that is not saved cannot be retried, unless references protect it', () => {
	const stops = { onError: 'stopWorkflow', savesFailure: false };

	expect(advise(IN_DOUBT, stops)[0]).toContain('cannot retry them');
	expect(advise(IN_DOUBT, stops, about({ hasReferences: true }))).toEqual([]);
});
