import { OPEN_POINTS } from '../../../../dev/sandbox/settings/openPoints';
import { WITHDRAWAL_STATUSES } from '../../../../nodes/BrlPayments/editor/fields';
import { isFailed } from '../../../../nodes/BrlPayments/orders/payouts';
import {
	DEFAULT_WINDOW_SECONDS,
	LONGEST_WINDOW_SECONDS,
} from '../../../../nodes/BrlPaymentsTrigger/description';
import { eventOfStatus, isTestEvent } from '../../../../nodes/BrlPaymentsTrigger/events';
import { NAMED_SCHEMES } from '../../../../nodes/BrlPaymentsTrigger/signature/settings';
import { TIMESTAMP_UNITS } from '../../../../nodes/BrlPaymentsTrigger/signature/timestamp';
import { LONGEST_HINTED_WAIT_MS } from '../../../../nodes/shared/retry/backoff';
import {
	DOCUMENT_PARAMETERS,
	FILTER_PARAMETERS,
	FILTERED_DATE,
	simulateBody,
} from '../../../../nodes/shared/transport/apiAssumptions';

describe('docs/open-points.md', () => {
	const deadStatuses = WITHDRAWAL_STATUSES.map(({ value }) => String(value)).filter((status) =>
		isFailed({ status }),
	);
	const layouts = Object.values(NAMED_SCHEMES).map(({ layout: { before, between } }) =>
		`${before}{timestamp}${between}{body}`.replace('\n', '\\n'),
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
		['signature', codes(layouts)],
		['timestampForm', [TIMESTAMP_UNITS.join(', ')]],
		['retriedDelivery', [DEFAULT_WINDOW_SECONDS, LONGEST_WINDOW_SECONDS].map(String)],
		['probe', codes(['TEST', 'webhook.test', 'WEBHOOK_TEST'].filter(isTestEvent))],
		['medStatus', codes([eventOfStatus('payment', 'MED_FROZEN') ?? 'nothing'])],
	])('says of %s what the code assumes', (id, said) => {
		for (const words of said) expect(OPEN_POINTS[id]?.join(' ')).toContain(words);
	});
});
