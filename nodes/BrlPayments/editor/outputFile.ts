import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import { requireText } from '../../shared/input/text';
import type { ItemCall } from '../item';

export const outputFileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
};

/** The name that the user gave to the field. @throws InputError if it is empty */
export function getOutputField(call: ItemCall): string {
	return requireText(call.parameter('binaryPropertyName'), 'Put Output File in Field');
}

/** The file as n8n's output, in the field that {@link getOutputField} names. */
export async function outputFile(
	call: ItemCall,
	field: string,
	content: Buffer,
	fileName: string,
	mimeType: string,
): Promise<IBinaryKeyData> {
	return {
		[field]: await call.context.helpers.prepareBinaryData(content, fileName, mimeType),
	};
}
