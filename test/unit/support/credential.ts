import type { ApiCredential } from '../../../nodes/shared/client/connection';

/** The last part of the test keys: what must never show up anywhere. */
export const SECRET = 'exampleexampleexampleexample0001';
export const TEST_KEY = `brlpay_test_exampletst_${SECRET}`;
export const LIVE_KEY = `brlpay_live_examplelve_${SECRET}`;

/** A valid credential; tests break one field of it. */
export const credentialWith = (changed: Partial<ApiCredential> = {}): ApiCredential => ({
	apiKey: TEST_KEY,
	baseUrl: 'https://api.example.com',
	environment: 'auto',
	...changed,
});
