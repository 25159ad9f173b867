import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	explainMissingId,
	fetchCurrentState,
} from '../../../../../nodes/BrlPaymentsTrigger/emit/currentState';
import {
	describeDelivery,
	type TriggerOutput,
} from '../../../../../nodes/BrlPaymentsTrigger/events/output';
import { answer, refusal } from '../../../support/answers';
import { SECRET as API_SECRET } from '../../../support/credential';
import { fakeNodeContext } from '../../../support/nodeContext';
import { DELIVERY_ID, NOW, PAYMENT_ID } from '../support/delivery';

const TX_ID = 'PAY0123456789ABCDEF0123456789ABCDEF';

const output = (changed: Partial<TriggerOutput>): TriggerOutput => ({
	...describeDelivery({ event: 'PAYMENT_PAID', deliveryId: DELIVERY_ID, body: {} }, NOW, NOW),
	...changed,
});

const fetchWith = async (
	changed: Partial<TriggerOutput>,
	respond?: (request: IHttpRequestOptions) => ReturnType<typeof answer>,
) => {
	const fake = fakeNodeContext({ respond });
	return { ...fake, state: await fetchCurrentState(fake.context, output(changed)) };
};

const WITHDRAWAL = { resourceType: 'withdrawal', withdrawalId: 'w1', txId: 'WIT1' } as const;
const ABOUT_PAYMENT = { status: 'REFUNDED', extra: 1 };

test.each<[string, Partial<TriggerOutput>, string, object]>([
	['a payment by its ID', { paymentId: 'p1', txId: TX_ID }, 'payments/p1', { id: 'p1' }],
	['a payment by its txId', { txId: TX_ID }, `payments/txid/${TX_ID}`, { id: 'p1', txId: TX_ID }],
	['an ID with a slash', { paymentId: 'a/../b?c' }, 'payments/a%2F..%2Fb%3Fc', { id: 'a/../b?c' }],
	['a withdrawal', WITHDRAWAL, 'withdrawals/w1', { id: 'w1', txId: 'WIT1' }],
])('%s is looked up as it is now', async (_, changed, path, ids) => {
	const current = { ...ids, ...ABOUT_PAYMENT };
	const body = path.startsWith('w') ? { withdrawal: current } : { payment: current };
	const { state, requests, credentialNames } = await fetchWith(changed, () => answer(200, body));
	expect(state).toEqual({ current });
	expect(requests).toMatchObject([{ method: 'GET', url: `https://api.example.com/v1/${path}` }]);
	expect(credentialNames).toEqual(['brlPaymentsApi']);
});

test.each([
	[{ paymentId: 'p1' }, 'payments:read'],
	[{ txId: TX_ID }, 'payments:read'],
	[WITHDRAWAL, 'withdrawals:read'],
])('of %o, the scope is named that is missing', async (changed, scope) => {
	const { state } = await fetchWith(changed, () => refusal(403, 'FORBIDDEN'));
	expect(state).toMatchObject({ current: null, currentError: { code: 'FORBIDDEN' } });
	expect(JSON.stringify(state)).toContain(scope);
	expect(JSON.stringify(state)).not.toContain(API_SECRET);
});

test.each<[string, Partial<TriggerOutput>, object]>([
	['no payment or withdrawal', { resourceType: null, txId: 'X1' }, { current: null }],
	['no ID, and the item says so', {}, { current: null, currentError: { code: 'NO_ID' } }],
])('nothing is asked about an event with %s', async (_, changed, expected) => {
	const { state, requests } = await fetchWith(changed);
	expect(state).toMatchObject(expected);
	expect(requests).toEqual([]);
});

