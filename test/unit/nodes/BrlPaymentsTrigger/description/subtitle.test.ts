import { runInNewContext } from 'node:vm';
import { buildSubtitle } from '../../../../../nodes/BrlPaymentsTrigger/description/subtitle';

/** What n8n makes of the expression. */
function show(events: unknown): unknown {
	const code = /^=\{\{ (.+) \}\}$/.exec(buildSubtitle())?.[1];
	return runInNewContext(String(code), { $parameter: { events } });
}

test.each<[string, unknown, string]>([
	['events', ['PAYMENT_PAID', 'MED_RECEIVED'], 'Payment Paid, MED Received'],
	['all events', ['*'], 'All Events'],
	['one event, from an expression', 'PAYMENT_PAID', 'Payment Paid'],
	['an event without a name', ['PAYMENT_SEEN'], 'PAYMENT_SEEN'],
	['nothing', undefined, ''],
])('shows %s in words', (_, events, words) => {
	expect(show(events)).toBe(words);
});
