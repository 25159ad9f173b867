import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { BrlPayments } from '../../../../../nodes/BrlPayments/BrlPayments.node';
import type { Sandbox } from '../../../../../dev/sandbox';
import { OPERATIONS, rowsFor } from '../../../../support/operations';
import { NODE } from '../../../support/nodeContext';

const { description } = new BrlPayments();

const ROW = {
	...{ id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', txId: 'PAY0F8FAD5BD9CB469FA16570867728950E' },
	...{ customerId: 'cus_maria', externalId: 'maria/1', status: 'PAID', isActive: true },
};
const seed = { customer: () => ROW, payment: () => ROW, product: () => ROW, withdrawal: () => ROW };

/** With the value of the row in place of each expression. */
function fill(value: NodeParameterValueType, row: IDataObject): NodeParameterValueType {
	if (Array.isArray(value)) return value;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value as INodeParameters);
		return Object.fromEntries(entries.map(([name, each]) => [name, fill(each, row)]));
	}
	const [, name] = /^=\{\{ \$json\.(\w+) \}\}$/.exec(String(value)) ?? [];
	return name === undefined ? value : (row[name] as NodeParameterValueType);
}

interface Tried {
	readonly resource: string;
	readonly operation: string;
	readonly parameters: INodeParameters;
}

/** Every operation with valid parameters, some in several ways, as n8n completes them before a run. */
export const TRIED: readonly Tried[] = Object.entries(OPERATIONS).flatMap(([name, sample]) => {
	const [resource, operation] = name.split('.') as [string, string];
	const [row = {}] = rowsFor(sample, seed as unknown as Sandbox['seed']);
	return [{}, ...(sample.variants ?? [])].map((variant) => {
		const given = fill({ ...sample.parameters, ...variant }, row) as INodeParameters;
		const parameters = NodeHelpers.getNodeParameters(
			description.properties,
			{ resource, operation, ...given },
			...([true, false, NODE, description] as const),
		) as INodeParameters;
		return { resource, operation, parameters };
	});
});
