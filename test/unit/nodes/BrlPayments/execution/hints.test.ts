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

test('names the error output, where failed items are put out there', () => {
	expect(advise(IN_DOUBT, { onError: 'continueErrorOutput' })[0]).toContain(
		'$("Pay").all(1).some(',
	);
});

test.each(['continueRegularOutput', 'continueErrorOutput'])(
	'names the loop around it, as the node shows only its last round: %s',
	(onError) => {
		const [advice] = advise(IN_DOUBT, { onError, loop: 'Loop Over Items' });

		expect(advice).toContain('end the output done of Loop Over Items with an If node on');
		expect(advice).toContain('$("Loop Over Items").all().some(');
	},
);

test.each([
	['every item is done, now or before', advise([done({ id: 'a' }), paidBefore('b')])],
	['the run fails by itself', advise(IN_DOUBT, { onError: 'stopWorkflow' })],
	['a Stop and Error node follows', advise(IN_DOUBT, { canFail: true })],
])('says nothing if %s', (_case, advice) => {
	expect(advice).toEqual([]);
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
