import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorJson } from '../../../../nodes/shared/failures/itemError';
import { ERROR_CATALOGUE } from '../../../../nodes/shared/retry/errors';
import { errorsPage } from '../../../../dev/docs/errorsPage';
import { readPage, repositoryRoot } from '../../support/pages';

const page = errorsPage();

/** The headings of codes, in the order of the page. */
const codes = [...page.matchAll(/^### `(\w+)`$/gm)].map(([, code = '']) => code);

const sources = readdirSync(join(repositoryRoot, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readPage(join('nodes', file)));

describe('docs/errors.md', () => {
	it('is what the code of the node says; run npm run docs after a change', () => {
		expect(readPage('docs/errors.md')).toBe(page);
	});

	it('has each code of the service once', () => {
		for (const code of Object.keys(ERROR_CATALOGUE)) {
			expect(codes.filter((one) => one === code)).toEqual([code]);
		}
	});

	it('has each code that the node can report', () => {
		const reported = sources
			.flatMap((source) => source.split('\n'))
			.filter((line) => /\bcode:/.test(line))
			.flatMap((line) => [...line.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code));

		expect(new Set(reported).size).toBeGreaterThan(12);
		expect(codes).toEqual(expect.arrayContaining(reported));
	});

	it('has no code that the node cannot report', () => {
		for (const code of codes) {
			expect([code, sources.some((source) => source.includes(code))]).toEqual([code, true]);
		}
	});

	it('explains each field that a failed item carries', () => {
		const whole = errorJson({
			code: 'TIMEOUT',
			message: 'what',
			description: 'remedy',
			httpStatus: null,
			retryable: true,
			effect: 'unknown',
			idempotencyKey: 'key',
			reference: 'NF-1042',
			firstSentAt: 'before',
			retrySafeUntil: 'then',
			order: { name: 'auto', content: 'content' },
			withdrawalIds: ['id'],
			paymentIds: ['id'],
			parts: { remedy: 'remedy', howToCheck: 'check', serverSaid: 'words' },
		});
		for (const field of Object.keys(whole)) expect(page).toContain(`\`${field}\``);
	});
});
