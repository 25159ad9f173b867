import { posix } from 'node:path';
import { unless, type Finding } from '../../finding';

/** An SVG for light and another one for dark screens. @param folder that the paths are relative to */
export function checkIcon(
	place: string,
	icon: unknown,
	folder: string,
	files: ReadonlyMap<string, string>,
): Finding[] {
	const { light, dark } = (icon ?? {}) as { light?: unknown; dark?: unknown };
	const [lightImage, darkImage] = [light, dark].map((address) => {
		const [, path] = /^file:(.+\.svg)$/.exec(typeof address === 'string' ? address : '') ?? [];
		return path === undefined ? undefined : files.get(posix.join(folder, path));
	});
	return [
		...unless(lightImage !== undefined, place, 'has no icon for light screens in the package'),
		...unless(darkImage !== undefined, place, 'has no icon for dark screens in the package'),
		...unless(
			lightImage === undefined || lightImage !== darkImage,
			place,
			'has the same icon for light and dark screens',
		),
	];
}
