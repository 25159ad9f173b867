import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** A field of the editor and where it is, such as `brlPayments.customer.email`. */
export interface Field {
	readonly place: string;
	readonly field: INodeProperties;
}

/** All fields, those inside collections included. */
export function getFields(place: string, properties: readonly INodeProperties[]): Field[] {
	return properties.flatMap((field) => {
		const path = `${place}.${field.name}`;
		return [{ place: path, field }, ...getFields(path, getInnerFields(field))];
	});
}

function getInnerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
}

/** The ways to choose a resource, of a field that offers several. */
export function getModes({ modes = [] }: INodeProperties): readonly INodePropertyMode[] {
	return modes;
}

/** Every text of a field that the editor shows. */
export function getTexts({
	displayName,
	description,
	hint,
	placeholder,
	...field
}: INodeProperties) {
	const entries = (field.options ?? []).flatMap((option) => [
		...('displayName' in option ? [option.displayName] : [option.name]),
		...('description' in option ? [option.description] : []),
		...('action' in option ? [option.action] : []),
	]);
	const modes = getModes(field as INodeProperties).flatMap((mode) => [
		mode.displayName,
		mode.hint,
		mode.placeholder,
	]);
	return [displayName, description, hint, placeholder, ...entries, ...modes].filter(
		(text) => text !== undefined,
	);
}
