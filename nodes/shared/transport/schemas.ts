import { z } from 'zod';
import { idOfAnswer } from '../input/uuid';
import { readJson, type BodyReader } from './outcome';

/** A record of the service. Fields that the API does not list are passed through untouched. */
export type ApiRecord = Record<string, unknown>;

const record = z.record(z.unknown());

/** A record without its envelope; accepted if the API does not show the shape of a response. */
const bare = z.object({ id: z.string() }).passthrough();

const pagination = z
	.object({ total: z.number().int(), totalPages: z.number().int() })
	.partial()
	.passthrough();

/**
 * Reads a response `{payment: {…}}` and the like and returns the record without its envelope. The API does not
 * show the complete response to a creation, so a `checkoutUrl` next to the record is moved into it.
 */
export function readRecord(name: string): BodyReader {
	return (body): ApiRecord | undefined => {
		const json = readJson(body);
		const envelope = record.safeParse(json).data;
		const found = record.safeParse(envelope?.[name]).data ?? bare.safeParse(json).data;
		const { checkoutUrl } = envelope ?? {};
		return found && checkoutUrl !== undefined ? { checkoutUrl, ...found } : found;
	};
}

/**
 * Reads a record that was just created: without its ID, it does not count as one
 * (docs/api.md#identifiers).
 */
export function readCreated(
	name: string,
	isExpected: (record: ApiRecord) => boolean = () => true,
): BodyReader {
	const read = readRecord(name);
	return (body, headers) => {
		const found = read(body, headers) as ApiRecord | undefined;
		return found && idOfAnswer(found) !== undefined && isExpected(found) ? found : undefined;
	};
}

/** Reads a record as it is now: one with another ID, or from a cache, does not show that. */
export function readCurrent(name: string, id: string): BodyReader {
	const read = readRecord(name);
	return (body, headers) => {
		const found = read(body, headers) as ApiRecord | undefined;
		return found?.id === id && findCacheHeader(headers) === undefined ? found : undefined;
	};
}

/** Reads a response that is a plain object, such as withdrawal limits or a message. */
export const readObject: BodyReader = (body) => record.safeParse(readJson(body)).data;

export interface Page {
	rows: ApiRecord[];
	/** Absent if the server sent none. */
	total: number | undefined;
	totalPages: number | undefined;
	/** When the server sent it, by its own clock, epoch ms; absent if it does not say. */
	date?: number | undefined;
	/** The header that shows that it came from a cache on the way; absent if none does. */
	cachedBy?: string | undefined;
}

/** A record that is taken as it came: `record` would copy it, field by field. */
const row = z.custom<ApiRecord>(
	(value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Reads one page of a list (docs/api.md#pagination). */
export function readPage(plural: string): BodyReader {
	const schema = z.object({ [plural]: z.array(row) }).passthrough();
	return (body, headers): Page | undefined => {
		const list = schema.safeParse(readJson(body)).data;
		const counts = pagination.safeParse(list?.pagination).data;
		return (
			list && {
				rows: list[plural] as ApiRecord[],
				total: counts?.total,
				totalPages: counts?.totalPages,
				date: getDate(headers),
				cachedBy: findCacheHeader(headers),
			}
		);
	};
}

/** Caches that send no `Age` name themselves in one of these. */
const CACHE_STATUS = ['x-cache', 'x-cache-status', 'x-proxy-cache', 'cf-cache-status'];

/**
 * The header by which a response shows that a cache has kept it (RFC 9111); undefined if none
 * does.
 */
function findCacheHeader(headers: Record<string, string>): string | undefined {
	const isSign = ([name, value]: [string, string]): boolean => {
		if (name === 'age') return Number(value) > 0;
		if (name === 'warning') return /^11[0-3]\b/.test(value);
		return CACHE_STATUS.includes(name) && /\b(hit|stale)\b/i.test(value);
	};
	const sign = Object.entries(headers).find(isSign);
	return sign && `${sign[0]}: ${sign[1]}`;
}

/**
 * When a server sent a response, by its own clock, epoch ms (header `Date`); undefined if it does
 * not say.
 */
function getDate(headers: Record<string, string>): number | undefined {
	const timestamp = Date.parse(headers.date ?? '');
	return Number.isNaN(timestamp) ? undefined : timestamp;
}

/** Reads a PDF: by its content type and its first bytes, since a gateway sends its own pages. */
export const readPdf: BodyReader = (body, headers) =>
	hasType(headers, 'application/pdf') && body.subarray(0, 5).toString('latin1') === '%PDF-'
		? body
		: undefined;

/** Reads a rendered document of the requested type. */
export function readText(contentType: 'text/html' | 'text/plain'): BodyReader {
	return (body, headers) => (hasType(headers, contentType) ? body.toString('utf8') : undefined);
}

function hasType(headers: Record<string, string>, type: string): boolean {
	return (headers['content-type'] ?? '').toLowerCase().startsWith(type);
}

const limits = z
	.object({
		currentLimit: z.number(),
		remaining: z.number(),
		fee: z.number(),
		minAmount: z.number(),
		perTransactionLimit: z.number().nullable(),
	})
	.passthrough();

/** Withdrawal limits with the fields that payouts are judged by; amounts in reais. */
export type WithdrawalLimits = z.infer<typeof limits>;

export const readLimits: BodyReader = (body) => limits.safeParse(readJson(body)).data;

const balance = z.object({ balance: z.object({ available: z.number() }).passthrough() });

export const readBalance: BodyReader = (body) => balance.safeParse(readJson(body)).data?.balance;

const content = z.object({ content: z.string() }).passthrough();

/** Reads `{content: string}`, the form of statements. */
export const readContent: BodyReader = (body) => content.safeParse(readJson(body)).data;

/**
 * For an endpoint whose response is not documented: the record if there is one, else any object, an
 * object without fields for an empty body, and `{response}` for a list, a single value or a text.
 */
export function readAnything(name: string): BodyReader {
	const parseRecord = readRecord(name);
	return (body, headers) => {
		const text = body.toString('utf8').trim();
		if (text === '') return {};
		const found = parseRecord(body, headers) ?? readObject(body, headers);
		return found ?? { response: readJson(body) ?? (text === 'null' ? null : text) };
	};
}
