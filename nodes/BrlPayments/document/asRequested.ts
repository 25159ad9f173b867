import type { IDataObject } from 'n8n-workflow';
import { ApiFailure } from '../../shared/failures/failure';
import { toText } from '../../shared/validation/text';
import { DOCUMENT_PARAMETERS } from '../../shared/transport/apiAssumptions';
import type { DocumentFormat } from '../fields/definitions';

/*
 * The API description does not show the names of the parameters of documents. A service that does
 * not know the ones that are sent responds with success, and with another document.
 */

interface Asked {
	startDate: string;
	endDate: string;
	format: DocumentFormat;
}

/** What the user sends under the names of this node instead of what the fields say. */
export function sentInstead(query: IDataObject): Partial<Asked> {
	const { startDate, endDate, format } = DOCUMENT_PARAMETERS;
	const text = (name: string) => toText(query[name]).trim();
	return {
		...(text(startDate) === '' ? {} : { startDate: text(startDate) }),
		...(text(endDate) === '' ? {} : { endDate: text(endDate) }),
		...(/^(html|text)$/.test(text(format)) ? { format: text(format) as DocumentFormat } : {}),
	};
}

/** @throws ApiFailure if a document has another format than requested */
export function refuseOtherFormat(asked: DocumentFormat, came: DocumentFormat): void {
	if (asked === came) return;
	throw unexpected(
		`The service sent the document as ${toFileName(came)}, not as ${toFileName(asked)}`,
		'format',
	);
}

/** @returns undefined for a document without content */
export function detectFormat(content: string): DocumentFormat | undefined {
	if (content.trim() === '') return undefined;
	return /^\s*<[!a-z]/i.test(content) ? 'html' : 'text';
}

/**
 * Compares the period that a statement shows, in any language, with the requested days. One that
 * shows none passes.
 * @param start, end `YYYY-MM-DD`
 * @throws ApiFailure if it shows another period, and not this one
 */
export function refuseOtherPeriod(content: string, start: string, end: string): void {
	const text = content.replace(/<[^<>]*>/g, ' ');
	const periods = [...text.matchAll(PERIOD)].map(([, from = '', to = '']) => [from, to]);
	const isShown = periods.some(([from = '', to = '']) => isDay(from, start) && isDay(to, end));
	const [first] = periods;
	if (first === undefined || isShown) return;
	throw unexpected(
		`The service sent a statement of ${first.join(' to ')}, not of ${start} to ${end}`,
		'startDate and endDate',
	);
}

const DAY = String.raw`(\d{4}-\d{2}-\d{2}|\d{2}/\d{2}/\d{4})`;
const PERIOD = new RegExp(String.raw`${DAY}\s{0,3}(?:-|–|—|to|until|a|à|até)\s{0,3}${DAY}`, 'gi');

/** A day may be written in the Brazilian, the American or the ISO order. */
function isDay(shown: string, day: string): boolean {
	const [year, month, date] = day.split('-');
	return [day, `${date}/${month}/${year}`, `${month}/${date}/${year}`].includes(shown);
}

function toFileName(format: DocumentFormat): string {
	return format === 'html' ? 'HTML' : 'text';
}

function unexpected(message: string, parameters: string): ApiFailure {
	return new ApiFailure({
		code: 'UNEXPECTED_DOCUMENT',
		message,
		description: `The service may use another parameter name than ${parameters}. Look it up in the documentation of the service, and add it under Options > Additional Query Parameters.`,
		effect: 'none',
	});
}
