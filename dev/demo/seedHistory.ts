import type { Sandbox } from '../sandbox';

export type History = ReturnType<typeof seedHistory>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Gives a fresh sandbox a past, in its live account: expired boletos, with the address of the customer and without,
 * payments of yesterday, about which no event was ever sent, a payout that failed, and a payment page.
 *
 * @param now epoch milliseconds
 */
export function seedHistory({ seed, url }: Sandbox, now: number) {
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
	const { id } = seed.payment({
		...{ environment: 'PRODUCTION', mode: 'hosted', status: 'PENDING_METHOD_SELECTION' },
		...{ amountCents: 12_590, methods: ['PIX', 'CARD'], description: 'Pedido 1234' },
		customer: { name: 'Maria Exemplo', email: 'maria@customer.example' },
	});
	return {
		paidYesterday: paid(15_000, 'Davi Melo', 'Pedido 1202'),
		/** Address of a payment page that waits for its customer. */
		checkoutUrl: `${url}/checkout/${id}`,
	};
}
