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
