/** What n8n's guidelines ask of texts, and the rules of its next lint plugin that the installed one does not know. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import * as ts from 'typescript';
import { BrlPaymentsApi } from '../../../credentials/BrlPaymentsApi.credentials';
import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';
import action from '../../../nodes/BrlPayments/BrlPayments.node.json';
import { BrlPaymentsTrigger } from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';
import trigger from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node.json';

const ROOT = join(__dirname, '..', '..', '..');
const NODES = [new BrlPayments(), new BrlPaymentsTrigger()];

/** Of all .ts files of a folder: path and content. */
const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name): [string, string] => [
			join(folder, name),
			readFileSync(join(ROOT, folder, name), 'utf8'),
		]),
);

/** Texts for people: literals with at least one blank between words; what is filled in stands as `…`. */
function findTexts(source: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node)) {
			texts.push(
				[node.head, ...node.templateSpans.map((span) => span.literal)]
					.map(({ text }) => text)
					.join('…'),
			);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022));
	return texts.filter((text) => /\p{L} \p{L}/u.test(text));
}
const texts = sources.flatMap(([file, source]) =>
	findTexts(source).map((text): [string, string] => [file, text]),
);

/** Every property of a node or a credential, with those inside collections. */
const flatten = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		property,
		...flatten(
			(property.options ?? []).flatMap((option) =>
				'values' in option ? option.values : 'type' in option ? [option] : [],
			),
		),
	]);
const all = flatten([
	...NODES.flatMap(({ description }) => description.properties),
	...new BrlPaymentsApi().properties,
]);

describe('rules that are coming', () => {
	test.each(NODES)('$description.name has one credential', ({ description }) => {
		expect(description.credentials).toHaveLength(1);
	});

	test('no hint is longer than 120 characters', () => {
		expect(all.length).toBeGreaterThan(100);
		expect(all.filter(({ hint = '' }) => hint.length > 120)).toEqual([]);
	});

	const luminance = (color: string) => {
		const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
		const [r = 0, g = 0, b = 0] = channels.map((c) =>
			c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
		);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	test.each([
		['brlPayments.svg', '#ffffff'],
		['brlPayments.dark.svg', '#2b2b2b'],
	])('%s has a contrast of 1.5 : 1 on %s, with its largest area too', (file, background) => {
		const svg = readFileSync(join(ROOT, 'icons', file), 'utf8');
		const [, largest = ''] = /<rect[^>]*fill="(#\w{6})"/.exec(svg) ?? [];
		const [dark = 0, light = 0] = [luminance(largest), luminance(background)].sort();
		expect((light + 0.05) / (dark + 0.05)).toBeGreaterThan(1.5);
	});

	test.each([action, trigger])('$node has categories that n8n knows, and none of AI', (codex) => {
		expect(codex.categories).toEqual(['Finance & Accounting']);
		expect(codex).not.toHaveProperty('subcategories');
	});

	test('no account or partner is written into the code', () => {
		const written =
			/(?:partner|affiliate|reseller|account|tenant|customer|client)_?id['"]?\s*[:=]\s*['"`]\w/i;
		expect(sources.filter(([, source]) => written.test(source))).toEqual([]);
	});
});

describe('texts', () => {
	/** n8n's own names, which people have to find: the setting, the output, the workflow, the field of an item. */
	const OF_N8N =
		/On Error|[Ee]rror [Oo]utput|Error Workflow|Stop and Error|(?:field|"?json"?\.)\s?"?error"?|"error"|error\.\w+/g;
	test('name what happened, and not "error", "problem", "failure" or "mistake"', () => {
		const found = texts.filter(([, text]) =>
			/\b(?:error|problem|failure|mistake)s?\b/i.test(text.replaceAll(OF_N8N, '')),
		);
		expect(texts.length).toBeGreaterThan(500);
		expect(found).toEqual([]);
	});

	test('of an operation say what it does; of one that reads, they begin with "Retrieve"', () => {
		const operations = all
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options as INodePropertyOptions[]);
		expect(operations.map(({ description = '' }) => description)).toEqual(
			operations.map(() => expect.stringMatching(/^[A-Z].{15,}/)),
		);
		const reading = operations.filter(({ name }) => /^Get\b/.test(name));
		expect(reading.length).toBeGreaterThan(10);
		expect(reading.filter(({ description = '' }) => !description.startsWith('Retrieve '))).toEqual(
			[],
		);
	});

	test('of a notice have one or two sentences', () => {
		const notices = all.filter(({ type }) => type === 'notice');
		expect(notices.length).toBeGreaterThanOrEqual(4);
		for (const { displayName } of notices) {
			expect(displayName.match(/[.!?](?= [A-Z]|$)/g)?.length).toBeLessThanOrEqual(2);
		}
	});

	test('have names of fields in single quotes, unless they begin with one', () => {
		// As words of their own, these stand for what is in the field.
		const nouns = new Set(['External ID', 'PIX Key', 'API Key']);
		const names = [
			...new Set(all.map(({ displayName }) => displayName.replace(/ \(.*\)$/, ''))),
		].filter((name) => / /.test(name) && name.length < 40 && !nouns.has(name));
		expect(names.length).toBeGreaterThan(30);
		const shown = new Set(all.map(({ displayName }) => displayName));
		const longest = names.sort((one, other) => other.length - one.length).join('|');
		const bare = new RegExp(`(?<!^|['"\\w])(?<!> )(?:Options > )?(?:${longest})(?!['"\\w])`);
		expect(bare.test(`Set Receive By to Polling`)).toBe(true);
		expect(bare.test(`Set 'Receive By' to Polling`)).toBe(false);
		expect(texts.filter(([, text]) => !shown.has(text) && bare.test(text))).toEqual([]);
	});
});
