import { usePayouts } from '../support/money';
import { BOTH, INVOICES } from '../support/payouts';
import { SITUATIONS as CHARGES } from './charges';
import { CHARGE_SITUATIONS, READ_SITUATIONS, REFUND_SITUATIONS } from './others';
import { DOCUMENT_MISSING, SINGLE, WITH_REFERENCE, WITHOUT_REFERENCE } from './refusals';
import { tellAll } from './situation';
import { NOT_SETTLED, putInDoubt, SITUATIONS as WITH } from './withReference';
import { SITUATIONS as WITHOUT } from './withoutReference';

const bench = usePayouts();

describe.each([
	['a payout with a reference that fails', WITH],
	['a payout with a reference that the service refuses', WITH_REFERENCE],
	['a payout without a reference that fails', WITHOUT],
	['a payout without a reference that the service refuses', WITHOUT_REFERENCE],
	['a single payout that the service refuses', SINGLE],
	['a payout whose recipient document the service cannot fill in', DOCUMENT_MISSING],
	['a charge that fails', CHARGE_SITUATIONS],
	['a charge with an External ID that fails', CHARGES],
	['a refund that fails', REFUND_SITUATIONS],
	['a read that fails', READ_SITUATIONS],
])('%s', (_what, situations) => tellAll(bench, situations));

it.each(NOT_SETTLED)(
	'a person whose word is not accepted does what the error says: $when',
	async ({ says, tell, follow }) => {
		const workflow = await putInDoubt(bench);
		const { error } = await tell(bench);

		expect(error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(error.description).toContain(says);
		const settled = await follow(bench);
		expect(settled?.error).toBeUndefined();
		const last = await bench.start(workflow, settled ? INVOICES : INVOICES.slice(1));

		expect(last.paidBefore).not.toContain(undefined);
		expect(bench.living).toEqual(BOTH);
	},
);
