import { ERROR_CATALOGUE, type CatalogueEntry } from '../../../nodes/shared/retry/errors';
import { ERROR_CODES, type ErrorCode } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE } from '../support/workflow';

const bench = useBench();

/** Item 1 gets this error, however often it is sent. */
const refuseItem1 = (code: ErrorCode) =>
	bench.sandbox.faults.add({
		kind: 'error',
		code,
		times: Infinity,
		when: ({ rawBody }) => rawBody.includes('20.02'),
		message: `Echo of Bearer ${bench.sandbox.keys.test}`,
		details: { authorization: bench.sandbox.keys.test.slice(-32) },
	});
const payOneByOne = payEach({ maxConcurrency: 1 });
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** What it means for an order with a name: engine/money/refusals. */
const MISMATCH = 'IDEMPOTENCY_PAYLOAD_MISMATCH';
const EXPLAINED = ERROR_CODES.filter((code) => code !== MISMATCH);

it.each(EXPLAINED)('the error %s is explained, for the item that it hit', async (code) => {
	const known: CatalogueEntry = ERROR_CATALOGUE[code];
	const entry = { ...known, ...known.onNoDocument };
	const status = entry.status ?? 502;
	const isUnknown = entry.effect === 'unknown';
	refuseItem1(code);

	const { error } = await bench.run(payOneByOne, TWO);

	expect(error?.name).toBe('NodeApiError');
	expect(error?.message).toBe(
		isUnknown
			? `Row 2 (R$ 20,02): It is not known whether this took effect: ${lowerFirst(entry.what)}`
			: `Row 2 (R$ 20,02): ${entry.what}`,
	);
	expect(error?.httpCode).toBe(String(status));
	expect(error).toHaveProperty('itemIndex', 1);
	const remedy =
		isUnknown && entry.retry !== 'never'
			? 'choose Retry in the list Executions: nothing that took effect'
			: code === 'FORBIDDEN'
				? 'create a key with the scope withdrawals:write, and paste'
				: entry.remedy;
	for (const said of [
		`[${code}, HTTP ${status}]`,
		'1 of 2 rows accepted with the test key: row 1',
		`Idempotency key: ${bench.keys.at(-1)}.`,
		remedy,
		// That no secret is anywhere in the execution or the log is checked for every run.
		'Echo of Bearer [API key]',
	]) {
		expect(error?.description).toContain(said);
	}
	expect(bench.paid).toEqual([1001]);

	const { json } = await bench.run(payOneByOne, TWO, CONTINUE);

	expect(json[0]?.netAmount).toBe(10.01);
	expect(json[1]?.error).toMatchObject({
		code,
		httpStatus: status,
		retryable: entry.retry === 'sameKey' || entry.retry === 'wait',
		effect: isUnknown ? 'unknown' : 'none',
		idempotencyKey: bench.keys.at(-1),
	});
});

it('an error that the API does not name is shown with its code and what the server said', async () => {
	const error = { code: 'BRAND_NEW', message: 'Short and stout', details: { pot: 'tea' } };
	bench.answer({ error }, { status: 418 });

	const failed = await bench.run(payOneByOne, TWO);

	expect(bench.requests()).toHaveLength(1);
	expect(failed.error?.message).toBe(
		'Row 1 (R$ 10,01): It is not known whether this took effect: the server refused the request',
	);
	expect(failed.error?.description).toContain('The server said: Short and stout; pot: tea.');
	expect(failed.error?.description).toContain('[BRAND_NEW, HTTP 418]');
});
