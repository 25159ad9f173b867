import { imageType } from '../../../../../dev/sandbox/rules/image';

test('the type of an image is recognized by its bytes', () => {
	expect(imageType(Buffer.from('89504e470d0a1a0a00', 'hex'))).toBe('image/png');
	expect(imageType(Buffer.from('ffd8ffe0', 'hex'))).toBe('image/jpeg');
	expect(imageType(Buffer.from('GIF89a'))).toBeNull();
	expect(imageType(Buffer.alloc(0))).toBeNull();
});
