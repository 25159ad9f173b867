import { startCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { matches, type Filters } from '../shared/lists/filters';
import { parseTimestamp } from '../shared/input/date';
import { InputError } from '../shared/input/inputError';
import { parseReais, toReais } from '../shared/input/money';
import { isText, optionalText } from '../shared/input/text';
import { FILTER_PARAMETERS } from '../shared/transport/apiAssumptions';
import { collectPages, MAX_PAGE_SIZE, PAGES_AT_ONCE } from '../shared/lists/pagination';
import { readPage, type ApiRecord, type Page } from '../shared/transport/schemas';
import type { ItemCall } from './item';

/** Reads a list with Return All, Limit and Filters. @param plural the key of the rows in the response */
export async function listRecords(
	call: ItemCall,
	path: string,
	plural: string,
): Promise<IDataObject[]> {
	const filters = readFilters(call);
	const query = toQuery(filters);
	const limit = call.parameter<boolean>('returnAll') ? Infinity : call.parameter<number>('limit');
	// When the server applies no filter, most rows of a small page may have to be left out here.
	const isFiltered = Object.keys(filters).length > 0;
	const pageSize = isFiltered ? MAX_PAGE_SIZE : Math.min(limit, MAX_PAGE_SIZE);
	const serverFilters = { ...filters, search: undefined };
	const { startDate, endDate } = filters;
	let isIgnored = false;
	let isOtherDate = false;

	const { rows, isComplete } = await collectPages(
		async (page) =>
			await call.get<Page>(path, readPage(plural), { ...query, page, limit: pageSize }),
		pageSize,
		limit,
		(row: ApiRecord) => {
			isIgnored ||= !matches(row, serverFilters);
			isOtherDate ||= !matches(row, { startDate, endDate });
			return matches(row, filters);
		},
		pagesAtOnce(call),
	);
	if (isIgnored) {
		call.hint(
			isOtherDate
				? OTHER_DATE_HINT
				: 'The server did not apply all filters. This node applied them, so the result is correct, but it read more rows than needed.',
		);
	}
	if (!isComplete) {
		call.hint(
			`The list of ${plural} changed while this node read it, so a few rows may be missing. Run the node again, or narrow the date range.`,
		);
	}
	return rows as IDataObject[];
}

/** Rows that the server leaves out because of another date cannot be seen here. */
const OTHER_DATE_HINT =
	"The server did not apply all filters. If it ignores 'Start Date' and 'End Date', the result is correct. If it compares them with another date, such as the payment date, rows are missing. To be sure, leave both empty and filter in the next node.";

/** The lists of several items together request no more pages at the same time than one list does. */
function pagesAtOnce(call: ItemCall): number {
	const items = call.context.getInputData().length;
	const lists = Math.min(items, call.option<number>('maxConcurrency'));
	return Math.max(1, Math.floor(PAGES_AT_ONCE / lists));
}

/** How each filter is read: amounts in centavos, dates in epoch ms. */
const READERS: {
	[Name in keyof Required<Filters>]: (value: unknown, timezone: string) => Filters[Name];
} = {
	status: (value) => optionalText(value, 'Status'),
	method: (value) => optionalText(value, 'Method'),
	currency: (value) => optionalText(value, 'Currency'),
	search: (value) => optionalText(value, 'Search'),
	startDate: (value, timezone) => parseTimestamp(value, 'Start Date', timezone, 'start'),
	endDate: (value, timezone) => parseTimestamp(value, 'End Date', timezone, 'end'),
	minAmount: (value) => parseReais(value, 'Min Amount'),
	maxAmount: (value) => parseReais(value, 'Max Amount'),
	isActive: (value) => value as boolean,
};

function readFilters(call: ItemCall): Filters {
	const given = call.parameter<IDataObject>('filters', {});
	refuseEmpty(call.rawParameters.filters, given);
	const filters: Filters = Object.fromEntries(
		Object.entries(READERS)
			.filter(([name]) => (given[name] ?? '') !== '')
			.map(([name, read]) => [name, read(given[name], call.timezone)]),
	);
	checkOrder(filters);
	return filters;
}

/**
 * Without a filter that was meant, the list would have all rows, and the nodes after this one would take them for
 * the wanted ones.
 * @throws InputError for one whose expression returned nothing
 */
function refuseEmpty(entered: unknown, given: IDataObject): void {
	if (typeof entered !== 'object' || entered === null) return;
	const found = Object.entries(entered).find(
		([name, raw]) => isText(raw) && raw.startsWith('=') && (given[name] ?? '') === '',
	);
	if (found === undefined) return;
	throw new InputError(
		`The filter ${startCase(found[0])} is empty in this row`,
		'Check the name of the field that its expression reads, or remove the filter.',
	);
}

function checkOrder({ startDate, endDate, minAmount, maxAmount }: Filters): void {
	if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
		throw new InputError("Start Date is after 'End Date'", 'Swap the values.');
	}
	if (minAmount !== undefined && maxAmount !== undefined && minAmount > maxAmount) {
		throw new InputError("Min Amount is above 'Max Amount'", 'Swap the values.');
	}
}

/** The filters that the server knows, as query parameters: amounts in reais, dates in ISO 8601. */
function toQuery(filters: Filters): IDataObject {
	const query: IDataObject = {};
	for (const [name, parameter] of Object.entries(FILTER_PARAMETERS)) {
		const value = filters[name as keyof typeof FILTER_PARAMETERS];
		if (value === undefined) continue;
		if (name === 'minAmount' || name === 'maxAmount') query[parameter] = toReais(value as number);
		else if (name === 'startDate' || name === 'endDate') {
			query[parameter] = new Date(value as number).toISOString();
		} else query[parameter] = value;
	}
	return query;
}
