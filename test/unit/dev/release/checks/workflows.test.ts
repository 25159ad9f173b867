import { join } from 'node:path';
import { checkTag, checkWorkflows } from '../../../../../dev/release/checks/workflows';
import { readFiles } from '../../../../../dev/release/pack';

const FOLDER = join(__dirname, '../../../../..', '.github', 'workflows');

type Name = 'publish.yml' | 'test.yml';

/** The workflows of this repository, with one text in one of them replaced. */
async function check(name?: Name, text = '', replacement = '') {
	const texts = new Map(await readFiles(FOLDER));
	if (name) {
		const before = texts.get(name) ?? '';
		expect(before).toContain(text);
		texts.set(name, before.replace(text, replacement));
	}
	return await checkWorkflows(texts);
}

test('nothing is found in the workflows of this repository', async () => {
	expect(await check()).toEqual([]);
});

const PUBLISH = '      - run: npm publish --provenance --access public\n';
const VERIFY = '      - run: npm run verify -- --tag "$GITHUB_REF_NAME"\n';
const CHECKOUT = 'actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd';
const WITH_TOKEN =
	'      - env:\n          NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}\n        run: ';
const NEEDS = ['needs: [test, compatibility]', 'needs: compatibility'] as const;

test.each<[what: string, name: Name, text: string, replacement: string, finding: string]>([
	['with a tag for an action', 'test.yml', CHECKOUT, 'actions/checkout@v6', 'not pinned'],
	['on every push', 'publish.yml', "tags: ['v*']", "branches: ['main']", 'version tags'],
	['without waiting for the tests', 'publish.yml', ...NEEDS, 'waiting for test.yml'],
	['without provenance', 'publish.yml', ' --provenance', '', 'without provenance'],
	['without the permission for it', 'publish.yml', 'id-token: write', 'id-token: none', 'id-token'],
	['without a look at the tag', 'publish.yml', VERIFY, '', 'verify package and tag'],
	[
		'that verifies after it has published',
		'publish.yml',
		`${VERIFY}${PUBLISH}`,
		`${PUBLISH}${VERIFY}`,
		'before it publishes',
	],
	['with a token', 'publish.yml', '      - run: npm publish', `${WITH_TOKEN}npm publish`, 'stored'],
	[
		'that may write to the repository',
		'publish.yml',
		'contents: read\n      #',
		'contents: write\n      #',
		'id-token',
	],
])('a workflow %s does not pass', async (_what, name, text, replacement, finding) => {
	expect(await check(name, text, replacement)).toEqual([
		{ place: name, text: expect.stringContaining(finding) },
	]);
});

test('what GitHub would not take is found, with its line', async () => {
	const findings = await check('test.yml', '${{ matrix.node }}', '${{ matrix.nodes }}');

	expect(findings).toEqual([
		{ place: expect.stringMatching(/^test\.yml:\d+$/), text: expect.stringContaining('nodes') },
	]);
});

test.each([
	['v1.2.3', 0],
	['v1.2.4', 1],
	['1.2.3', 1],
	['v1.2.3-rc.1', 1],
])('the tag %s of version 1.2.3: %i findings', (tag, count) => {
	expect(checkTag(tag, '1.2.3')).toHaveLength(count);
});
