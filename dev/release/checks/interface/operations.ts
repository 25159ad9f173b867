import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { unless, type Finding } from '../../finding';
import { hasForeignLetters, isSentence, isSentenceCase, isTitleCase } from './text';

/** The lists of resources and operations, and what goes with some operations. */
export function checkOperations({ name, properties }: INodeTypeDescription): Finding[] {
	const lists = properties.filter((field) => ['resource', 'operation'].includes(field.name));
	return lists.flatMap((list) => {
		const [shownFor] = list.displayOptions?.show?.resource ?? [];
		const resource = typeof shownFor === 'string' ? shownFor : undefined;
		return [
			...unless(list.noDataExpression === true, `${name}.${list.name}`, 'takes an expression'),
			...(list.options as INodePropertyOptions[]).flatMap((option) => {
				const place = [name, resource, option.value].filter(Boolean).join('.');
				return [
					...unless(isTitleCase(option.name), place, `"${option.name}" is not in Title Case`),
					...(resource ? checkOperation(place, option) : []),
					...(resource && option.value === 'getAll'
						? checkGetMany(place, option.name, fieldsFor(resource, option.value, properties))
						: []),
				];
			}),
		];
	});
}

function fieldsFor(
	resource: string,
	operation: string,
	properties: readonly INodeProperties[],
): INodeProperties[] {
	return properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.operation?.includes(operation) && show.resource?.includes(resource),
	);
}

function checkOperation(
	place: string,
	{ action = '', description = '' }: INodePropertyOptions,
): Finding[] {
	return [
		...unless(isSentenceCase(action), place, 'has no action, or not one in sentence case'),
		...unless(!/\b(a|an|the)\b/i.test(action), place, `the action "${action}" holds an article`),
		...unless(isSentence(description), place, 'has no description'),
		...unless(![action, description].some(hasForeignLetters), place, 'is not described in English'),
	];
}

function checkGetMany(place: string, name: string, fields: readonly INodeProperties[]): Finding[] {
	const returnAll = fields.find((field) => field.name === 'returnAll');
	const limit = fields.find((field) => field.name === 'limit');
	return [
		...unless(name === 'Get Many', place, `is called "${name}", not "Get Many"`),
		...unless(returnAll?.default === false, place, 'lacks Return All, or returns all by default'),
		...unless(
			limit?.default === 50 && limit.typeOptions?.minValue === 1,
			place,
			'lacks Limit, from 1 and with 50 as the default',
		),
	];
}
