declare module 'gifenc' {
	export type Colour = [red: number, green: number, blue: number];

	interface FrameOptions {
		/** Needed by the first frame; the others use the same one. */
		palette?: Colour[];
		transparent?: boolean;
		transparentIndex?: number;
		/** Milliseconds. */
		delay?: number;
		/** 1 leaves the frame in place when the next one is drawn. */
		dispose?: number;
	}

	export function quantize(rgba: Uint8Array, maxColors: number): Colour[];
	export function applyPalette(rgba: Uint8Array, palette: Colour[]): Uint8Array;
	export function GIFEncoder(): {
		writeFrame(index: Uint8Array, width: number, height: number, options?: FrameOptions): void;
		finish(): void;
		bytes(): Uint8Array;
	};
}
