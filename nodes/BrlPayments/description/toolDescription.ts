import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../execution/operation';

/**
 * What an agent reads about this operation when the node is its tool. n8n's own text is only the
 * name of the action, from which an agent could not see what moves money.
 */
export function toolDescriptionField(operation: Operation): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		default: describeTool(operation),
		description: 'What the agent reads to decide when to call this tool',
		displayOptions: { show: { '@tool': [true] } },
	};
}

function describeTool({ option, isWrite, movesMoney, forAgents }: Operation): string {
	const effect = movesMoney ? 'MOVES MONEY.' : isWrite ? 'Changes data.' : 'Reads only.';
	return [effect, sentence(option.description ?? option.name), forAgents].filter(Boolean).join(' ');
}

function sentence(text: string): string {
	return text.endsWith('.') ? text : `${text}.`;
}
