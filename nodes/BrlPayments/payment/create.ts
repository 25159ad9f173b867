import { textField, PAYMENT_METHODS } from '../editor/fields';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { CHARGE_COLUMNS } from './fields';
import { findPaymentCodes } from './codes';
import { InputError } from '../../shared/input/inputError';
import { parseObject, optionalName, optionalText } from '../../shared/input/text';
import { parseReais, toReais } from '../../shared/input/money';
import { parseTaxDocument, type TaxDocument } from '../../shared/input/taxDocument';
import type { BodyReader } from '../../shared/transport/outcome';
import { path } from '../../shared/transport/path';
import { readCreated, readCurrent, type ApiRecord } from '../../shared/transport/schemas';
import { chosenProductId, productField } from '../editor/pickers';
import type { ItemCall } from '../item';
import { changesLater } from '../unfitNames';
import type { OrderOperation } from '../operation';
import { EXTERNAL_ID, parseReference, type Reference } from '../../shared/input/reference';
import { CHARGE, isAmountOf } from '../orders/charges';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** The bound of the API on card payments (docs/api.md#limits), in centavos. */
const LEAST_CARD_AMOUNT = 500;

const oncePerExternalId: INodeProperties = {
	displayName: 'Once per External ID',
	name: 'oncePerExternalId',
	type: 'boolean',
	default: true,
	description:
		"Whether to charge each External ID once, however often and wherever this runs. If the charge exists, it is returned as it is now, with alreadyCreated set to true. On if this option is not added. Does not apply to items with an 'Idempotency Key' of your own. Charges made while this was off are not recognized and are made again.",
};

/** POST /v1/payments (docs/api.md#create-a-payment). */
export const create: OrderOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Charge customer (create payment)',
		description: 'Charge a customer by PIX, boleto or card, with or without a checkout page',
	},
	columns: CHARGE_COLUMNS,
	scope: 'payments:write',
	extraScope: {
		scope: 'payments:read',
		purpose: 'External IDs that were charged before, whose payment is then read',
	},
	verificationHint: 'Payment > Get Many, and compare amount, time and description',
	isWrite: true,
	forAgents:
		'Amounts are in reais. With a payment page, the response has checkoutUrl, the link for the customer; otherwise it has pixCode or boletoLine. No money moves until the customer pays. With an External ID, the same charge is returned again, with alreadyCreated set to true.',
	guardedFields: ['methods', 'externalId'],
	options: [oncePerExternalId],
	fields: [
		{
			displayName: 'Charge By',
			name: 'chargeBy',
			type: 'options',
			default: 'amount',
			options: [
				{ name: 'Amount', value: 'amount', description: 'Charge an amount that you enter' },
				{ name: 'Product', value: 'product', description: 'Charge the price of a product' },
			],
			description: 'Where the amount to charge comes from',
		},
		textField('Amount', 'amount', {
			required: true,
			placeholder: 'e.g. 1.234,56',
			displayOptions: { show: { chargeBy: ['amount'] } },
			description:
				'Amount to charge, in reais, such as 1234.56 or R$ 1.234,56. With a test key, the cents decide the outcome: .02 stays new, .03 is cancelled, .04 expires, all others are paid.',
		}),
		{ ...productField, displayOptions: { show: { chargeBy: ['product'] } } },
		{
			displayName: 'Methods',
			name: 'methods',
			type: 'multiOptions',
			default: ['PIX'],
			options: PAYMENT_METHODS,
			description:
				'How the customer can pay. Card requires a payment page. If none is selected, the service decides.',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			default: 'hosted',
			options: [
				{
					name: 'Payment Page (Link)',
					value: 'hosted',
					description: 'The response has a checkoutUrl to send to the customer',
				},
				{
					name: 'PIX Code or Boleto (No Page)',
					value: 'headless',
					description: 'You send pixCode or boletoLine to the customer yourself',
				},
			],
			description: 'Where the customer pays',
		},
		textField('External ID', 'externalId', {
			placeholder: 'e.g. order-1042',
			hint: 'Each External ID is charged once. Without it, running again charges again.',
			description:
				"ID of this charge in your own system, such as the order number. Turn off 'Options > Once per External ID' to charge it again. Events may not contain it: repeat it in 'Description'.",
		}),
		textField('Description', 'description', {
			placeholder: 'e.g. Order 1042',
			description: 'What the charge is for. The customer sees it on the payment page.',
		}),
		{
			displayName: 'Customer',
			name: 'customer',
			type: 'collection',
			placeholder: 'Add customer field',
			default: {},
			description: 'The payer. Some methods, such as boleto, require it.',
			options: [
				textField('Document', 'document', {
					placeholder: 'e.g. 529.982.247-25',
					description: 'CPF or CNPJ, with or without punctuation',
				}),
				{
					displayName: 'Document Type',
					name: 'documentType',
					type: 'options',
					default: 'CPF',
					options: [
						{ name: 'CNPJ', value: 'CNPJ' },
						{ name: 'CPF', value: 'CPF' },
					],
					description: 'Detected from the document if omitted. Must match the document.',
				},
				textField('Email', 'email', { placeholder: 'e.g. nathan@example.com' }),
				textField('Name', 'name', { placeholder: 'e.g. Maria Silva' }),
			],
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				textField('Completion URL', 'completionUrl', {
					placeholder: 'e.g. https://shop.example.com/thanks',
					description: 'Where the customer is sent after paying on the checkout page',
				}),
				{
					displayName: 'Metadata',
					name: 'metadata',
					type: 'json',
					default: '{}',
					description: 'Your own data to store with the payment, as a JSON object',
				},
				{
					displayName: 'Pass Fee to Payer',
					name: 'passFeeToPayer',
					type: 'boolean',
					default: false,
					description: 'Whether the customer pays the fee on top of the amount',
				},
				textField('Return URL', 'returnUrl', {
					placeholder: 'e.g. https://shop.example.com/cart',
					description: 'Where the customer is sent when leaving the checkout page without paying',
				}),
			],
		},
	],
	async prepare(call) {
		const { cents, productId } = await chosenCharge(call);
		const methods = chosenMethods(call);
		const mode = call.parameter<'hosted' | 'headless'>('mode');
		checkMethods(methods, mode, cents);

		// As it is compared: the service, too, would take an invisible character for another ID.
		const externalId = optionalName(call.parameter('externalId', ''), 'External ID');
		const description = optionalText(call.parameter('description', ''), 'Description');
		const additional = chosenAdditionalFields(call);
		const customer = chosenCustomer(call);
		const reference = onceBy(call);
		if (externalId === undefined && call.ownKey === '') call.hint(CHARGES_AGAIN);
		return {
			path: '/v1/payments',
			body: {
				...(cents === undefined ? { productId } : { amount: toReais(cents) }),
				...(methods.length === 0 ? {} : { methods }),
				mode,
				...omitUndefined({ customer, externalId, description }),
				...additional,
			},
			identity: {
				...(cents === undefined ? { productId } : { amount: cents }),
				methods: [...methods].sort(),
				externalId,
			},
			// The other one of the two may be added: the service takes both.
			guardedFields: [cents === undefined ? 'productId' : 'amount'],
			checkBody: (body) => checkBody(body, mode),
			// Of a record of another amount, nobody knows whose it is: then the outcome is unknown.
			read: withCodes(
				call,
				readCreated(
					'payment',
					(made) =>
						!reference || cents === undefined || isAmountOf(made, (shown) => shown === cents),
				),
			),
			reference,
			echo: omitUndefined({ externalId }),
			...(reference
				? {
						charge: { externalId: reference.value, cents, productId, document: customer?.document },
					}
				: {}),
			kind: methods.length === 1 && methods[0] === 'BOLETO' ? 'boletoCreation' : 'keyed',
			current: async (id) =>
				await call.lookUp<ApiRecord>(
					path`/v1/payments/${id}`,
					withCodes(call, readCurrent('payment', id)),
					'payments:read',
				),
		};
	},
	hasReferences({ externalId = '', options }) {
		const { oncePerExternalId, idempotencyKey } = (options ?? {}) as IDataObject;
		return externalId !== '' && oncePerExternalId !== false && (idempotencyKey ?? '') === '';
	},
	kind: CHARGE,
};

