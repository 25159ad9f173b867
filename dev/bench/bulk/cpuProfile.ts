/** The part of a V8 profile that shows what a process was busy with. */
export interface CpuProfile {
	readonly nodes: ReadonlyArray<{
		readonly id: number;
		readonly callFrame: { readonly functionName: string; readonly url: string };
		readonly children?: readonly number[];
	}>;
	/** The node of each sample. */
	readonly samples: readonly number[];
	/** Microseconds before each sample. */
	readonly timeDeltas: readonly number[];
}

/** The owners of the work, the most specific first. */
export const OWNERS = [
	{
		name: 'opening connections',
		url: /^node:(net|dns|_http_agent|internal\/(net|dns)|tls|_tls)|proxy-from-env|backend-network\/dist\/http\/(node-agents|env-proxy)/,
	},
	{ name: 'HTTP of Node.js', url: /^node:(_http_|internal\/http|http$)/ },
	{
		name: "n8n's request helper, axios",
		url: /\/(backend-network|axios|follow-redirects|form-data|qs)\/|request-helpers?\//,
	},
	{
		name: 'credential: database, decryption',
		url: /\/(typeorm|sqlite3|@n8n\/db)\/|credentials(-helper|\.js)|cipher|overwrites/i,
	},
	{
		name: 'parameters and expressions',
		url: /\/(n8n-workflow|tournament|expression-runtime|luxon|esprima[^/]*|recast|ast-types)\/|node-execution-context|additional-keys/,
	},
	{ name: 'the node itself', url: /n8n-nodes-brl-payments|n8n-nodes-base|OneByOne/ },
	{ name: 'n8n: execution and what it saves', url: /\/(n8n|n8n-core|flatted|express)\// },
] as const;

export type Owner = (typeof OWNERS)[number]['name'] | 'collecting garbage' | 'the rest of Node.js';

/**
 * Sums up the processor time of each owner, in milliseconds. A sample belongs to the innermost
 * function whose file has an owner: what V8 and Node.js do on behalf of an owner counts for that
 * owner.
 */
export function timeByOwner({ nodes, samples, timeDeltas }: CpuProfile): Map<Owner, number> {
	const ownerByNode = new Map<number, Owner | null>();
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const visit = (id: number, inherited: Owner): void => {
		const node = byId.get(id);
		if (!node) return;
		const { functionName, url } = node.callFrame;
		const own = OWNERS.find((owner) => owner.url.test(url))?.name ?? inherited;
		ownerByNode.set(id, functionName === '(idle)' ? null : own);
		if (functionName === '(garbage collector)') ownerByNode.set(id, 'collecting garbage');
		for (const child of node.children ?? []) visit(child, own);
	};
	// The first node is the root, from which all others hang.
	if (nodes[0]) visit(nodes[0].id, 'the rest of Node.js');

	const times = new Map<Owner, number>();
	samples.forEach((id, index) => {
		const owner = ownerByNode.get(id);
		if (!owner) return;
		times.set(owner, (times.get(owner) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
	});
	return times;
}
