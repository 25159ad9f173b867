/** Whom the example that pays salaries asks, and when it counts two addresses as one person. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import type { INode } from 'n8n-workflow';

const file = join(__dirname, '..', '..', '..', 'examples', 'salaries.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: INode[] };
const { assignments } = nodes.find(({ name }) => name === 'Checked List')!.parameters
	.assignments as unknown as { assignments: Array<{ name: string; value: string }> };
const { value } = assignments.find(({ name }) => name === 'approvers')!;
const [, expression] = /^=\{\{(.*)\}\}$/.exec(value)!;

type Lookup = (node: string) => { first: () => { json: object } };
const evaluate = runInThisContext(`($) => (${expression})`) as ($: Lookup) => unknown[];

/** @param sumTotal reais; a second person has to agree above 20,000 */
function approversOf(approver1: unknown, approver2: unknown, sumTotal = 20_000.01): unknown[] {
	const items: Record<string, object> = {
		'Your Settings': { approver1, approver2, twoApproversAbove: 20_000 },
		'Check Batch': { batch: { sumTotal } },
	};
	return evaluate((node) => ({ first: () => ({ json: items[node]! }) }));
}

const ONE = 'one@example.com';
const TWO = 'two@example.com';

it('are both above the sum, in their order, as they were entered', () => {
	expect(approversOf(ONE, TWO)).toEqual([ONE, TWO]);
	expect(approversOf(' One <ONE@example.com>', TWO)).toEqual([' One <ONE@example.com>', TWO]);
	expect(approversOf(`${ONE}, three@example.com`, TWO)).toHaveLength(2);
});

it('is the first one up to the sum', () => {
	expect(approversOf(ONE, TWO, 20_000)).toEqual([ONE]);
	expect(approversOf(ONE, ONE, 20_000)).toEqual([ONE]);
});

it.each([
	['the same address', ONE],
	['other case', 'One@Example.COM'],
	['blanks around it', `  ${ONE}\u00a0`],
	['a line break after it', `${ONE}\n`],
	['a name before it', `Second <${ONE}>`],
	['a name after it', `${ONE} (Second)`],
	['a list that contains it', `${TWO}, ${ONE}`],
	['a list with a semicolon', `${TWO};${ONE}`],
	['no address', 'two'],
	['an empty text', ''],
	['nothing', undefined],
])('is one person if the second has %s', (_case, second) => {
	expect(approversOf(ONE, second)).toEqual([ONE]);
});

it.each([
	['empty', ''],
	['no address', 'one'],
	['in the list of the second', TWO],
])('are not two if the first is %s', (_case, first) => {
	expect(approversOf(first, `three@example.com, ${TWO}`)).toHaveLength(1);
	if (first !== TWO) expect(approversOf(first, TWO, 1)).toEqual([]);
});

it('are asked by a node each, so that their links differ', () => {
	const asking = nodes.filter(({ parameters }) => parameters.operation === 'sendAndWait');
	expect(asking.map(({ name, parameters }) => [name, parameters.toEmail])).toEqual([
		['Ask First Approver', '={{ $json.approvers[0] }}'],
		['Ask Second Approver', '={{ $json.approvers[1] }}'],
	]);
	expect(new Set(asking.map(({ webhookId }) => webhookId)).size).toBe(2);
});
