import { OPEN_POINTS, type OpenPoint } from './openPoints';

const POINTS: ReadonlyArray<[string, OpenPoint]> = Object.entries(OPEN_POINTS);

/** The page docs/open-points.md. */
export function openPointsPage(): string {
	return `${[
		'# Open points',
		'<!-- Made by `npm run docs` from dev/docs/openPoints.ts. Do not edit it here. -->',
		INTRODUCTION,
		overview(),
		...POINTS.map(([id, point]) => section(id, point)),
	].join('\n\n')}\n`;
}

const INTRODUCTION = `The description of the service does not show everything. If it leaves something open, these nodes assume something, or do not depend on it. For each point, this page says what that is, how you would notice that it is wrong, and what you can do then without a new version of the package. [The API](api.md) says what is documented.

The emulated service speaks the alternatives too: \`npm run sandbox -- --dialect opposite\` turns every assumption into its opposite, and \`--dialect listOrder=oldestFirst\` a single one ([dev/sandbox/README.md](../dev/sandbox/README.md)).`;

function overview(): string {
	const rows = POINTS.map(([id, { topic }]) => `| ${link(id, `#${toAnchor(id)}`)} | ${topic} |`);
	return ['| point | what is not documented |', '| --- | --- |', ...rows].join('\n');
}

function section(id: string, { topic, assumed, sign, wayOut, code, sections }: OpenPoint): string {
	const places = sections.map((name) => link(name, `api.md#${toAnchor(name)}`)).join(', ');
	const files = code.map((file) => `\`${file}\``).join(', ');
	return [
		`## \`${id}\``,
		`${topic}.`,
		[
			`- **Assumed:** ${assumed}`,
			`- **How you notice:** ${sign}`,
			`- **What you can do:** ${wayOut}`,
			`- **In the API:** ${places}`,
			...(files === '' ? [] : [`- **In the code:** ${files}`]),
		].join('\n'),
	].join('\n\n');
}

function link(text: string, target: string): string {
	return `[${text}](${target})`;
}

/** As GitHub makes it of a heading. The headings here are letters, digits and blanks. */
function toAnchor(heading: string): string {
	return heading.toLowerCase().replaceAll(' ', '-');
}
