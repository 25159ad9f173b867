import { multipartFile } from '../../../../../nodes/BrlPayments/product/uploadImage';

// The very bytes of a file: test/engine/requests/product.test.ts.
test('no line break in the name of a file breaks out of its header', () => {
	const fileName = 'a\r\nX-Evil: 1.png';
	const { bytes } = multipartFile('file', fileName, 'image/png', Buffer.from('content'));

	expect(bytes.toString('latin1')).toContain(
		'filename="a%0D%0AX-Evil: 1.png"\r\nContent-Type: image/png',
	);
});
