import type { IHttpRequestOptions } from 'n8n-workflow';
import { fetchCurrentState } from '../../../../nodes/BrlPaymentsTrigger/currentState';
import { toItem, type TriggerItem } from '../../../../nodes/BrlPaymentsTrigger/item';
import { answer, refusal } from '../../support/answers';
import { SECRET as API_SECRET } from '../../support/credential';
import { fakeNodeContext } from '../../support/nodeContext';
import { DELIVERY_ID, NOW, PAYMENT_ID } from './support/delivery';

const TX_ID = 'PAY0123456789ABCDEF0123456789ABCDEF';

const eventWith = (changed: Partial<TriggerItem>): TriggerItem => ({
	...toItem({ event: 'PAYMENT_PAID', deliveryId: DELIVERY_ID, body: {} }, NOW, NOW),
	...changed,
});

const fetchWith = async (
	changed: Partial<TriggerItem>,
	respond?: (request: IHttpRequestOptions) => ReturnType<typeof answer>,
) => {
	const fake = fakeNodeContext({ respond });
	return { ...fake, state: await fetchCurrentState(fake.context, eventWith(changed)) };
};

const WITHDRAWAL = { resourceType: 'withdrawal', withdrawalId: 'w1', txId: 'WIT1' } as const;
const ABOUT_PAYMENT = { status: 'REFUNDED', extra: 1 };

test.each<[string, Partial<TriggerItem>, string, object]>([
	['a payment by its ID', { paymentId: 'p1', txId: TX_ID }, 'payments/p1', { id: 'p1' }],
	['a payment by its txId', { txId: TX_ID }, `payments/txid/${TX_ID}`, { id: 'p1', txId: TX_ID }],
	['an ID with a slash', { paymentId: 'a/../b?c' }, 'payments/a%2F..%2Fb%3Fc', { id: 'a/../b?c' }],
	['a withdrawal', WITHDRAWAL, 'withdrawals/w1', { id: 'w1', txId: 'WIT1' }],
])('%s is looked up as it is now', async (_, changed, path, ids) => {
	const current = { ...ids, ...ABOUT_PAYMENT };
	const body = path.startsWith('w') ? { withdrawal: current } : { payment: current };
	const { state, requests, credentialNames } = await fetchWith(changed, () => answer(200, body));
	expect(state).toEqual(path.startsWith('w') ? { current, withdrawalId: 'w1' } : { current });
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

const NO_ID = { current: null, currentError: { code: 'NO_ID' } };

test.each<[string, Partial<TriggerItem>, object]>([
	['no payment or withdrawal', { resourceType: null, txId: 'X1' }, { current: null }],
	['no ID, and the item says so', {}, NO_ID],
])('nothing is asked about an event with %s', async (_, changed, expected) => {
	const { state, requests } = await fetchWith(changed);
	expect(state).toMatchObject(expected);
	expect(requests).toEqual([]);
});

test.each<[string, object]>([
	['of another payment', { id: 'other', status: 'PAID' }],
	['without a status', { id: PAYMENT_ID }],
])('a response %s is not shown as the state of the event', async (_, payment) => {
	const { state } = await fetchWith({ paymentId: PAYMENT_ID }, () => answer(200, { payment }));
	expect(state).toMatchObject(NO_ID);
});

test('a withdrawal of which only the txId is known is found on the first page of the list, or not', async () => {
	const pagination = { page: 1, limit: 100, totalPages: 2 };
	const found = { id: 'w1', txId: 'WIT1', status: 'COMPLETED' };
	const withdrawals = [{ id: 'w0', txId: 'WIT0', status: 'FAILED' }, found];
	const list = () => answer(200, { withdrawals, pagination });

	const { state, requests } = await fetchWith({ resourceType: 'withdrawal', txId: 'WIT1' }, list);
	expect(state).toEqual({ withdrawalId: 'w1', current: found });
	expect(requests.map(({ qs }) => qs)).toEqual([{ page: 1, limit: 100 }]);
	const other = await fetchWith({ resourceType: 'withdrawal', txId: 'WIT2' }, list);
	expect(other.state).toMatchObject(NO_ID);
	expect(other.state).not.toHaveProperty('withdrawalId');
});

test('a credential that is not there does not cost the event', async () => {
	const { context } = fakeNodeContext();
	context.getCredentials = async () => await Promise.reject(new Error('No credential'));
	expect(await fetchCurrentState(context, eventWith({ paymentId: PAYMENT_ID }))).toMatchObject({
		current: null,
		currentError: { code: 'INVALID_INPUT', message: 'The node has no API credential' },
	});
});
