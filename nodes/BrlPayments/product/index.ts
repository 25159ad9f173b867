import type { Resource } from '../operation';
import { create } from './create';
import { deleteProduct } from './delete';
import { deleteImage } from './deleteImage';
import { getAll } from './getAll';
import { getByExternalId } from './getByExternalId';
import { uploadImage } from './uploadImage';

export const product: Resource = {
	option: { name: 'Product', value: 'product' },
	defaultOperation: 'getAll',
	operations: [create, deleteProduct, deleteImage, getByExternalId, getAll, uploadImage],
};
