/** What the tests of money share: a workflow that pays references, what happens to it, and what is true then. */
import type { IDataObject, Workflow } from 'n8n-workflow';
import type { FaultAction } from '../../../dev/sandbox';
import type { Execution } from './execution';
import { use, type RunSettings } from './harness';
import { dataTables } from './ledger';
import { NODE } from './names';
import { payEach, TWO } from './payouts';
import { BOTH, INVOICES, killTables, PayoutBench, referenced, reviveTables } from './references';
import { restart } from './restart';
import type { Parameters } from './workflow';

/** What each of two items says of itself: an earlier run has paid it, or this one. */
export const BEFORE = [true, true];
export const NOW = [false, false];
/** Of both, nobody knows whether they were paid. */
export const DOUBTS = ['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT'];
/** Neither has an error. */
export const FINE = [undefined, undefined];

/** Payment > Refund, of what `paidPayments` returns. */
export const refundEach: Parameters = {
	...{ resource: 'payment', operation: 'refund' },
	...{ paymentId: '={{ $json.id }}', options: { maxConcurrency: 1 } },
};

class MoneyBench extends PayoutBench {
	private own: Workflow | undefined;

	/** The workflow of the test. Others are `referenced()`. */
	get workflow(): Workflow {
		this.own ??= referenced();
		return this.own;
	}

	override reset(): void {
		super.reset();
		this.own = undefined;
	}

	/** The workflow of the test runs, with both invoices if nothing else is said. */
	async pay(rows: IDataObject[] = INVOICES, settings: RunSettings = {}): Promise<Execution> {
		return await this.start(this.workflow, rows, settings);
	}

	/** The same, and a person does what the errors say, see `followWords`. */
	async payAsTold(rows: IDataObject[] = INVOICES, settings: RunSettings = {}): Promise<Execution> {
		return await this.followWords(this.workflow, rows, settings);
	}

	/** The workflow runs, and n8n is killed as soon as something holds: its tables are written no more. */
	async payKilled(
		when: () => boolean,
		rows: IDataObject[] = INVOICES,
		settings: RunSettings = {},
	): Promise<Execution> {
		killTables(when);
		const killed = await this.pay(rows, settings);
		reviveTables();
		restart();
		return killed;
	}

	/** Two payouts without references, see `TWO`. */
	async payTwo(settings: RunSettings = {}, options: Parameters = {}): Promise<Execution> {
		return await this.run(payEach(options), TWO, settings);
	}

	/** Two payments that customers have made. */
	paidPayments(): Array<{ id: string; txId: string }> {
		return [1001, 2005].map((amountCents) => {
			const { id, txId } = this.sandbox.seed.payment({ status: 'PAID', amountCents });
			return { id, txId };
		});
	}

	/** Each reference is paid once, and the run says of each row whether an earlier one has paid it. */
	expectOnce(
		run: Execution,
		paidBefore: readonly boolean[],
		living: Record<string, number> = BOTH,
	): void {
		expect(run.paidBefore).toEqual(paidBefore);
		this.expectLiving(living, run);
	}

	/** All requests with a text that may have an effect meet a fault. @returns ends that */
	strike(text: string, fault: FaultAction & { times?: number; skip?: number }): () => void {
		return this.sandbox.faults.add({
			...{ method: 'POST', times: Infinity, ...fault },
			when: ({ rawBody }) => rawBody.includes(text),
		});
	}
}

/** One bench for all tests of a file. */
export const useMoney = (): MoneyBench => use(new MoneyBench());

/** Every call of n8n's tables lets others go first. */
export function slowDownTables(): void {
	dataTables().onStep = async () => {
		for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
	};
}

/** Nothing was sent, as an earlier attempt may have paid. @param why what the error says of that */
export function expectDoubt({ error, posts }: Execution, ...why: string[]): void {
	expect(error?.message).toContain('It is not known whether an earlier attempt paid');
	for (const words of why) expect(error?.description).toContain(words);
	expect(posts).toBe(0);
}

/** The node of an execution that failed continues after errors, in the retry. */
export function continueOnFail({ workflow }: Execution): void {
	workflow.nodes[NODE]!.onError = 'continueRegularOutput';
}
