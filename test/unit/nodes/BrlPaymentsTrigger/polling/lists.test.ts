import { eventsOfRows } from '../../../../../nodes/BrlPaymentsTrigger/polling/lists';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const find = (...rows: object[]) =>
	eventsOfRows('payment', rows as Array<Record<string, unknown>>, ['*'], NOW);

test('a listed payment has its own ID, whatever its event says of other shapes', () => {
	const [found] = find({ id: 'p1', txId: 'PAY1', status: 'MED_FROZEN' });
	expect(found?.output).toMatchObject({
		event: 'MED_RECEIVED',
		source: 'polling',
		deliveryId: 'poll-MED_RECEIVED-p1',
		resourceType: 'payment',
		paymentId: 'p1',
		withdrawalId: null,
		txId: 'PAY1',
		isTest: false,
	});
});

test('payments whose txId is empty are not taken for one event', () => {
	const [one, other] = find(
		{ id: 'p1', txId: '', status: 'PAID' },
		{ id: 'p2', txId: '', status: 'PAID' },
	);
	expect(one?.identities).toHaveLength(1);
	expect(other?.identities).not.toEqual(one?.identities);
});
