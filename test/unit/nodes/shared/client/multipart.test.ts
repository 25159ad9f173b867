import { multipartFile } from '../../../../../nodes/BrlPayments/product/uploadImage';

/** Bytes that are no text, with a line break and two hyphens among them. */
const CONTENT = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x2d, 0x2d, 0x00, 0xff]);

test('is read back as the file by another implementation', async () => {
	const { bytes, contentType } = multipartFile('file', 'plano ção.png', 'image/png', CONTENT);
	const form = await new Response(new Uint8Array(bytes), {
		headers: { 'content-type': contentType },
	}).formData();
	const file = form.get('file') as unknown as File;

	expect([...form.keys()]).toEqual(['file']);
	expect(file.name).toBe('plano ção.png');
	expect(file.type).toBe('image/png');
	expect(Buffer.from(await file.arrayBuffer())).toEqual(CONTENT);
});

test.each([
	['a quote', 'a"b.png', 'a%22b.png'],
	['a line break', 'a\r\nX-Evil: 1.png', 'a%0D%0AX-Evil: 1.png'],
])('lets no file name with %s break out of its header', (_, fileName, written) => {
	const { bytes } = multipartFile('file', fileName, 'image/png', CONTENT);

	expect(bytes.toString('latin1')).toContain(`filename="${written}"\r\nContent-Type`);
});
