import { parseDay } from '../../shared/input/date';
import { InputError } from '../../shared/input/inputError';
import { DOCUMENT_PARAMETERS } from '../../shared/transport/apiAssumptions';
import { readContent } from '../../shared/transport/schemas';
import { DAY_MS } from '../../shared/text/time';
import { formatField, type DocumentFormat } from '../editor/fields';
import type { ItemOperation } from '../operation';

/** The bound of the API (docs/api.md#get-a-statement). */
const MAX_DAYS = 90;

/** GET /v1/documents/statements (docs/api.md#get-a-statement). */
export const getStatement: ItemOperation = {
	option: {
		name: 'Get Statement',
		value: 'getStatement',
		action: 'Get account statement',
		description: 'Retrieve the account statement for up to 90 days',
	},
	scope: 'documents:read',
	fields: [
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			required: true,
			default: '',
			description: 'First day of the statement. The time of day is ignored.',
		},
		{
			displayName: 'End Date',
			name: 'endDate',
			type: 'dateTime',
			required: true,
			default: '',
			description: 'Last day of the statement, at most 90 days after the first',
		},
		formatField,
	],
	async execute(call) {
		const format = call.parameter<DocumentFormat>('format');
		const startDate = parseDay(call.parameter('startDate'), 'Start Date', call.timezone);
		const endDate = parseDay(call.parameter('endDate'), 'End Date', call.timezone);
		const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS;
		if (days < 0 || days > MAX_DAYS) {
			throw new InputError(
				days < 0
					? `Start Date ${startDate} is after 'End Date' ${endDate}`
					: `The range from ${startDate} to ${endDate} spans ${days} days, and at most ${MAX_DAYS} are allowed`,
				days < 0 ? 'Swap the values.' : 'Request several shorter statements.',
			);
		}
		if (call.environment === 'sandbox') {
			call.hint('With a test key, the statement is always empty.');
		}
		const query = {
			[DOCUMENT_PARAMETERS.startDate]: startDate,
			[DOCUMENT_PARAMETERS.endDate]: endDate,
			[DOCUMENT_PARAMETERS.format]: format,
		};
		const path = '/v1/documents/statements';
		const { content } = await call.get<{ content: string }>(path, readContent, query);
		return { json: { startDate, endDate, format, content } };
	},
};
