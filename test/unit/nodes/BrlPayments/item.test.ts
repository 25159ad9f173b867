import type { IDataObject } from 'n8n-workflow';
import { createItemCall } from '../../support/itemCall';
import { getRefusal } from '../../support/refusal';

describe('an option', () => {
	/** An item whose parameter `options` evaluates differently each time, or not at all. */
	async function callWith(evaluate: () => IDataObject) {
		const world = await createItemCall({ parameters: [{}] });
		const read = vi
			.spyOn(world.context, 'getNodeParameter')
			.mockImplementation((name: string) => (name === 'options' ? evaluate() : undefined) as never);
		return { call: world.call, read };
	}

	test('says the same however often it is read, and n8n evaluates all of them once', async () => {
		let evaluations = 0;
		const { call, read } = await callWith(() => {
			evaluations += 1;
			return { idempotencyKey: `key-${evaluations}`, timeout: evaluations };
		});

		expect([1, 2].map(() => call.option('idempotencyKey'))).toEqual(['key-1', 'key-1']);
		expect(call.option('timeout')).toBe(1);
		expect(call.option('other')).toBeUndefined();
		expect(read).toHaveBeenCalledTimes(1);
	});

	test('whose expression fails keeps failing', async () => {
		const { call } = await callWith(() => {
			throw new Error('no such field');
		});

		expect(() => call.option('timeout')).toThrow('no such field');
		expect(() => call.option('timeout')).toThrow('no such field');
	});
});

test.each<[string, unknown, string]>([
	['={{ $json.row }}', { a: 1 }, 'Reference is an object, not text'],
	['={{ $json.row }}', ['NF-1'], 'Reference is an object, not text'],
	['=NF-{{ $json.row }}', 'NF-[object Object]', 'is an object'],
])('a text that was entered as %s, and is %o, is refused', async (raw, value, message) => {
	const { call } = await createItemCall({ parameters: [{}] });
	const { message: said, remedy } = getRefusal(() => call.enteredText(raw, value, 'Reference'));

	expect(said).toContain(message);
	expect(remedy).toBe('Choose a single field for Reference, for example {{ $json.id }}.');
});
