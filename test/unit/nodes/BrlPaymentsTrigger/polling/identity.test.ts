import { toIdentities } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';

const EVENT = { event: 'PAYMENT_PAID', paymentId: 'p1', withdrawalId: null, txId: 'PAY1' };

test('an event is known by its ID and by its txId', () => {
	const both = toIdentities(EVENT);
	expect(both).toHaveLength(2);
	expect(toIdentities({ ...EVENT, txId: null })).toEqual([both[0]]);
	expect(toIdentities({ ...EVENT, paymentId: null })).toEqual([both[1]]);
	expect(toIdentities({ ...EVENT, paymentId: null, txId: null })).toEqual([]);
});

test('another event of the same payment is another', () => {
	const other = toIdentities({ ...EVENT, event: 'PAYMENT_REFUNDED' });
	expect(other.filter((identity) => toIdentities(EVENT).includes(identity))).toEqual([]);
});

test('each stays what it is over versions', () => {
	expect(toIdentities(EVENT)).toEqual(['Hgbfs0J9tA', 'E65Jm0wopt']);
});
