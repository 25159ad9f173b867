import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** What an independent decoder reads from a picture; undefined where it finds no code. */
export function decodedQrCode(png: Buffer): string | undefined {
	const { data, width, height } = PNG.sync.read(png);
	const found = jsQR(new Uint8ClampedArray(data), width, height);
	return found === null ? undefined : Buffer.from(found.binaryData).toString();
}
