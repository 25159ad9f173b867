/** Everything here is made up; the check digits of the documents are right. */
export const CPF = '52998224725';
export const CNPJ = '11222333000181';
export const EMAIL = 'maria@recipient.example';
export const PHONE = '+5511987654321';
export const UUID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

export const PNG = Buffer.concat([
	Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
	// Every byte there is, so that nothing on the way can take the image for text.
	Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
]);
export const JPEG = Buffer.concat([
	Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
	Buffer.from(Array.from({ length: 256 }, (_, byte) => 255 - byte)),
]);

/** In ms. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
