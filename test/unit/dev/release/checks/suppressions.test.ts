import { checkSuppressions } from '../../../../../dev/release/checks/suppressions';

const code = 'const first = 1;\n// A comment about eslint.\nconst second = 2;\n';
const check = (line: string) =>
	checkSuppressions(
		new Map([
			['nodes/One.ts', code],
			['nodes/Two.ts', `${code}${line}\n`],
		]),
	);

test('nothing is found in code without them', () => {
	expect(check('')).toEqual([]);
});

test.each([
	['// eslint-disable-next-line no-console', 'eslint-disable'],
	['/* eslint-disable */', 'eslint-disable'],
	['/* eslint no-console: "off" */', '/* eslint '],
	['// @ts-ignore', '@ts-ignore'],
	['// @ts-expect-error', '@ts-expect-error'],
	['// @ts-nocheck', '@ts-nocheck'],
])('%s is found, with its line', (line, found) => {
	expect(check(line)).toEqual([
		{ place: 'nodes/Two.ts:4', text: `switches a check off: ${found}` },
	]);
});
