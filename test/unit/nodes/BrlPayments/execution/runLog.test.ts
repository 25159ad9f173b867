import { describeRun } from '../../../../../nodes/BrlPayments/execution/runLog';
import { summarizeRun } from '../../../../../nodes/BrlPayments/execution/runSummary';
import {
	about,
	done,
	failed,
	notStarted,
	paidBefore,
	type Outcome,
} from '../../../support/runOutcomes';

const PLACE = {
	operation: 'withdrawal.create',
	workflowId: 'w1',
	executionId: '17',
	node: 'Pay',
};

const describeOutcomes = (outcomes: Outcome[], facts = about()) =>
	describeRun(outcomes, summarizeRun(outcomes, facts), facts, PLACE);

const MIXED = [
	done({ id: 'a', netAmount: 10.1 }),
	done({ id: 'b', netAmount: 20.2 }),
	paidBefore('c'),
	failed('unknown', { code: 'TIMEOUT' }),
	failed('none', { code: 'INVALID_PIX_KEY' }),
	notStarted,
];

test('says in one line how many payouts ended in each way, and how much the run itself has paid', () => {
	const [run] = describeOutcomes(MIXED);

	expect(run).toEqual({
		level: 'info',
		message:
			'BRL Payments withdrawal.create: 2 paid (30.30 BRL), 1 paid before, 1 in doubt, 1 refused, 1 not started, in execution 17 of workflow w1',
		metadata: {
			...PLACE,
			...{ done: 2, doneBefore: 1, inDoubt: 1, refused: 1, notStarted: 1 },
			total: 30.3,
		},
	});
});

test('warns of each payout that a person has to look at, by its row', () => {
	const [, ...warnings] = describeOutcomes(MIXED);

	expect(warnings.map(({ level, message }) => `${level} ${message}`)).toEqual([
		'warn BRL Payments withdrawal.create: row 4 is in doubt (TIMEOUT), in execution 17 of workflow w1',
		'warn BRL Payments withdrawal.create: row 5 is refused (INVALID_PIX_KEY), in execution 17 of workflow w1',
	]);
	expect(warnings[1]?.metadata).toMatchObject({ row: 5, code: 'INVALID_PIX_KEY', effect: 'none' });
});

test('warns of nothing where all is paid, now or before', () => {
	expect(describeOutcomes([done({ id: 'a' }), paidBefore('b'), failed('done')])).toHaveLength(1);
});

test('calls charges done, and adds nothing up', () => {
	const [run] = describeOutcomes(
		[done({ amount: 5 }), done({ amount: 6 })],
		about({ kind: 'order' }),
	);

	expect(run?.message).toContain(': 2 done, 0 done before,');
	expect(run?.metadata).not.toHaveProperty('total');
});
