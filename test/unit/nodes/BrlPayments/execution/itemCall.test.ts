import type { IDataObject } from 'n8n-workflow';
import { parseReference } from '../../../../../nodes/shared/orders/reference';
import { readObject } from '../../../../../nodes/shared/transport/schemas';
import type { OrderDraft } from '../../../../../nodes/BrlPayments/execution/draft';
import { answer, refusal } from '../../../support/answers';
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
	const getRequest = async (
		options: NodeContextOptions = {},
		draft: Partial<OrderDraft> = {},
		item = 0,
	) => {
		const { call } = await createItemCall({ parameters: [{}, {}], ...options }, item);
		return call.orderRequest({ ...DRAFT, ...draft });
	};

	test('is what the draft says, under an automatic key', async () => {
		expect(await getRequest()).toEqual({
			operation: 'withdrawal.create',
			identity: DRAFT.identity,
			reference: undefined,
			ownKey: '',
			adopted: undefined,
			payout: undefined,
			keyId: expect.any(String),
			keyPrefix: 'brlpay_test_exampletst',
			isLive: false,
			allowLate: false,
		});
	});

	test('has the reference and the payout of the draft', async () => {
		const reference = parseReference('NF-1042');
		const pixKey = { value: 'maria@customer.example', type: 'EMAIL' } as const;
		const payout = { cents: 1000, pixKey };

		expect(await getRequest({}, { reference, payout })).toMatchObject({
			reference,
			payout,
		});
	});

	test('has the key of its own item, without blanks at the ends', async () => {
		const parameters = ['invoice-1', ' invoice-2 '].map((idempotencyKey) => ({
			options: { idempotencyKey },
		}));

		expect((await getRequest({ parameters }, {}, 1)).ownKey).toBe('invoice-2');
	});

	test('has the key of its own item where that failed before', async () => {
		const inputs = ['key-1', 'key-2'].map((idempotencyKey) => ({ error: { idempotencyKey } }));

		expect((await getRequest({ inputs }, {}, 1)).adopted?.key).toBe('key-2');
	});

	test('knows another API key without showing its key, and live money', async () => {
		const test = await getRequest();
		const live = await getRequest({ credential: { apiKey: LIVE_KEY } });

		expect(live.keyId).not.toBe(test.keyId);
		expect([test.isLive, live.isLive]).toEqual([false, true]);
		expect(JSON.stringify(live)).not.toContain('example0001');
	});

	test('is sent late where the user allows it', async () => {
		const parameters = [{ options: { allowRetryAfter24Hours: true } }];

		expect((await getRequest({ parameters })).allowLate).toBe(true);
	});

	test('is refused where the key is an expression that returned nothing', async () => {
		const { call } = await createItemCall({
			parameters: [{ options: { idempotencyKey: '' } }],
			rawParameters: { options: { idempotencyKey: '={{ $json.invoice }}' } },
		});

		expect(getRefusal(() => call.orderRequest(DRAFT)).message).toBe(
			'The expression for Idempotency Key returned nothing for this item',
		);
	});
});

describe('a text that was entered', () => {
	const entered = async (raw: unknown, value: unknown) => {
		const { call } = await createItemCall({ parameters: [{}] });
		return call.enteredText(raw, value, 'Reference');
	};

	test.each<[string, unknown, unknown, string | undefined]>([
		['nothing', '', '', undefined],
		['a fixed text', 'NF-1', 'NF-1', 'NF-1'],
		['an expression', '={{ $json.invoice }}', 'NF-1', 'NF-1'],
	])('as %s is taken', async (_, raw, value, text) => {
		expect(await entered(raw, value)).toBe(text);
	});

	test.each([undefined, null, '', '  '])(
		'as an expression that returns %o fails',
		async (value) => {
			await expect(entered('={{ $json.invoice }}', value)).rejects.toThrow('returned nothing');
		},
	);
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

describe('a look-up before a write', () => {
	const OPTIONS = {
		additionalQueryParameters: {
			parameter: [
				{ name: 'companyId', value: '7' },
				{ name: 'status', value: 'COMPLETED' },
			],
		},
		timeout: 7,
	};

	test('takes the parameters that the user adds, but none that chooses rows', async () => {
		const { call, requests } = await createItemCall({
			parameters: [{ options: OPTIONS }],
			respond: () => answer(200, {}),
		});

		await call.lookUp('/v1/withdrawals', readObject, 'withdrawals:read', { page: 1 });
		await call.get('/v1/withdrawals', readObject, { page: 1 });

		expect(requests.map(({ qs }) => qs)).toEqual([
			{ page: 1, companyId: '7' },
			{ page: 1, companyId: '7', status: 'COMPLETED' },
		]);
		expect(requests.map(({ timeout }) => timeout)).toEqual([7_000, 7_000]);
	});

	test('names its own scope where the key lacks it', async () => {
		const { call } = await createItemCall({
			parameters: [{}],
			respond: () => refusal(403, 'FORBIDDEN'),
		});

		await expect(
			call.lookUp('/v1/withdrawals', readObject, 'withdrawals:read'),
		).rejects.toMatchObject({
			failure: { description: expect.stringContaining('the scope withdrawals:read') as string },
		});
	});
});
