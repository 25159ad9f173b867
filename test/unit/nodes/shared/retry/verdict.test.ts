import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import { classify, type RequestKind } from '../../../../../nodes/shared/retry/verdict';
import { refused } from '../../../support/failedRequest';

const KINDS: RequestKind[] = ['read', 'repeatable', 'keyed', 'boletoCreation'];

test('a success is followed by nothing', () => {
	const success = { kind: 'success', status: 200, headers: {}, body: {} } as const;

	for (const kind of KINDS) {
		expect(classify(success, kind)).toEqual({ retry: 'never', effect: 'none' });
	}
});

test('no other code means something else when it is repeated', () => {
	for (const [code, { status }] of Object.entries(ERROR_CATALOGUE)) {
		if (/^(WITHDRAWAL_)?PROVIDER_/.test(code)) continue;
		const outcome = refused(code, { status: status ?? 400 });
		for (const kind of KINDS) {
			expect(classify(outcome, kind, true)).toEqual(classify(outcome, kind));
		}
	}
});

test('a withdrawal that was abandoned keeps its key: the server did not store the response', () => {
	for (const code of ['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 'WITHDRAWAL_PROCESSING_FAILED']) {
		expect(classify(refused(code, { status: 503 }), 'keyed').retry).toBe('sameKey');
		expect(classify(refused(code, { status: 503 }), 'keyed').effect).toBe('notReached');
	}
});

test('without a word on replays, a boleto tries again under its key', () => {
	const outcome = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', { status: 502 });

	expect(classify(outcome, 'boletoCreation').retry).toBe('sameKey');
	expect(classify(outcome, 'boletoCreation').effect).toBe('unknown');
});

describe('a failure that the service keeps under the key', () => {
	const kept = (code: string, isReplay: boolean) =>
		KINDS.filter((kind) => classify(refused(code), kind, isReplay).retry === 'newKey');

	test.each([
		['WITHDRAWAL_PROVIDER_UNAVAILABLE', ['keyed']],
		['PROVIDER_TEMPORARILY_UNAVAILABLE', ['boletoCreation']],
	])('is %s for %o, once it has come twice', (code, kinds) => {
		expect(kept(code, false)).toEqual([]);
		expect(kept(code, true)).toEqual(kinds);
		for (const kind of kinds as RequestKind[]) {
			expect(classify(refused(code), kind, true).effect).toBe('none');
		}
	});

	test('is no other one', () => {
		const codes = Object.keys(ERROR_CATALOGUE).filter((code) => kept(code, true).length > 0);

		expect(codes).toEqual(['PROVIDER_TEMPORARILY_UNAVAILABLE', 'WITHDRAWAL_PROVIDER_UNAVAILABLE']);
	});
});
