import type { Payment, Sandbox } from '../sandbox';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Gives a fresh sandbox a past, in its live account: expired boletos, with the address of the customer and without,
 * payments of yesterday, about which no event was ever sent, and a payout that failed.
 *
 * @param now epoch milliseconds
 * @returns a payment of yesterday
 */
export function seedPast({ seed }: Sandbox, now: number): Payment {
	const boleto = (amountCents: number, name: string, metadata: Record<string, unknown>) =>
		seed.payment({
			environment: 'PRODUCTION',
			amountCents,
			paymentMethod: 'BOLETO',
			status: 'EXPIRED',
			createdAt: now - 5 * DAY_MS,
			expiresAt: now - 2 * DAY_MS,
			description: `Invoice of ${name}`,
			metadata,
		});
	const yesterday = { environment: 'PRODUCTION', createdAt: now - DAY_MS } as const;
	const paid = (amountCents: number, name: string, description: string) =>
		seed.payment({ ...yesterday, amountCents, status: 'PAID', customer: { name }, description });
	boleto(12_590, 'Maria', { email: 'maria@customer.example', name: 'Maria' });
	boleto(48_000, 'Carlos', { email: 'carlos@customer.example', name: 'Carlos' });
	boleto(7_700, 'Rita', {});
	const errorMessage = 'The account of the recipient is closed';
	seed.withdrawal({ ...yesterday, status: 'FAILED', errorMessage });
	paid(9_990, 'Lia Prado', 'Pedido 1201');
	return paid(15_000, 'Davi Melo', 'Pedido 1202');
}
