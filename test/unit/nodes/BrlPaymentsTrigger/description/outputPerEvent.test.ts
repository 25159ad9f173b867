import { createContext, Script } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';
import { EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/events/events';
import {
	getOutputIndex,
	outputsExpression,
} from '../../../../../nodes/BrlPaymentsTrigger/description/properties';

interface Output {
	type: string;
	displayName?: string;
}

const NAMES = Object.keys(EVENTS);

const expression = outputsExpression();
const code = expression.slice('={{'.length, -'}}'.length);

const script = new Script(`toJson(${code})`);
const surroundings = { $parameter: {}, toJson: JSON.stringify };
const context = createContext(surroundings);

/** Evaluates the expression as n8n does: as text, with nothing around but the parameters. */
const evaluate = (parameters: IDataObject): Output[] => {
	surroundings.$parameter = parameters;
	return JSON.parse(script.runInContext(context) as string) as Output[];
};

const outputsFor = (events: string[] | undefined, options?: IDataObject) =>
	evaluate({ events, options });

test('it is one expression', () => {
	expect(expression).toMatch(/^=\{\{[^]*\}\}$/);
	// n8n ends an expression at the first pair of closing braces.
	expect(code).not.toContain('}}');
});

test.each([undefined, {}, { oneOutputPerEvent: false }])(
	'one output with options %o',
	(options) => {
		expect(outputsFor(NAMES, options)).toEqual([{ type: 'main' }]);
		for (const event of [...NAMES, 'TEST', 'NEW'])
			expect(getOutputIndex({ event, status: null }, NAMES, false)).toBe(0);
	},
);

test.each([
	...['false', 'False', '0', 0].map((given) => [given, 1] as const),
	...['true', 'True ', '1', 1].map((given) => [given, NAMES.length + 1] as const),
])('an expression that returns %o: %i outputs', (oneOutputPerEvent, count) => {
	expect(outputsFor(NAMES, { oneOutputPerEvent })).toHaveLength(count);
});

test('an event whose name begins like another one has no separate output', () => {
	// In the order of the list, and one for the rest.
	const events = 'payment_refund_failed, PAYMENT_PAID';
	expect(evaluate({ events, options: { oneOutputPerEvent: true } })).toEqual([
		{ type: 'main', displayName: 'Payment Paid' },
		{ type: 'main', displayName: 'Payment Refund Failed' },
		{ type: 'main', displayName: 'Other' },
	]);
});

describe('one output per event', () => {
	const options = { oneOutputPerEvent: true };

	test.each([undefined, []])('with %o selected there is one for the rest', (events) => {
		expect(outputsFor(events, options)).toEqual([{ type: 'main', displayName: 'Other' }]);
	});

	test.each([
		['PAYMENT_PAID', 'PAID', 0],
		['PAYMENT_PAID', 'CANCELLED', 2],
		['PAYMENT_PAID', 'REFUNDED', 2],
		['WITHDRAWAL_SENT', 'FAILED', 2],
	])('%s whose body says %s leaves by output %i', (event, status, index) => {
		const selected = ['PAYMENT_PAID', 'WITHDRAWAL_SENT'];
		expect(getOutputIndex({ event, status }, selected, true)).toBe(index);
		expect(getOutputIndex({ event, status }, selected, false)).toBe(0);
	});

	test('each event of each selection arrives at the output with its name', () => {
		const check = (selected: string[]) => {
			const outputs = outputsFor(selected, options);
			for (const event of [...NAMES, 'TEST', 'webhook.test', 'NEW', 'constructor', '*']) {
				const isShown =
					Object.hasOwn(EVENTS, event) && (selected.includes('*') || selected.includes(event));
				const name = isShown ? EVENTS[event]?.name : 'Other';
				const index = getOutputIndex({ event, status: null }, selected, true);
				if (outputs[index]?.displayName !== name) {
					throw new Error(`${event} of ${selected.join()} goes to ${index}`);
				}
			}
			return outputs.length;
		};

		for (let bits = 0; bits < 2 ** NAMES.length; bits += 1) {
			const selected = NAMES.filter((_, index) => (bits >> index) % 2 === 1);
			expect(check(selected)).toBe(selected.length + 1);
			if (bits % 16 === 0) expect(check(['*', ...selected])).toBe(NAMES.length + 1);
		}
		// An event that was selected and is no longer known adds no output.
		expect(check(['REMOVED_EVENT', 'PAYMENT_PAID'])).toBe(2);
	});
});
