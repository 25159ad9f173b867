import type { IContextObject, INode } from 'n8n-workflow';

/** What one run of a node has asked for. n8n stores it with the execution, so it is short. */
interface AskedByRun {
	/** When this run was first made, epoch ms. */
	readonly at: number;
	/** How many runs were made before it, of any node. */
	readonly before: number;
	/** Of orders; of what has no name, its contents. */
	names: string[];
	/** Contents of the orders that this run has left without an answer. */
	open: string[];
}

/** A node by its ID and its name: people rename nodes and replace them. */
interface AskedByNode {
	id: string;
	name: string;
	runs: Record<string, AskedByRun>;
}

const FIELD = 'brlPaymentsAsked';

/**
 * Which names an execution has asked for, per node and run. It lives in n8n's memory of the execution, which
 * survives Retry On Fail and retries, not kill -9. What a run asks for is set each time that the run is made,
 * so that a run which is made again is not a second one.
 */
export class AskedNames {
	/** Whether this very run was made before. */
	readonly wasMadeBefore: boolean;
	/** When this very run was first made, epoch ms. */
	readonly madeAt: number;
	private readonly own: AskedByRun;
	private readonly others: readonly AskedByRun[];

	/** @param run names the run, see `nameRun` */
	constructor(flow: IContextObject, node: Pick<INode, 'id' | 'name'>, run: string, now: number) {
		const nodes = (flow[FIELD] ??= []) as AskedByNode[];
		let known =
			nodes.find(({ id }) => id === node.id) ?? nodes.find(({ name }) => name === node.name);
		if (known === undefined) nodes.push((known = { id: node.id, name: node.name, runs: {} }));
		Object.assign(known, { id: node.id, name: node.name });
		this.wasMadeBefore = known.runs[run] !== undefined;
		const made = nodes.flatMap(({ runs }) => Object.values(runs));
		this.own = known.runs[run] ??= { at: now, before: made.length, names: [], open: [] };
		this.madeAt = this.own.at;
		this.others = made.filter((one) => one !== this.own);
	}

	/** Names that other runs and nodes have asked for. */
	get elsewhere(): Set<string> {
		return new Set(this.others.flatMap(({ names }) => names));
	}

	/** How often runs that were first made before this one have asked for each name. */
	countEarlier(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { names, before } of this.others) {
			if (!(before < this.own.before)) continue;
			for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
		}
		return counts;
	}

	/** Contents of orders that other runs and nodes have left without an answer. */
	get openElsewhere(): Set<string> {
		return new Set(this.others.flatMap(({ open }) => open));
	}

	/** This run asks for these names, and for none of those that it asked for when it was made before. */
	set(names: readonly string[]): void {
		this.own.names = [...names];
		this.own.open = [];
	}

	/** It asks for these too. */
	add(names: readonly string[]): void {
		this.own.names.push(...names);
	}

	/** An order of this content got no answer. */
	leaveOpen(content: string): void {
		this.own.open.push(content);
	}
}
