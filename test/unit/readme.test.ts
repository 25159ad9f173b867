import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../nodes/BrlPayments/resources';
import { DOCUMENT_PARAMETERS, FILTER_PARAMETERS } from '../../nodes/api/openPoints';
import { NAMED_SCHEMES } from '../../nodes/BrlPaymentsTrigger/signature/schemes';

const root = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = read('README.md');
const contributing = read('CONTRIBUTING.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The rows of the table of operations: resource, operation, scope. */
function operationRows(): string[][] {
	const [, section = ''] = /## Operations\n([\s\S]*?)\n## /.exec(readme) ?? [];
	let resource = '';
	return section
		.split('\n')
		.filter((line) => line.startsWith('| ') && !/^\| (resource|---|-)/.test(line))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map(([, first = '', operation = '', , scope = '']) => {
			resource = first || resource;
			return [resource, operation, scope.replaceAll('`', '').replace('–', '')];
		});
}

describe('README', () => {
	it('lists exactly the operations of the node, with their scopes', () => {
		const built = resources.flatMap(({ option, operations }) =>
			operations.map((operation) => [
				option.name,
				operation.option.name,
				(operation.scope ?? '').replace(' and ', ', '),
			]),
		);
		expect(operationRows().sort()).toEqual(built.sort());
		expect(built).toHaveLength(27);
	});

	it('names every assumption about what the API leaves open', () => {
		const names = [...Object.values(FILTER_PARAMETERS), ...Object.values(DOCUMENT_PARAMETERS)];
		for (const name of names) expect(readme).toContain(`\`${name}\``);
	});

	it('counts the signature schemes that are tried', () => {
		expect(NAMED_SCHEMES).toHaveLength(10);
		expect(readme).toContain('tries ten HMAC schemes');
	});

	it.each([
		['README.md', readme],
		['CONTRIBUTING.md', contributing],
	])('%s names only scripts and files that exist', (_file, text) => {
		for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
			expect(scripts).toHaveProperty([script]);
		}
		for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
			expect([target, existsSync(join(root, target))]).toEqual([target, true]);
		}
	});

	it('is what CI runs', () => {
		const ci = read('.ci/run');
		for (const command of ['npm cit', 'npm run test:e2e', 'npm run demo -- --check']) {
			expect(readme).toContain(command);
			expect(ci).toContain(command);
		}
	});
});
