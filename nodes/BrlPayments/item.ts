import { randomUUID } from 'node:crypto';
import { omit, omitBy } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { ApiCall, ApiClient } from '../shared/client/client';
import type { Environment } from '../shared/client/connection';
import { addBodyFields, type BodyField } from '../shared/input/bodyFields';
import { codesIn, hasDanglingPart, readPlainly, resolvedToNothing } from './expression';
import { isPlaceInList } from './unfitNames';
import { cleanName, ENCODING_REMEDY, hasLostCharacters } from '../shared/input/cleanText';
import { readField } from '../shared/input/field';
import { InputError } from '../shared/input/inputError';
import { standsForNoNumber } from '../shared/input/reference';
import { notText, optionalName, optionalText, toText } from '../shared/input/text';
import { FILTER_PARAMETERS } from '../shared/transport/apiAssumptions';
import type { KeyedRequest } from '../shared/client/keyed';
import type { BodyReader } from '../shared/transport/outcome';
import type { NeededScope, Scope } from '../shared/failures/failure';
import type { OrderRequest } from './orderRequest';
import { parseTimeout } from './editor/options';

type Body = ApiCall['body'];

const CHOOSES_ROWS = ['page', 'limit', ...Object.values(FILTER_PARAMETERS)];

/** What JavaScript writes for an object within a text. */
const OBJECT_IN_TEXT = '[object Object]';

const LOST_CHARACTERS = `At least one text has lost a character, such as an accent: the list was read with the wrong encoding. ${ENCODING_REMEDY}`;

/** What all items of one run of the node share. */
export interface NodeRun {
	readonly context: IExecuteFunctions;
	readonly client: ApiClient;
	/** As saved with the node, expressions as text. */
	readonly parameters: IDataObject;
	/** See `jsonOfItems`. */
	readonly json: readonly unknown[] | undefined;
	/** Resource and operation, `withdrawal.create` and the like. */
	readonly operation: string;
	/** Definitions of all that the user can set for it: they say how each parameter is read. */
	readonly fields: readonly INodeProperties[];
	/** See `OperationBase`. */
	readonly scope: NeededScope;
	readonly verificationHint?: string | undefined;
	/** Notes for the user that n8n shows next to the output; each once, however many items cause it. */
	readonly hints: Set<string>;
}

/**
 * One item of one operation: its parameters, and the calls it makes to the service. Hides what is
 * the same for all operations: options, scope, timeout, idempotency.
 */
export class ItemCall {
	private options: IDataObject | undefined;
	/** Epoch ms. */
	readonly now: () => number;
	/** What the item came with. */
	readonly inputJson: IDataObject | undefined;

	constructor(
		private readonly run: NodeRun,
		readonly itemIndex: number,
	) {
		this.now = run.client.now;
		this.inputJson = run.context.getInputData()[itemIndex]?.json;
	}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	get environment(): Environment {
		return this.run.client.connection.environment;
	}

	/** Public part of the API key. */
	get keyPrefix(): string {
		return this.run.client.connection.keyPrefix;
	}

	/** The time zone of the workflow, which dates without one are meant in. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	hint(message: string): void {
		this.run.hints.add(message);
	}

	/**
	 * A parameter of the node, with its expressions evaluated for this item, and read as its definition
	 * says.
	 * @throws InputError for a value that the field cannot have
	 */
	parameter<T = unknown>(name: string, fallback?: unknown): T {
		const value = this.evaluated(name, fallback);
		const field = this.run.fields.find((one) => one.name === name);
		if (!field || value === undefined) return value as T;
		const read = readField(field, value);
		if (read === undefined && fallback === undefined) {
			throw new InputError(`${field.displayName} is empty`, `Fill in ${field.displayName}.`);
		}
		return (read ?? fallback) as T;
	}

	/** A parameter with its expressions evaluated for this item, whatever its definition says. */
	evaluated(name: string, fallback?: unknown): unknown {
		return (
			readPlainly(this.run.parameters[name], this.run.json?.[this.itemIndex]) ??
			this.context.getNodeParameter(name, this.itemIndex, fallback)
		);
	}

