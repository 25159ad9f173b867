/** Each code has a situation, or a reason, and each line of the table in docs/never-paid-twice.md a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readErrorCodes } from '../../unit/support/pages';
import { SITUATIONS as CHARGES } from './charges';
import { CHARGE_SITUATIONS, READ_SITUATIONS, REFUND_SITUATIONS } from './others';
import { DOCUMENT_MISSING, SINGLE, WITH_REFERENCE, WITHOUT_REFERENCE } from './refusals';
import type { Situation } from './situation';
import { SITUATIONS as WITH } from './withReference';
import { SITUATIONS as WITHOUT } from './withoutReference';

const ALL: readonly Situation[] = [
	...[...WITH_REFERENCE, ...WITHOUT_REFERENCE, ...SINGLE, ...DOCUMENT_MISSING],
	...[...WITH, ...WITHOUT, ...CHARGES],
	...[...CHARGE_SITUATIONS, ...REFUND_SITUATIONS, ...READ_SITUATIONS],
];

/** Codes that a run here cannot bring about, and where else they are tested. */
const OUT_OF_REACH: Readonly<Record<string, string>> = {
	DUPLICATE_IN_BATCH: 'a problem that Check Batch names: engine/batch',
	INVALID_AMOUNT: 'a problem that Check Batch names: engine/batch',
	NOT_SETTLED: 'Settle Reference is followed in a table of its own: NOT_SETTLED',
	REACTIVATION_PROBE_FAILED: 'no operation of the node reactivates an endpoint',
	BLOCKED_BY_N8N: 'the engine alone does not have the protection of n8n: test/unit, sendRequest',
	CERTIFICATE_REJECTED: 'the emulated service has no certificate: test/unit, sendRequest',
	TIMEOUT: 'it takes real seconds: test/unit, sendRequest and explainTransportError',
	NO_ID: 'a field of the items of the trigger, no error: test/unit, currentState',
	UNEXPECTED_ERROR: 'a bug in the node: whatever is known to cause it is corrected',
};

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

it('every code is followed, or has a reason', () => {
	const codes = sorted(readErrorCodes());
	const followed = ALL.map(({ code }) => code);

	expect(sorted([...followed, ...Object.keys(OUT_OF_REACH)])).toEqual(codes);
	expect(Object.keys(OUT_OF_REACH).filter((code) => followed.includes(code))).toEqual([]);
});

/** The first cells of the tables of a page: `1`, or `2, 6 to 8`. */
const linesOf = (page: string): number[] =>
	[
		...readFileSync(join(__dirname, '../../../docs', page), 'utf8').matchAll(
			/^\| (\d[\d to,]*)\|/gm,
		),
	].flatMap(([, cell = '']) =>
		cell.split(',').flatMap((part) => {
			const [from = 0, to = from] = part.split('to').map(Number);
			return Array.from({ length: to - from + 1 }, (_, index) => from + index);
		}),
	);

it('every line of the table has a test', () => {
	const lines = linesOf('never-paid-twice.md');
	expect(lines).toHaveLength(20);
	expect(linesOf('testing.md').sort((one, other) => one - other)).toEqual(lines);
});

it('every situation names a sentence that is followed', () => {
	expect(ALL.filter(({ says }) => says.length === 0)).toEqual([]);
});
