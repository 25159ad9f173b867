import { checkImage } from './image';
import { requireText } from '../../shared/validation/text';
import { multipartFile } from '../../shared/client/multipart';
import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenProductId, productField } from '../fields/product';
import type { ItemOperation } from '../execution/operation';

/** POST /v1/products/{productId}/image (docs/api.md#upload-a-product-image). */
export const uploadImage: ItemOperation = {
	option: {
		name: 'Upload Image',
		value: 'uploadImage',
		action: 'Upload image of product',
		description: 'Set or replace the image of a product. PNG or JPEG, at most 10 MB.',
	},
	scope: 'products:write',
	isWrite: true,
	fields: [
		productField,
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			hint: 'The name of the input binary field containing the file to be uploaded',
		},
	],
	async execute(call) {
		const field = requireText(call.parameter('binaryPropertyName'), 'Input Binary Field');
		const { helpers } = call.context;
		const { fileName } = helpers.assertBinaryData(call.itemIndex, field);
		const content = await helpers.getBinaryDataBuffer(call.itemIndex, field);
		const contentType = checkImage(content);
		const productId = await chosenProductId(call);
		const product = await call.repeatable(
			'POST',
			path`/v1/products/${productId}/image`,
			readRecord('product'),
			multipartFile('file', fileName ?? defaultName(contentType), contentType, content),
		);
		return { json: product };
	},
};

function defaultName(contentType: string): string {
	return contentType === 'image/png' ? 'image.png' : 'image.jpg';
}
