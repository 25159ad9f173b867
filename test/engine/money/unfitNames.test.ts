import type { IDataObject } from 'n8n-workflow';
import { usePayouts } from '../support/money';
import { INVOICES, payReferenced } from '../support/payouts';
import { CONTINUE, operation } from '../support/workflow';

const bench = usePayouts();

const PAYOUTS =
	'This reference contains the time, the ID of the run, or several rows that Summarize has put together. A later run, such as one that finishes this list next month, does not recognize what was paid, and pays it again. Use only what is in the row, such as the invoice number, or a name and a column with the month.';
const CHARGES =
	'This External ID contains the time, the ID of the run, or several rows that Summarize has put together. A later run does not recognize what was charged, and charges it again. Use only what is in the item, such as the order number, or a customer and a field with the month.';

const rows = (hint: string, { hints }: { hints: readonly string[] }) =>
	hints.filter((one) => one === hint);
const charge = (externalId: string, options: IDataObject = {}) =>
	operation('payment.create', { amount: '={{ $json.amount }}', externalId }, options as never);

// Which expressions: test/unit/nodes/BrlPayments/unfitNames.test.ts.
test.each([
	['={{ $json.invoice }}-{{ $execution.id }}', [PAYOUTS]],
	['={{ $json.invoice }} {{ $now.toMillis() }}', [PAYOUTS]],
	["={{ $json.invoice }} {{ $now.format('yyyy-MM') }}", [PAYOUTS]],
	['={{ $json.invoice }}', []],
])('a payout with the reference %s: %j', async (reference, hints) => {
	const parameters = payReferenced({}, { reference });

	const paid = await bench.run(parameters, INVOICES, CONTINUE);
	const checked = await bench.run({ ...parameters, operation: 'checkBatch' }, INVOICES);

	// Once, however many rows; it is a hint and keeps nobody from being paid.
	expect(rows(PAYOUTS, paid)).toEqual(hints);
	expect(rows(PAYOUTS, checked)).toEqual(hints);
	bench.expectPaid([1001, 2002], paid, checked);
});

test.each<[string, IDataObject, string[]]>([
	['={{ $json.invoice }}-{{ $execution.id }}', {}, [CHARGES]],
	['={{ $json.invoice }}', {}, []],
	['={{ $json.invoice }}-{{ $execution.id }}', { oncePerExternalId: false }, []],
	['={{ $json.invoice }}-{{ $execution.id }}', { idempotencyKey: '={{ $json.invoice }}' }, []],
])('a charge with the External ID %s and %j: %j', async (externalId, options, hints) => {
	const run = await bench.run(charge(externalId, options), INVOICES);

	expect(run.error).toBeUndefined();
	expect(rows(CHARGES, run)).toEqual(hints);
});
