type SandboxOutcome = 'PAID' | 'NEW' | 'CANCELLED' | 'EXPIRED';

/** The sandbox cents rule (docs/api.md#outcomes-in-the-sandbox): the cents of the submitted amount decide the outcome. */
export function sandboxOutcome(submittedCents: number): SandboxOutcome {
	switch (submittedCents % 100) {
		case 2:
			return 'NEW';
		case 3:
			return 'CANCELLED';
		case 4:
			return 'EXPIRED';
		default:
			return 'PAID';
	}
}

/** Cents `.02` of the payment, not of the refund, make a sandbox refund fail (docs/api.md#outcomes-in-the-sandbox). */
export function sandboxRefundFails(submittedCents: number): boolean {
	return submittedCents % 100 === 2;
}
