/** Each code, and each line of the tables in docs/never-paid-twice.md, has a situation, or a reason. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECIDED_HERE } from '../../../dev/docs/errorsPage';
import { TRANSPORT_ERRORS } from '../../../nodes/shared/failures/explainFailure';
import { ERROR_CATALOGUE } from '../../../nodes/shared/retry/errors';
import { SITUATIONS as CHARGES } from './charges';
import { CHARGE_SITUATIONS, READ_SITUATIONS, REFUND_SITUATIONS } from './others';
import { DOCUMENT_MISSING, FIRST_ROW, SINGLE, WITH_REFERENCE, WITHOUT_REFERENCE } from './refusals';
import type { Situation } from './situation';
import { SITUATIONS as WITH } from './withReference';
import { SITUATIONS as WITHOUT } from './withoutReference';

const ALL: readonly Situation[] = [
	...[...WITH_REFERENCE, ...WITHOUT_REFERENCE, ...SINGLE, ...DOCUMENT_MISSING, ...FIRST_ROW],
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
	TOO_MANY_WITHDRAWALS: 'needs 20,000 withdrawals',
	UNEXPECTED_ERROR: 'a bug in the node: whatever is known to cause it is corrected',
};

const NO_ERROR = ['C1', 'C2', 'R1', 'R8', 'R9', 'R11', 'W2', 'W10', 'W13', 'W14', 'W17'];
/** Lines whose errors other lines or tests follow. */
const FOLLOWED_ELSEWHERE: Readonly<Record<string, string>> = {
	W21: 'money/deliveries',
	C8: 'a hint',
	W6: 'as W11',
	W9: 'as W8',
	W18: 'an agent tells its requester: engine/money/agentTool',
};
const NO_SITUATION = [...NO_ERROR, ...Object.keys(FOLLOWED_ELSEWHERE)];

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

it('every code is followed, or has a reason', () => {
	const codes = sorted([
		...Object.keys(ERROR_CATALOGUE),
		...Object.keys(DECIDED_HERE),
		...Object.values(TRANSPORT_ERRORS).map(({ code }) => code),
	]);
	const followed = ALL.map(({ code }) => code);

	expect(sorted([...followed, ...Object.keys(OUT_OF_REACH)])).toEqual(codes);
	expect(Object.keys(OUT_OF_REACH).filter((code) => followed.includes(code))).toEqual([]);
});

it('every line of the tables is followed, or has a reason', () => {
	const page = readFileSync(join(__dirname, '../../../docs/never-paid-twice.md'), 'utf8');
	const lines = sorted([...page.matchAll(/^\| ([RWC]\d+) +\|/gm)].map(([, line]) => line!));
	const followed = ALL.flatMap(({ line }) => line ?? []);

	expect(lines.length).toBeGreaterThan(30);
	expect(sorted([...followed, ...NO_SITUATION])).toEqual(lines);
	expect(NO_SITUATION.filter((line) => followed.includes(line))).toEqual([]);
});

it('every situation names a sentence that is followed', () => {
	const silent = ALL.filter(({ says, line }) => says.length === 0 && line !== 'W7');

	expect(silent).toEqual([]);
});
