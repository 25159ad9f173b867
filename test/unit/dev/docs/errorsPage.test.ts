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

/** What is under the heading of a code. */
function getSection(code: string): string {
	const [, section = ''] =
		new RegExp(`^### \`${code}\`$([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, 'm').exec(page) ?? [];
	return section.trim();
}

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

	it.each(['withdrawal/payout', 'withdrawal/assessBatch'])(
		'has each code that Check Batch gives in %s.ts',
		(file) => {
			const source = readPage(`nodes/BrlPayments/${file}.ts`);
			const given = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code]) => code);

			expect(new Set(given).size).toBeGreaterThan(2);
			expect(codes).toEqual(expect.arrayContaining(given));
		},
	);

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

	it.each([
		['IDEMPOTENCY_CONFLICT', 'yes, with the same key', 'perhaps'],
		[
			'WITHDRAWAL_PROVIDER_UNAVAILABLE',
			'yes, with the same key; once the response was repeated: yes, with a new key',
			'no',
		],
		['RATE_LIMIT_EXCEEDED', 'yes, after a wait', 'not by this attempt'],
		[
			'PROVIDER_TEMPORARILY_UNAVAILABLE',
			'yes, with the same key; a boleto, once the response was repeated: yes, with a new key',
			'perhaps; a boleto, once the response was repeated: no',
		],
		['TIMEOUT', 'yes, with the same key', 'perhaps'],
		['UNREACHABLE', 'yes, with the same key', 'not by this attempt'],
		['CERTIFICATE_REJECTED', 'no', 'not by this attempt'],
		[
			'GATEWAY_ERROR',
			'yes, with the same key; HTTP 429: yes, after a wait; other HTTP 4xx: no',
			'perhaps',
		],
	])('says what the node does after %s', (code, asksAgain, tookEffect) => {
		expect(getSection(code)).toContain(`**The node retries:** ${asksAgain}\n`);
		expect(`${getSection(code)}\n`).toContain(`**Took effect:** ${tookEffect}\n`);
	});
});