test.each<[string, Partial<TriggerOutput>, object]>([
	['of another payment', { paymentId: PAYMENT_ID }, { id: 'other', status: 'PAID' }],
	['without a status', { paymentId: PAYMENT_ID }, { id: PAYMENT_ID }],
	['of another txId', { txId: TX_ID }, { id: PAYMENT_ID, txId: 'PAY2', status: 'PAID' }],
])('a response %s is not shown as the state of the event', async (_, changed, payment) => {
	const { state } = await fetchWith(changed, () => answer(200, { payment }));
	expect(state).toMatchObject({ current: null, currentError: { code: 'UNEXPECTED_ANSWER' } });
});

describe('a withdrawal of which only the txId is known', () => {
	const event = { resourceType: 'withdrawal', txId: 'WIT1' } as const;
	const found = { id: 'w1', txId: 'WIT1' };
	/** So many pages; the row is on one of them. */
	const createList = (pages: number, place?: number) => (request: IHttpRequestOptions) => {
		const page = Number(request.qs?.page);
		const rows = Array.from({ length: 100 }, (_, index) => ({ id: `w${page}-${index}`, txId: '' }));
		if (page === place) rows[99] = found;
		return answer(200, { withdrawals: rows, pagination: { page, limit: 100, totalPages: pages } });
	};

	// Behind 5,000 newer ones it is on the 51st page.
	test.each([1, 2, 51])(
		'is found on page %i of the list, by nothing but page and limit',
		async (place) => {
			const { state, requests, credentialNames } = await fetchWith(event, createList(60, place));
			expect(state).toEqual({ withdrawalId: 'w1', current: found });
			expect(requests.map(({ url, qs }) => [url, qs])).toEqual(
				Array.from({ length: place }, (_, index) => [
					'https://api.example.com/v1/withdrawals',
					{ page: index + 1, limit: 100 },
				]),
			);
			expect(new Set(credentialNames)).toEqual(new Set(['brlPaymentsApi']));
		},
	);

	test.each([
		['a short list', 2, 2],
		['a long list', 61, 60],
	])('and that %s does not show keeps no ID, and says why', async (_, pages, read) => {
		const { state, requests } = await fetchWith(event, createList(pages));
		expect(state).toEqual({
			current: null,
			withdrawalIdMissing: expect.stringMatching(/only the txId/) as string,
		});
		expect(requests).toHaveLength(read);
	});

	test('keeps no ID where the list cannot be read, and says why', async () => {
		const { state } = await fetchWith(event, () => refusal(403, 'FORBIDDEN'));
		expect(state).toMatchObject({ current: null, currentError: { code: 'FORBIDDEN' } });
	});

	test.each<[string, Partial<TriggerOutput>, string | undefined]>([
		[
			'the state is not to be fetched',
			{},
			'The event has only the txId. Turn on Fetch Current State to look up the withdrawal.',
		],
		[
			'it has no txId either',
			{ txId: null },
			'The event has no ID that is certainly the ID of the withdrawal. Check its body.',
		],
		['its ID is known', { withdrawalId: 'w1' }, undefined],
		['it is a payment', { resourceType: 'payment' }, undefined],
	])('says why its ID is missing if %s', (_, changed, withdrawalIdMissing) => {
		const expected = withdrawalIdMissing === undefined ? {} : { withdrawalIdMissing };
		expect(explainMissingId(output({ ...event, ...changed }))).toEqual(expected);
	});
});

describe('what goes wrong does not cost the event', () => {
	test.each(['.', '..', '\ud800'])('the id %o, which no address can hold', async (paymentId) => {
		const { state, requests } = await fetchWith({ paymentId });
		expect(state).toMatchObject({ current: null, currentError: { retryable: false } });
		expect(requests).toEqual([]);
	});

	test('a credential that is not there', async () => {
		const { context } = fakeNodeContext();
		context.getCredentials = async () => await Promise.reject(new Error('No credential'));
		expect(await fetchCurrentState(context, output({ paymentId: PAYMENT_ID }))).toMatchObject({
			current: null,
			currentError: { code: 'INVALID_INPUT', message: 'The node has no API credential' },
		});
	});
});
