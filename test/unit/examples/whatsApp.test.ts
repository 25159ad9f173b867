/** Which number the examples write to by WhatsApp; what they send is in test/e2e/examples/whatsApp.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import type { INode, INodeParameters } from 'n8n-workflow';

/** Where an example turns what people enter into a number, and how its expression reads the entry. */
const EXPRESSIONS = [
	[
		'payment-link-with-email.json',
		'Send WhatsApp Message',
		({ recipientPhoneNumber }: INodeParameters) => recipientPhoneNumber,
		"$('Payment Request Form').item.json.whatsApp",
	],
	[
		'charge-by-whatsapp.json',
		'Create PIX Payment',
		({ additionalFields }: INodeParameters) => (additionalFields as INodeParameters).metadata,
		'$json.whatsApp',
	],
	[
		'pix-received-notification.json',
		'Send to WhatsApp',
		({ recipientPhoneNumber }: INodeParameters) => recipientPhoneNumber,
		"$('Your Settings').first().json.whatsAppTo",
	],
] as const;

/** The entry, and the digits behind the + that Meta gets. */
const ENTRIES = [
	['(41) 99876-5432', '5541998765432'],
	['41998765432', '5541998765432'],
	['(31) 3333-4444', '553133334444'],
	['(041) 99876-5432', '5541998765432'],
	['(55) 99876-5432', '5555998765432'],
	['\u202a+55 41 99876\u20115432\u202c ', '5541998765432'],
	['55 31 3333-4444', '553133334444'],
	['+1 202 555 0143', '12025550143'],
	['(+351) 912 345 678', '351912345678'],
	['+47 22 12 34 56', '4722123456'],
] as const;

describe.each(EXPRESSIONS)('%s', (file, name, read, entry) => {
	const text = readFileSync(join(__dirname, '..', '..', '..', 'examples', file), 'utf8');
	const { nodes } = JSON.parse(text) as { nodes: INode[] };
	const expression = read(nodes.find((node) => node.name === name)!.parameters) as string;
	const at = expression.indexOf(entry);
	const [code] = /^(?:\.replace\(\/(?:[^/\\]|\\.)+\/g?, '\w*'\))+/.exec(
		expression.slice(at + entry.length),
	)!;
	const toNumber = runInThisContext(`(entry) => entry${code}`) as (entry: string) => string;

	it.each(ENTRIES)('writes to %j at +%s', (written, number) => {
		expect(toNumber(written)).toBe(number);
	});
});
