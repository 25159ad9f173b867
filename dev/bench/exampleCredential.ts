import type { ApiCredential } from '../../nodes/shared/client/connection';

/** The credential of the action node and of polling, for the bench's own service. */
export function exampleCredential(baseUrl: string): ApiCredential {
	return {
		apiKey: 'brlpay_test_testkey001_examplesecretofthetestkey0000001',
		baseUrl,
		environment: 'auto',
	};
}
