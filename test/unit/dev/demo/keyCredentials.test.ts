import { expect, it } from 'vitest';

import { readExample, PAYOUT_EXAMPLE } from '../../../../dev/demo/examples';
import { LIVE_KEY_CREDENTIAL_NAME, withApiCredential } from '../../../../dev/demo/keyCredentials';

it('gives each node that calls the service the named credential, and leaves the others alone', async () => {
	const example = await readExample(PAYOUT_EXAMPLE);

	const { nodes } = withApiCredential(example, LIVE_KEY_CREDENTIAL_NAME);

	const names = (type: 'brlPaymentsApi' | 'smtp') =>
		nodes.flatMap(({ credentials }) => credentials?.[type]?.name ?? []);
	expect(names('brlPaymentsApi').length).toBeGreaterThanOrEqual(3);
	expect(new Set(names('brlPaymentsApi'))).toEqual(new Set([LIVE_KEY_CREDENTIAL_NAME]));
	expect(new Set(names('smtp'))).toEqual(new Set(['SMTP account']));
});
