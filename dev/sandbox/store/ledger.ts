/** One movement of the real-money ledger; `amountCents` is signed. */
export interface LedgerEntry {
	at: number;
	kind: 'PAYMENT' | 'REFUND' | 'WITHDRAWAL' | 'CHARGEBACK' | 'CHARGEBACK_REVERSED';
	amountCents: number;
	reference: string;
}

/** Production movements only: a sandbox key always gets an empty statement (docs/api.md#environments). */
export class Ledger {
	private readonly entries: LedgerEntry[] = [];

	add(entry: LedgerEntry): void {
		this.entries.push(entry);
	}

	between(start: number, end: number): LedgerEntry[] {
		return this.entries.filter((entry) => entry.at >= start && entry.at <= end);
	}

	sumAfter(ms: number): number {
		return this.entries.reduce((sum, entry) => (entry.at > ms ? sum + entry.amountCents : sum), 0);
	}

	clear(): void {
		this.entries.length = 0;
	}
}
