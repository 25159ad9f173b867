import type { NodeHint } from 'n8n-workflow';
import type { Operation, Resource } from '../execution/operation';

/**
 * Shows in the editor, until the node has run, which scope its key requires. Which scopes the key
 * has, only the service knows, and n8n cannot show it before a run.
 */
export function scopeHints(resources: readonly Resource[]): NodeHint[] {
	const conditions = new Map<string, string[]>();
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			if (operation.scope === null) continue;
			const needed = describe(operation);
			const condition = `($parameter.resource === '${option.value}' && $parameter.operation === '${String(operation.option.value)}')`;
			conditions.set(needed, [...(conditions.get(needed) ?? []), condition]);
		}
	}
	return [...conditions].map(([needed, alternatives]) => ({
		message: `The API key needs the scope ${needed}.`,
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${alternatives.join(' || ')} }}`,
	}));
}

function describe({ scope, extraScope }: Operation): string {
	return extraScope ? `${scope}, and ${extraScope.scope} for ${extraScope.purpose}` : `${scope}`;
}
