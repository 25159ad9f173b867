import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../../shared/failures/failure';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { toText } from '../../shared/validation/text';
import type { ItemResult } from '../execution/draft';
import type { OrderItem, OrderProcessor, OrderRun, TakenBack } from '../execution/orderProcessor';
import { PlainProcessor } from '../execution/orderRun';
import { openLedger } from '../ledger/dataTable';
import { findTable } from '../ledger/findTable';
import { LedgerUnavailable } from '../ledger/ledger';
import { ReferencedOrders } from '../ledger/referencedOrders';
import { SharedReferences } from '../ledger/sharedReferences';
import { claimWithdrawal, isReplayed } from '../ledger/origin';
import { CHARGE } from './chargeKind';
import { sharedExternalId } from './chargeTexts';

/**
 * The charges of one run of the node: those that are to be made once per External ID follow the ledger,
 * as payouts with a reference do, the others their key and what the execution remembers.
 */
export class ChargeRun implements OrderProcessor {
	private readonly plain = new PlainProcessor();
	private readonly referenced: ReferencedOrders;
	private readonly shared = new SharedReferences(asksForSame, ({ order }, first) =>
		sharedExternalId(order, first.index + 1),
	);
	private hasLedger = true;

	constructor(private readonly orders: OrderRun) {
		this.referenced = new ReferencedOrders(
			orders,
			openLedger(orders.node.context, 'charge'),
			CHARGE,
		);
	}

	async begin(items: readonly OrderItem[]): Promise<ReadonlyArray<Failure | undefined>> {
		const { shared } = this;
		shared.begin(items);
		const isAsked = items.some(({ request }) => request.reference !== undefined);
		this.hasLedger = isAsked && (await this.findLedger());
		if (this.hasLedger) {
			shared.refuse(await this.referenced.ask(shared.open.filter(isNamed)));
			shared.refuse(await this.referenced.claim(shared.open.filter(isNamed)));
		}
		return shared.outcomes;
	}

	async settle(item: OrderItem): Promise<ItemResult> {
		const create = async (first: OrderItem) => await this.create(first);
		const created = await this.shared.settle(item, create);
		// The service need not show it, and the nodes after this one look the order up by it.
		const { externalId } = item.draft.body as IDataObject;
		const json = { ...created.json, ...omitUndefined({ externalId }) };
		if (!created.isShared) return { json };
		item.call.hint(
			'Items with the same External ID were charged once, and all return the same payment.',
		);
		return { json: { ...json, alreadyCreated: true } };
	}

	async end(): Promise<TakenBack | undefined> {
		return await this.referenced.end();
	}

	/** Without Data Tables, the key of the External ID alone protects. Other trouble with the table stops. */
	private async findLedger(): Promise<boolean> {
		const { context, hints } = this.orders.node;
		const problem = await findTable(context).then(
			() => undefined,
			(error: unknown) => (error instanceof LedgerUnavailable ? error.problem : 'failed'),
		);
		if (problem === 'noDataTables') hints.add(ONLY_24_HOURS);
		return problem !== 'noDataTables';
	}

	private async create(item: OrderItem): Promise<ItemResult> {
		if (!isNamed(item)) {
			const result = await this.plain.settle(item);
			// Somebody has filled in the External ID for a retry of what was sent without it.
			if (this.hasLedger) await this.referenced.recordAdded(item, toText(result.json.id));
			return result;
		}
		if (!this.hasLedger) return await this.createByKey(item);
		const result = await this.referenced.settle(item, () => undefined);
		const isPage = item.draft.body.mode === 'hosted';
		if (isPage && result.json.checkoutUrl === undefined) item.call.hint(NO_LINK);
		return result;
	}

	/** Under the key of the External ID, without the ledger. */
	private async createByKey(item: OrderItem): Promise<ItemResult> {
		const { call, draft, order } = item;
		if (order.isDone) {
			const { json } = await this.plain.settle(item);
			return { json: { ...json, alreadyCreated: true } };
		}
		const { body, date } = await call.sendOrder(draft, order);
		const id = toText(body.id);
		const { wasNamed } = claimWithdrawal(id, order.key, call.now());
		const alreadyCreated = wasNamed || isReplayed(body, order, date, call.now());
		const current = alreadyCreated ? await draft.current?.(id).catch(() => undefined) : undefined;
		if (current && CHARGE.isOver(current)) throw CHARGE.texts.failed(order, current);
		const json = { ...body, ...(current as IDataObject | undefined) };
		const charge = CHARGE.toOutput(order, json, alreadyCreated, {});
		// If two runs ask at once, only the table shows which of them has made it.
		return { json: omitUndefined({ ...charge, alreadyCreated: alreadyCreated || undefined }) };
	}
}

const isNamed = ({ order }: OrderItem): boolean => order.kind === 'reference';

function asksForSame({ draft: one }: OrderItem, { draft: other }: OrderItem): boolean {
	return CHARGE.toContent(one, '') === CHARGE.toContent(other, '');
}

const NO_LINK =
	'The service returned at least one charge without a link (checkoutUrl). If the charge has a payment page, look for its link in the dashboard.';

const ONLY_24_HOURS =
	'This n8n has no Data Tables, so External IDs are recognized for 24 hours only: a charge that is repeated later is created again. Update to n8n 2.3 or later, or turn the Data Table module on (remove data-table from N8N_DISABLED_MODULES).';
