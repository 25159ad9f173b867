import { idOfAnswer, isUuid, parseUuid } from '../../../../../nodes/shared/input/uuid';
import { expectRefusals } from '../../../support/refusal';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

test('reads an ID in any case, with blanks around it', () => {
	expect(parseUuid(` ${ID.toUpperCase()}\n`, 'Payment ID')).toBe(ID);
});

test.each([
	['one character short', ID.slice(0, -1)],
	['without hyphens', ID.replaceAll('-', '')],
	['with a wrong character', ID.replace('3', 'g')],
	['followed by a path', `${ID}/refund`],
	['two of them', `${ID}\n${ID}`],
])('refuses an ID %s', (_, text) => {
	expect(isUuid(text)).toBe(false);
	const message = `Payment ID "${text}" is not a valid ID`;
	const parse = (given: string) => parseUuid(given, 'Payment ID');
	expectRefusals([text], parse, message, `Payment ID looks like ${ID}`);
});

test.each([
	['Payment ID', 'PAY0F8FAD5BD9CB469FA16570867728950E', 'Choose By TxID in this field.'],
	['Withdrawal ID', 'WIT0F8FAD5BD9CB469FA16570867728950E', 'Take the ID from the field "id"'],
])('recognizes a TxID in the field %s', (label, text, advice) => {
	const parse = (given: string) => parseUuid(given, label);
	expectRefusals([text], parse, `${label} "${text}" is a TxID`, advice);
});

test.each<[unknown, string | undefined]>([
	[{ id: ID }, ID],
	[{ id: 'order-1' }, undefined],
	[null, undefined],
	[ID, undefined],
])('of what was created, %j shows the ID %s', (body, id) => {
	expect(idOfAnswer(body)).toBe(id);
});

test('says that the ID is empty', () => {
	const parse = (value: unknown) => parseUuid(value, 'Payment ID');
	expectRefusals([undefined, null, '', '  '], parse, 'Payment ID is empty');
});