/** The External ID, if this item is to be charged once for it. */
function onceBy(call: ItemCall): Reference | undefined {
	const raw = call.rawParameters.externalId;
	const externalId = call.parameter('externalId', '');
	const isOwnKey = call.ownKey !== '';
	if (!call.option<boolean>('oncePerExternalId') || isOwnKey) return undefined;
	call.enteredName(raw, externalId, 'External ID');
	const reference = parseReference(externalId, call.inputJson, EXTERNAL_ID);
	if (reference && changesLater(raw)) call.hint(CHANGES_LATER);
	return reference;
}

const CHARGES_AGAIN =
	'Each run creates another charge. To charge each order once, fill in External ID.';
const CHANGES_LATER =
	'This External ID contains the time, the ID of the run, or several rows that Summarize has put together. A later run does not recognize what was charged, and charges it again. Use only what is in the item, such as the order number, or a customer and a field with the month.';

/** Adds the codes that a customer can pay with, if there is no checkout page. */
function withCodes(call: ItemCall, read: BodyReader): BodyReader {
	return (body, headers) => {
		const payment = read(body, headers) as ApiRecord | undefined;
		return payment && { ...payment, ...findPaymentCodes(payment, (message) => call.hint(message)) };
	};
}

/** What is charged: an amount, or a product, whose price only the service knows. */
async function chosenCharge(
	call: ItemCall,
): Promise<{ cents: number | undefined; productId: string | undefined }> {
	if (call.parameter('chargeBy') === 'product') {
		return { cents: undefined, productId: await chosenProductId(call) };
	}
	const cents = parseReais(call.parameter('amount'));
	if (cents === 0) throw new InputError('Amount is zero', 'Enter the amount to charge, in reais.');
	return { cents, productId: undefined };
}

