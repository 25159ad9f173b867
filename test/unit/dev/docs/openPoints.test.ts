import { assumedDialect } from '../../../../dev/sandbox';
import { WITHDRAWAL_STATUSES } from '../../../../nodes/BrlPayments/editor/fields';
import { isFailed } from '../../../../nodes/BrlPayments/orders/payouts';
import {
	DEFAULT_WINDOW_SECONDS,
	LONGEST_WINDOW_SECONDS,
} from '../../../../nodes/BrlPaymentsTrigger/description';
import { eventOfStatus, isTestEvent } from '../../../../nodes/BrlPaymentsTrigger/events';
import { AUTOMATIC_LAYOUTS, TIMESTAMP_UNITS } from '../../../../nodes/shared/client/signing';
import { LONGEST_HINTED_WAIT_MS } from '../../../../nodes/shared/retry/backoff';
import {
	DOCUMENT_PARAMETERS,
	FILTER_PARAMETERS,
	FILTERED_DATE,
	simulateBody,
} from '../../../../nodes/shared/transport/apiAssumptions';
import { readOpenPoints } from '../../support/pages';

describe('docs/open-points.md', () => {
	const points = readOpenPoints();

	it('has each point that the emulated service has a dialect for', () => {
		expect([...points.keys()]).toEqual(expect.arrayContaining(Object.keys(assumedDialect())));
	});

	const deadStatuses = WITHDRAWAL_STATUSES.map(({ value }) => String(value)).filter((status) =>
		isFailed({ status }),
	);
	const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``);

	it.each<[string, readonly string[]]>([
		['listFilters', codes([...Object.values(FILTER_PARAMETERS), FILTERED_DATE])],
		['documentParameters', codes(Object.values(DOCUMENT_PARAMETERS))],
		[
			'simulateBody',
			codes([JSON.stringify(simulateBody('PAID'), null, 1).replaceAll(/\s+/g, ' ')]),
		],
		['withdrawalTransitions', codes(deadStatuses)],
		['rateLimitReset', [`more than ${LONGEST_HINTED_WAIT_MS / 60_000} minutes`]],
		['signature', codes(AUTOMATIC_LAYOUTS)],
		['timestampForm', [Object.keys(TIMESTAMP_UNITS).join(', ')]],
		['retriedDelivery', [DEFAULT_WINDOW_SECONDS, LONGEST_WINDOW_SECONDS].map(String)],
		['probe', codes(['TEST', 'webhook.test', 'WEBHOOK_TEST'].filter(isTestEvent))],
		['medStatus', codes([eventOfStatus('payment', 'MED_FROZEN') ?? 'nothing'])],
	])('says of %s what the code assumes', (id, said) => {
		for (const words of said) expect(points.get(id)).toContain(words);
	});
});