	/**
	 * A parameter as it was entered, by which a person recognizes the item.
	 * @returns undefined if it is empty, or its expression fails
	 */
	entered(name: string): unknown {
		try {
			const value = this.parameter<unknown>(name, '');
			return value === '' || value === null ? undefined : value;
		} catch {
			return undefined;
		}
	}

	/**
	 * Evaluated once for each item, all options together: evaluation takes time, and the value of an
	 * option must not change in between, as an idempotency key with the current time in it would.
	 * @returns the default if the user has not set it
	 */
	option<T = unknown>(name: string): T {
		this.options ??= { ...this.defaults(), ...this.parameter<IDataObject>('options', {}) };
		return this.options[name] as T;
	}

	private defaults(): IDataObject {
		const { options = [] } = this.run.fields.find(({ name }) => name === 'options') ?? {};
		return Object.fromEntries(
			(options as INodeProperties[]).map((field) => [field.name, field.default as IDataObject]),
		);
	}

	/** A GET request. @returns what `read` returned for the response */
	async get<T = IDataObject>(path: string, read: BodyReader, query?: IDataObject): Promise<T> {
		return await this.send<T>({ method: 'GET', path, query, kind: 'read', read });
	}

	/**
	 * A GET request that prepares a write, under another scope. Parameters that the user adds are sent,
	 * except for those that could hide a row: a payout that the list does not show would be made again.
	 */
	async lookUp<T>(
		path: string,
		read: BodyReader,
		scope: Scope,
		query: IDataObject = {},
	): Promise<T> {
		const added = omit(this.additionalQueryParameters(), ...CHOOSES_ROWS);
		const call = { method: 'GET', path, query, kind: 'read', read, scope } as const;
		return await this.send<T>(call, added);
	}

	/** A write that may be repeated without doing more, and therefore has no idempotency key. */
	async repeatable<T = IDataObject>(
		method: 'POST' | 'DELETE',
		path: string,
		read: BodyReader,
		body?: Body,
	): Promise<T> {
		return await this.send<T>({ method, path, body, kind: 'repeatable', read });
	}

	/**
	 * A POST that is sent once, under a key of its own: another call is another request. Only for what
	 * moves no money, because no retry recognizes it.
	 */
	async once<T = IDataObject>(path: string, read: BodyReader, body: Body): Promise<T> {
		const idempotencyKey = randomUUID();
		const call = { method: 'POST', kind: 'single', path, body, idempotencyKey, read } as const;
		return await this.send<T>(call);
	}

	/**
	 * A text that must not be lost silently: an expression that was entered and returns nothing is refused.
	 * @param raw the parameter as saved with the node
	 */
	enteredText(raw: unknown, value: unknown, label: string, maxLength?: number): string | undefined {
		if (typeof raw === 'string' && !raw.startsWith('=') && resolvedToNothing(raw, value)) {
			throw new InputError(
				`${label} contains the text of an expression, but is not one`,
				`Switch the field ${label} to Expression, and write it like {{ $json.invoice }}.`,
			);
		}
		if (resolvedToNothing(raw, value)) {
			const isObject = typeof value === 'object' && value !== null;
			if (isObject || toText(value).includes(OBJECT_IN_TEXT)) throw notText(label);
			throw new InputError(
				`${label} is empty in this row`,
				// Not "or leave the field empty": rows that were paid under a reference would be paid again without.
				'Check the name of the field that its expression reads. If it is right, fill in that column.',
			);
		}
		return optionalText(value, label, maxLength);
	}

