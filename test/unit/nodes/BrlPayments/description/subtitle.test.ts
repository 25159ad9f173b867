import { runInNewContext } from 'node:vm';
import { resources } from '../../../../../nodes/BrlPayments/resources';
import { buildSubtitle } from '../../../../../nodes/BrlPayments/description/subtitle';

/** What n8n makes of the expression. */
function shown(resource: string, operation: string): unknown {
	const code = /^=\{\{ (.+) \}\}$/.exec(buildSubtitle(resources))?.[1];
	return runInNewContext(String(code), { $parameter: { resource, operation } });
}

test.each([
	['withdrawal', 'create', 'Create: Withdrawal'],
	['payment', 'getAll', 'Get Many: Payment'],
	['payment', 'getPixQrCode', 'Get PIX QR Code: Payment'],
	['apiKey', 'get', 'Get: API Key'],
])('%s, %s is shown as "%s"', (resource, operation, words) => {
	expect(shown(resource, operation)).toBe(words);
});

test('every operation has words', () => {
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			expect(shown(option.value as string, operation.option.value as string)).toBe(
				`${operation.option.name}: ${option.name}`,
			);
		}
	}
});

test('what the node does not have shows nothing', () => {
	expect(shown('payment', 'gone')).toBeUndefined();
});
