import type { IDataObject } from 'n8n-workflow';
import { ItemCall } from '../../../../nodes/BrlPayments/item';
import { getRefusal } from '../../support/refusal';

/** An item whose parameter `options` is evaluated like this. */
const callWith = (evaluate: () => IDataObject = () => ({})) => {
	const context = { getNodeParameter: evaluate, getInputData: () => [] };
	const run = { context, client: {}, parameters: {}, fields: [] };
	return new ItemCall(run as never, 0);
};

test('an option says the same however often it is read, and n8n evaluates all of them once', () => {
	let evaluations = 0;
	const call = callWith(() => {
		evaluations += 1;
		return { idempotencyKey: `key-${evaluations}`, timeout: evaluations };
	});

	expect([1, 2].map(() => call.option('idempotencyKey'))).toEqual(['key-1', 'key-1']);
	expect(call.option('timeout')).toBe(1);
	expect(call.option('other')).toBeUndefined();
});

test.each<[string, unknown, string]>([
	['={{ $json.row }}', { a: 1 }, 'Reference is an object, not text'],
	['={{ $json.row }}', ['NF-1'], 'Reference is an object, not text'],
	['=NF-{{ $json.row }}', 'NF-[object Object]', 'is an object'],
])('a text that was entered as %s, and is %o, is refused', (raw, value, message) => {
	const refused = getRefusal(() => callWith().enteredText(raw, value, 'Reference'));

	expect(refused.message).toContain(message);
	expect(refused.remedy).toBe(
		'Choose a single field for Reference, for example {{ $json.invoice }}.',
	);
});
