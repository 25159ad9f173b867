import { z } from 'zod';
import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentNewWithdrawal } from '../../http/present';
import { newWithdrawal } from '../../store/rows';
import { startWithdrawal } from '../../lifecycle/withdrawals';
import { judgeAmount, resolveDestination, type Destination } from '../../rules/withdrawal';
import { reais } from '../../schemas/common';
import type { World } from '../../world';

const HOUR_MS = 60 * 60 * 1_000;
const NETWORK_MEMORY_MS = 24 * HOUR_MS;

const amount = reais.pipe(
	z.number().min(1_000, 'At least 10.00').max(100_000_000, 'At most 1,000,000.00'),
);

const withdrawalBody = z.object({
	amount,
	destination: z.object({ pixKey: z.string().min(1), recipientDocument: z.string().optional() }),
	method: z.literal('PIX').default('PIX'),
	currency: z.literal('BRL').default('BRL'),
	description: z.string().max(500, 'At most 500 characters').optional(),
});

/**
 * POST /v1/withdrawals: books a PENDING withdrawal, returns its narrow form
 * (docs/api.md#create-a-withdrawal).
 */
export const createWithdrawal = operation('POST /v1/withdrawals', {
	scopes: ['withdrawals:write'],
	idempotent: true,
	body: withdrawalBody,
	beforeValidation(body) {
		if (namesCreditorDocumentSource(body)) {
			throw new ServiceError('CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED');
		}
	},
	handle({ world, key, body, idempotencyKey, now }) {
		const { account, store } = world;
		const { environment } = key;
		if (account.withdrawalsBlocked) throw new ServiceError('WITHDRAWALS_BLOCKED');
		if (account.verificationRequired) throw new ServiceError('VERIFICATION_REQUIRED');

		const { pixKey, recipientDocument } = body.destination;
		const destination = resolveDestination(pixKey, recipientDocument, account.ownTaxId);
		if (typeof destination === 'string') throw new ServiceError(destination);
		if (account.blocklist.includes(pixKey)) throw new ServiceError('BLOCKLIST_DENIED');

		const broken = judgeAmount(
			account,
			body.amount,
			store.getUsedOnDay(environment, now),
			// Sandbox money is fake: its balance reads zero and is never checked.
			environment === 'PRODUCTION' ? account.balanceCents : null,
			now,
		);
		if (broken) throw new ServiceError(broken);
		askNetwork(world, pixKey, destination, now);

		const withdrawal = newWithdrawal(world, {
			...{ environment, amountCents: body.amount, pixKey, idempotencyKey },
			recipientDocument: destination.document,
			description: body.description ?? null,
		});
		startWithdrawal(world, withdrawal);
		return json(201, { withdrawal: presentNewWithdrawal(withdrawal) });
	},
});

function namesCreditorDocumentSource(body: unknown): boolean {
	const names = (value: unknown): boolean =>
		typeof value === 'object' && value !== null && Object.hasOwn(value, 'creditorDocumentSource');
	return names(body) || names((body as { destination?: unknown } | null)?.destination);
}

/** What only the PIX network knows: who holds the key, and what it refused lately. */
function askNetwork(world: World, pixKey: string, { document }: Destination, now: number): void {
	const { account, store } = world;
	if (account.withdrawalProviderUnavailable) {
		throw new ServiceError('WITHDRAWAL_PROVIDER_UNAVAILABLE', { stored: 'concluded' });
	}
	const pair = `${pixKey} ${document}`;
	const refusedAt = store.networkRefusals.get(pair);
	if (refusedAt !== undefined && now - refusedAt < NETWORK_MEMORY_MS) {
		throw new ServiceError('WITHDRAWAL_PIX_KEY_BLOCKED');
	}
	const holder = Object.hasOwn(account.pixKeyHolders, pixKey)
		? account.pixKeyHolders[pixKey]
		: undefined;
	if (holder !== undefined && holder !== document) {
		store.networkRefusals.set(pair, now);
		throw new ServiceError('WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH');
	}
}
