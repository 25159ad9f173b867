import { requireText } from '../../shared/input/text';
import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenProductId, productField } from '../editor/pickers';
import type { ItemOperation } from '../operation';
import { InputError } from '../../shared/input/inputError';
import { createHash } from 'node:crypto';
import type { FileBody } from '../../shared/client/client';
import { textField } from '../editor/fields';

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
		textField('Input Binary Field', 'binaryPropertyName', {
			required: true,
			default: 'data',
			hint: 'The name of the input binary field containing the file to be uploaded',
		}),
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

/** The bound of the API (docs/api.md#upload-a-product-image), in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;

const SIGNATURES: Array<{ contentType: string; bytes: Buffer }> = [
	{
		contentType: 'image/png',
		bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
	},
	{ contentType: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
];

/**
 * Finds out what an image is from its first bytes: names and declared types of files are often wrong.
 * @returns its content type
 * @throws InputError when it is neither PNG nor JPEG, or larger than 10 MB
 */
function checkImage(content: Buffer): string {
	const known = SIGNATURES.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes));
	if (!known) {
		throw new InputError(
			'The file is neither a PNG nor a JPEG image',
			'Convert the image first, for example with the Edit Image node.',
		);
	}
	if (content.length > MAX_BYTES) {
		throw new InputError(
			`The image is ${(content.length / 1024 / 1024).toFixed(1)} MB, and at most 10 MB are allowed`,
			'Resize it first, for example with the Edit Image node.',
		);
	}
	return known.contentType;
}

/**
 * A multipart/form-data body with one file (RFC 7578), built here because nothing that ships may have
 * dependencies, and n8n's helper accepts form data only from its own package.
 *
 * @param name name of the part, for example `file`
 * @param fileName quotes and line breaks in it are percent-encoded, as browsers do
 */
export function multipartFile(
	name: string,
	fileName: string,
	contentType: string,
	content: Buffer,
): FileBody {
	// Derived from the content, so that the same file gives the same bytes and no content can contain it.
	const boundary = `n8n-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
	const head = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="${name}"; filename="${encodeQuotes(fileName)}"`,
		`Content-Type: ${contentType}`,
		'',
		'',
	].join('\r\n');
	return {
		bytes: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

function encodeQuotes(text: string): string {
	return text.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
