import { PNG } from 'pngjs';
import { toPng, qrCode } from '../../../../../nodes/BrlPayments/payment/qrCode';
import { decodedQrCode } from '../../../../support/decodedQrCode';

const decoded = (text: string, size = 200, margin = 4) =>
	decodedQrCode(toPng(qrCode(text), size, margin));

/** Bytes that fit into versions 1 to 20 at level M (ISO/IEC 18004, table 7). */
const CAPACITIES = [
	14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
];
const TEXT = 'PIX:0123456789abcdefghijklmnopqrstuvwxyz '.repeat(20);

test.each(CAPACITIES.map((capacity, index) => [index + 1, capacity] as const))(
	'version %i is the smallest that fits %i bytes, and can be read',
	(version, capacity) => {
		const text = TEXT.slice(0, capacity);
		const size = version * 4 + 17;
		expect(qrCode(text)).toHaveLength(size);
		expect(decoded(text, (size + 8) * 2)).toBe(text);
	},
);

test.each([
	['one pixel a module', 29, 0, 'x'.repeat(30)],
	['a size that is no multiple of eight', 333, 4, 'x'.repeat(30)],
	['a wide margin', 300, 20, 'x'.repeat(300)],
	['more than one block of deflate', 750, 1, 'x'.repeat(500)],
])('a picture can be read with %s', (_, size, margin, text) => {
	const { width, height } = PNG.sync.read(toPng(qrCode(text), size, margin));
	expect([width, height]).toEqual([size, size]);
	// A decoder needs some light around a picture that has none.
	expect(decoded(text, margin === 0 ? size * 8 : size, margin)).toBe(text);
});

test('around the code there are at least as many light modules as asked for', () => {
	const modules = qrCode('x');
	const { data, width } = PNG.sync.read(toPng(modules, 250, 2));
	const isDark = (x: number, y: number) => data[(y * width + x) * 4] === 0;
	// 21 modules and 2 on each side: 10 pixels each, and 20 left.
	const border = 20;
	for (let i = 0; i < width; i += 1) {
		expect([isDark(i, border - 1), isDark(border - 1, i)]).toEqual([false, false]);
	}
	expect(isDark(border, border)).toBe(true);
});

test('what fits no version, or has no pixel for a module, is refused', () => {
	expect(() => qrCode('x'.repeat(667))).toThrow(RangeError);
	expect(() => toPng(qrCode('x'), 28, 4)).toThrow(RangeError);
	expect(toPng(qrCode('x'), 29, 4).length).toBeGreaterThan(0);
});

test.each([1, 100, 500])(
	'every module is what an independent encoder draws: %i bytes',
	async (length) => {
		const { encode } = await import('uqr');
		const text = 'x'.repeat(length);
		const { data } = encode(text, { ecc: 'M', boostEcc: false, border: 0, maskPattern: 0 });
		expect(qrCode(text)).toEqual(data);
	},
);
