import type { INode, INodeParameters } from 'n8n-workflow';

import { N8nClient, type Saved, type WorkflowDefinition } from '../../../dev/n8n/rest/rest';
import { PACKAGE_NODE } from '../../../dev/n8n/rest/workflow';
import { withoutUnknownFilters, withWaysOut } from '../../support/dialect';

/** A user who has done in each workflow what docs/open-points.md says about a service like this one. */
export class ClientWithWaysOut extends N8nClient {
	override async createWorkflow(workflow: WorkflowDefinition) {
		return await super.createWorkflow(adapted(workflow));
	}

	override async updateWorkflow(id: string, workflow: WorkflowDefinition): Promise<Saved> {
		return await super.updateWorkflow(id, adapted(workflow));
	}
}

function adapted(workflow: WorkflowDefinition): WorkflowDefinition {
	const adapt = (node: INode): INode =>
		node.type === PACKAGE_NODE || node.type === `${PACKAGE_NODE}Tool`
			? { ...node, parameters: adaptedParameters(node.parameters) }
			: node;
	return { ...workflow, nodes: workflow.nodes.map(adapt) };
}

function adaptedParameters(parameters: INodeParameters): INodeParameters {
	return withoutUnknownFilters(withWaysOut(parameters)) as INodeParameters;
}
