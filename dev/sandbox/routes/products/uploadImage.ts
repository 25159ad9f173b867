import { invalid } from '../../errors';
import { json } from '../../http/answer';
import { operation, type Incoming } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { imageType } from '../../rules/image';
import { productIdParams } from '../../schemas/common';
import type { ProductImage } from '../../store/types';
import { findProduct } from './find';

/** POST /v1/products/{productId}/image: one part `file`, PNG or JPEG, at most 10 MB (docs/api.md#upload-a-product-image). */
export const uploadProductImage = operation({
	method: 'POST',
	path: '/v1/products/:productId/image',
	scopes: ['products:write'],
	upload: true,
	params: productIdParams,
	handle({ world, key, params, files }) {
		const product = findProduct(world, key.environment, params.productId);
		product.image = readImage(files);
		return json(200, { product: presentProduct(product) });
	},
});

function readImage(files: Incoming['files']): ProductImage {
	if (files === undefined) throw invalid('file', 'Send multipart/form-data with a part named file');
	if (files instanceof Error) throw invalid('body', 'The multipart body is malformed');
	const [file, ...others] = files.filter((part) => part.fieldName === 'file');
	if (!file || others.length > 0) throw invalid('file', 'Send exactly one part named file');
	if (file.tooLarge) throw invalid('file', 'At most 10 MB');
	// The bytes decide: what the part says of itself is only a claim.
	const mediaType = imageType(file.bytes);
	if (!mediaType) throw invalid('file', 'Must be a PNG or JPEG image');
	return { bytes: file.bytes, mediaType, fileName: file.fileName };
}
