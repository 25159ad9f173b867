import type { Payment, Sandbox } from '../sandbox';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export interface Past {
	/** Expired boletos with the address of the customer, and one without. */
	overdue: { withAddress: Payment[]; withoutAddress: Payment };
	/** Paid yesterday; no event about them was ever sent. */
	paidYesterday: Payment[];
}

/** Gives a fresh sandbox a past, in its live account. @param now epoch milliseconds */
export function seedPast({ seed }: Sandbox, now: number): Past {
	const boleto = (amountCents: number, name: string, metadata: Record<string, unknown>): Payment =>
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
	const paid = (amountCents: number, name: string, description: string): Payment =>
		seed.payment({
			environment: 'PRODUCTION',
			amountCents,
			status: 'PAID',
			createdAt: now - DAY_MS,
			customer: { name },
			description,
		});
	const past = {
		overdue: {
			withAddress: [
				boleto(12_590, 'Maria', { email: 'maria@customer.example', name: 'Maria' }),
				boleto(48_000, 'Carlos', { email: 'carlos@customer.example', name: 'Carlos' }),
			],
			withoutAddress: boleto(7_700, 'Rita', {}),
		},
		paidYesterday: [
			paid(9_990, 'Lia Prado', 'Pedido 1201'),
			paid(15_000, 'Davi Melo', 'Pedido 1202'),
		],
	};
	seed.withdrawal({
		environment: 'PRODUCTION',
		createdAt: now - DAY_MS,
		status: 'FAILED',
		errorMessage: 'The account of the recipient is closed',
	});
	return past;
}
