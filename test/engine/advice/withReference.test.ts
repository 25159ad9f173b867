import { BOTH, INVOICES, payReferenced, referenced, usePayouts } from '../support/references';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';
import { tellAll } from './situation';
import { NOT_SETTLED, putInDoubt, SITUATIONS } from './withReference';

const bench = usePayouts();

describe('a payout with a reference that fails', () => {
	tellAll(bench, SITUATIONS);
});

describe('a person whose word is not accepted', () => {
	it.each(NOT_SETTLED)('does what the error says: $when', async ({ says, tell, follow }) => {
		const workflow = await putInDoubt(bench);
		const { error } = await tell(bench);

		expect(error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(error.description).toContain(says);
		const settled = await follow(bench);
		expect(settled?.error).toBeUndefined();
		const last = await bench.start(workflow, settled ? INVOICES : INVOICES.slice(1));

		expect(last.paidBefore).not.toContain(undefined);
		expect(bench.living).toEqual(BOTH);
	});
});

it('another recipient document or description is no other payout', async () => {
	await bench.start(referenced(), INVOICES);
	const more = { recipientDocument: CPF, description: 'Other words' };
	const workflow = buildWorkflow({ parameters: payReferenced({}, more) });

	const again = await bench.start(workflow, INVOICES);

	expect(again.paidBefore).toEqual([true, true]);
	expect(bench.paid).toEqual([1001, 2002]);
});
