import type { INodeProperties } from 'n8n-workflow';
import { findPaymentCodes } from './codes';
import { ApiFailure } from '../../shared/failures/failure';
import { InputError } from '../../shared/input/inputError';
import { toText } from '../../shared/input/text';
import { path } from '../../shared/transport/path';
import { maskText } from '../../shared/privacy/text';
import { toPng, qrCode } from './qrCode';
import { readRecord, type ApiRecord } from '../../shared/transport/schemas';
import { getOutputField, outputFile, outputFileField } from '../editor/outputFile';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import type { ItemOperation } from '../operation';

const DEFAULT_SIZE = 400;
const DEFAULT_MARGIN = 4;

const sizeField: INodeProperties = {
	displayName: 'Size (Pixels)',
	name: 'size',
	type: 'number',
	typeOptions: { minValue: 50, maxValue: 2000, numberPrecision: 0 },
	default: DEFAULT_SIZE,
	description: 'Width and height of the image',
};

const marginField: INodeProperties = {
	displayName: 'Margin (Modules)',
	name: 'margin',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
	default: DEFAULT_MARGIN,
	description:
		'Minimum width of the white border, in modules (the small squares). Bank apps expect 4.',
};

/** GET /v1/payments/{paymentId} (docs/api.md#get-a-payment), and a picture of the PIX code in it. */
export const getPixQrCode: ItemOperation = {
	option: {
		name: 'Get PIX QR Code',
		value: 'getPixQrCode',
		action: 'Get PIX QR code of payment',
		description: 'Retrieve the PIX code of a payment as text and as an image',
	},
	scope: 'payments:read',
	forAgents: 'An agent receives the code as text (pixCode), not the image.',
	fields: [paymentIdField, outputFileField],
	options: [sizeField, marginField],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const field = getOutputField(call);
		const size = call.option<number | undefined>('size') ?? DEFAULT_SIZE;
		const margin = call.option<number | undefined>('margin') ?? DEFAULT_MARGIN;
		const payment = await call.get<ApiRecord>(
			path`/v1/payments/${paymentId}`,
			readRecord('payment'),
		);
		const { pixCode } = findPaymentCodes(payment, (message) => call.hint(message));
		if (pixCode === undefined) throw noPixCode(payment);
		const fileName = `pix-${paymentId}.png`;
		const picture = drawn(pixCode, size, margin);
		return {
			json: { paymentId, pixCode, fileName },
			binary: await outputFile(call, field, picture, fileName, 'image/png'),
		};
	},
};

function drawn(pixCode: string, size: number, margin: number): Buffer {
	const modules = qrCode(pixCode);
	const least = modules.length + 2 * margin;
	if (size < least) {
		throw new InputError(
			`The QR code of this payment needs at least ${least} pixels`,
			"Increase 'Options > Size', or reduce 'Options > Margin'.",
		);
	}
	return toPng(modules, size, margin);
}

function noPixCode({ status, paymentMethod }: ApiRecord): ApiFailure {
	return new ApiFailure({
		code: 'NO_PIX_CODE',
		message: `The payment has no PIX code (${[paymentMethod, status]
			.map((value) => maskText(toText(value)))
			.filter(Boolean)
			.join(', ')})`,
		description:
			'Create the payment with Methods = PIX and Mode = PIX Code or Boleto. With a payment page, the page shows the code to the customer.',
		effect: 'none',
	});
}
