import { InputError } from '../../shared/validation/inputError';

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
export function checkImage(content: Buffer): string {
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
