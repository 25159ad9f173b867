import { json } from '../http/answer';
import { operation } from '../http/operation';
import { presentKey } from '../http/present';
import { centsToReais } from '../values/money';
import { iso } from '../values/time';

/** GET /v1/auth/self: the API key in use (docs/api.md#get-the-api-key). */
export const authSelf = operation('GET /v1/auth/self', {
	scopes: [],
	handle: ({ key }) => json(200, { apiKey: presentKey(key) }),
});

/** GET /v1/balance: a sandbox key always reads zeros (docs/api.md#get-the-balance). */
export const getBalance = operation('GET /v1/balance', {
	scopes: ['balance:read'],
	handle({ world: { account }, key, now }) {
		const real = key.environment === 'PRODUCTION';
		const parts = real
			? [account.balanceCents, account.frozenCents, account.heldCents, account.reservedCents]
			: [0, 0, 0, 0];
		const [available = 0, frozen = 0, held = 0, reserved = 0] = parts;
		return json(200, {
			balance: {
				available: centsToReais(available),
				frozen: centsToReais(frozen),
				held: centsToReais(held),
				reserved: centsToReais(reserved),
				total: centsToReais(available + frozen + held + reserved),
				currency: 'BRL',
				environment: key.environment,
				updatedAt: iso(now),
			},
		});
	},
});