	/**
	 * A text by which each row is to be recognized, like `enteredText`.
	 * @throws InputError also if one of several fields that it is put together of says nothing
	 */
	enteredName(raw: unknown, value: unknown, label: string): void {
		this.enteredText(raw, value, label);
		if (isPlaceInList(raw)) {
			throw new InputError(
				`${label} is only the place of the row in its list, which another row has in the next list`,
				'Use something of the row itself, such as the invoice number, or a name and a month.',
			);
		}
		const codes = codesIn(raw);
		const empty = codes.length > 1 ? codes.find((code) => this.saysNothing(code)) : undefined;
		const isDangling = codes.length === 1 && hasDanglingPart(raw, value);
		if (empty === undefined && !isDangling) return;
		const part = empty === undefined ? 'a part of it' : `{{ ${empty.trim()} }}`;
		throw new InputError(
			`${label} is incomplete in this row: ${part} is empty, or stands for no number`,
			`Fill in the field that it reads, or remove it from the expression of ${label}: other rows could have the same one.`,
		);
	}

	/** Of a text that is put together: with `{{ $json.supplier }} {{ $json.invoice }}`, rows without a number would share one. */
	private saysNothing(code: string): boolean {
		const json = this.run.json?.[this.itemIndex];
		// For a tool, n8n evaluates expressions on what the agent says. And `{{ '-' }}` reads nothing.
		if (json === undefined || !code.includes('$')) return false;
		const expression = `{{${code}}}`;
		const value =
			readPlainly(`=${expression}`, json) ??
			this.context.evaluateExpression(expression, this.itemIndex);
		const text = cleanName(toText(value));
		return text === '' || standsForNoNumber(text);
	}

	/** The parameters as saved with the node, expressions as text. */
	get rawParameters(): IDataObject {
		return this.run.parameters;
	}

	/** The idempotency key that the user chose; empty for none. */
	get ownKey(): string {
		const given = this.option('idempotencyKey');
		if (given === undefined) return '';
		const raw = (this.rawParameters.options ?? {}) as IDataObject;
		const key = this.enteredText(raw.idempotencyKey, given, 'Idempotency Key');
		return optionalName(key, 'Idempotency Key') ?? '';
	}

	/** Descriptions and the like are sent all the same: they decide about no money. */
	hintAtLostCharacters(body: IDataObject): void {
		if (hasLostCharacters(toText(body))) this.hint(LOST_CHARACTERS);
	}

	/** Sends an order under its key: however often it is tried, it takes effect once. */
	async sendOrder(request: OrderRequest, order: KeyedRequest): Promise<IDataObject> {
		const { path, body, read, kind = 'keyed' } = request;
		return await this.send<IDataObject>({ method: 'POST', path, body, kind, order, read });
	}

	/** Waits `ms` milliseconds, or until the execution is stopped. */
	async pause(ms: number): Promise<void> {
		await this.run.client.pause(ms);
	}

	get isCancelled(): boolean {
		return this.run.client.isCancelled;
	}

	/** @param added an empty value removes a parameter that this node would send */
	private async send<T>(
		call: Omit<ApiCall, 'scope' | 'timeoutMs'> & Partial<Pick<ApiCall, 'scope'>>,
		added = this.additionalQueryParameters(),
	): Promise<T> {
		const { scope, verificationHint, client } = this.run;
		const query = omitBy({ ...call.query, ...added }, (value) => value === '');
		return await client.request<T>({
			...{ scope, verificationHint },
			...call,
			query,
			timeoutMs: parseTimeout(this.option('timeout')),
		});
	}

	/** A body with what the user adds to it. @param guarded see `addBodyFields` */
	completed(body: IDataObject, guarded: readonly string[] = []): IDataObject {
		return addBodyFields(body, this.bodyFields, guarded);
	}

	private get bodyFields(): readonly BodyField[] {
		return this.option<{ field?: BodyField[] } | undefined>('additionalBodyFields')?.field ?? [];
	}

	private additionalQueryParameters(): IDataObject {
		const { parameter = [] } =
			this.option<{ parameter?: Array<{ name: string; value: string }> }>(
				'additionalQueryParameters',
			) ?? {};
		const named = parameter.filter(({ name }) => name !== '');
		return Object.fromEntries(named.map(({ name, value }) => [name, value]));
	}
}