function chosenMethods(call: ItemCall): string[] {
	// An expression without a result is undefined, whatever the fallback.
	const methods = call.parameter<string[] | undefined>('methods', []) ?? [];
	const isExpression = typeof call.rawParameters.methods === 'string';
	if (methods.length > 0 || !isExpression) return methods;
	throw new InputError(
		'Methods is empty in this row',
		'Fill in the column or field that its expression reads, or select the methods in the list.',
	);
}

/** Fields of card payments by API, which no longer exist (docs/api.md#create-a-payment), however they are written. */
const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();
const CARD_FIELDS: ReadonlySet<string> = new Set(
	[
		...['card', 'deviceInfo', 'remoteIp', 'holderInfo', 'authorizeOnly', 'creditCard'],
		...['creditCardHolderInfo', 'creditCardToken', 'installmentCount', 'installmentValue'],
		'totalValue',
	].map(plain),
);

/** @throws InputError for what Additional Body Fields made of the body, if it is certainly refused */
function checkBody(body: IDataObject, chosenMode: string): void {
	const field = Object.keys(body).find((name) => CARD_FIELDS.has(plain(name)));
	if (field !== undefined) {
		throw new InputError(
			`Additional Body Fields cannot set "${field}"`,
			'Nothing was sent. The service takes card data only from the customer, on the payment page: remove the field, select Card under Methods, and set Mode to Payment Page (Link).',
		);
	}
	const { mode = 'headless' } = body;
	if (mode !== chosenMode) {
		throw new InputError(
			'Additional Body Fields sets another "mode" than Mode',
			"Remove it there, and use the node's own field Mode.",
		);
	}
}

/** The card rules of POST /v1/payments that can be checked here. */
function checkMethods(methods: readonly string[], mode: string, cents: number | undefined): void {
	if (!methods.includes('CARD')) return;
	if (mode !== 'hosted') {
		throw new InputError(
			'Card payments require the hosted checkout page',
			'Set Mode to Payment Page (Link), or remove Card from Methods.',
		);
	}
	if (cents !== undefined && cents < LEAST_CARD_AMOUNT) {
		throw new InputError(
			'Amount is below R$ 5,00, the minimum for card payments',
			'Increase Amount, or remove Card from Methods.',
		);
	}
}

function chosenCustomer(call: ItemCall): Customer | undefined {
	const given = call.parameter<IDataObject>('customer', {});
	const label = 'Customer document';
	const isGiven = optionalText(given.document, label) !== undefined;
	const document = isGiven ? parseTaxDocument(given.document, label) : undefined;
	if (document) checkDocumentType(optionalText(given.documentType, 'Document Type'), document);
	const customer: Customer = omitUndefined({
		name: optionalText(given.name, 'Customer name'),
		email: optionalText(given.email, 'Customer email'),
		document: document?.value,
		documentType: document?.type,
	});
	return Object.keys(customer).length === 0 ? undefined : customer;
}

interface Customer extends IDataObject {
	readonly document?: string;
}

/** Its default is CPF, so a user who adds the field for customers of both kinds would send companies as persons. */
function checkDocumentType(chosen: string | undefined, { type }: TaxDocument): void {
	if (chosen === undefined || chosen === type) return;
	throw new InputError(
		`Customer document is a ${type}, but 'Document Type' says ${chosen}`,
		"Remove 'Document Type' from Customer to have it detected, or correct the document.",
	);
}

function chosenAdditionalFields(call: ItemCall): IDataObject {
	const given = call.parameter<IDataObject>('additionalFields', {});
	return omitUndefined({
		completionUrl: optionalText(given.completionUrl, 'Completion URL'),
		returnUrl: optionalText(given.returnUrl, 'Return URL'),
		passFeeToPayer: given.passFeeToPayer,
		metadata: parseObject(given.metadata, 'Metadata'),
	});
}
