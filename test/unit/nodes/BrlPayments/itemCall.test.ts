import type { IDataObject } from 'n8n-workflow';
import { itemCallOf } from '../../support/itemCall';

describe('an option', () => {
	/** An item whose parameter `options` comes out differently each time, or not at all. */
	async function callWith(evaluate: () => IDataObject) {
		const world = await itemCallOf({ parameters: [{}] });
		const read = jest
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

	test('whose expression fails goes on failing', async () => {
		const { call } = await callWith(() => {
			throw new Error('no such field');
		});

		expect(() => call.option('timeout')).toThrow('no such field');
		expect(() => call.option('timeout')).toThrow('no such field');
	});
});
