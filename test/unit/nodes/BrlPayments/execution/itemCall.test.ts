import type { IDataObject } from 'n8n-workflow';
import { readObject } from '../../../../../nodes/shared/transport/schemas';
import type { OrderDraft } from '../../../../../nodes/BrlPayments/execution/draft';
import { LIVE_KEY } from '../../../support/credential';
import { createItemCall } from '../../../support/itemCall';
import type { NodeContextOptions } from '../../../support/nodeContext';
import { getRefusal } from '../../../support/refusal';

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

describe('what an item asks for', () => {
	const DRAFT: OrderDraft = {
		path: '/v1/withdrawals',
		body: { amount: 10 },
		identity: { amount: 1000, pixKey: 'maria@customer.example' },
		read: readObject,
	};
	const getRequest = async (options: NodeContextOptions = {}, item = 0) => {
		const { call } = await createItemCall({ parameters: [{}, {}], ...options }, item);
		return call.orderRequest(DRAFT);
	};

	test('has the key of its own item, without blanks at the ends', async () => {
		const parameters = ['invoice-1', ' invoice-2 '].map((idempotencyKey) => ({
			options: { idempotencyKey },
		}));

		expect((await getRequest({ parameters }, 1)).ownKey).toBe('invoice-2');
	});

	test('has the key of its own item where that failed before', async () => {
		const inputs = ['key-1', 'key-2'].map((idempotencyKey) => ({ error: { idempotencyKey } }));

		expect((await getRequest({ inputs }, 1)).adopted?.key).toBe('key-2');
	});

	test('knows another API key without showing its key, and live money', async () => {
		const test = await getRequest();
		const live = await getRequest({ credential: { apiKey: LIVE_KEY } });

		expect(live.keyId).not.toBe(test.keyId);
		expect([test.isLive, live.isLive]).toEqual([false, true]);
		expect(JSON.stringify(live)).not.toContain('example0001');
	});
});

describe('a text that was entered, where the expression returns', () => {
	test.each<[string, string, unknown, string]>([
		['an object', '={{ $json.row }}', { a: 1 }, 'Reference is an object, not text'],
		['a list', '={{ $json.row }}', ['NF-1'], 'Reference is an object, not text'],
		['a text with an object in it', '=NF-{{ $json.row }}', 'NF-[object Object]', 'is an object'],
	])('%s, says so', async (_, raw, value, message) => {
		const { call } = await createItemCall({ parameters: [{}] });
		const { message: said, remedy } = getRefusal(() => call.enteredText(raw, value, 'Reference'));

		expect(said).toContain(message);
		expect(remedy).toBe('Choose a single field for Reference, for example {{ $json.id }}.');
	});
});
