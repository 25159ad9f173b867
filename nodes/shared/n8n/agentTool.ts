import type { IExecuteFunctions, INode } from 'n8n-workflow';

/**
 * Whether this is the form of the node that an agent calls: n8n derives it, and adds `Tool` to its
 * type.
 */
export function isToolNode({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

export function isAgentTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return isToolNode(context.getNode());
}
