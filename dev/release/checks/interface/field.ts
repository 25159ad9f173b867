import { unless, type Finding } from '../../finding';
import { getModes, getTexts, type Field } from './fields';
import { hasForeignLetters, isSentence, isTitleCase } from './text';

/** Their placeholder is the label of a button, such as `Add Field`. */
const WITH_A_BUTTON = ['collection', 'fixedCollection', 'multiOptions', 'resourceLocator'];

export function checkField({ place, field }: Field): Finding[] {
	const { type, displayName, description } = field;
	return [
		...unless(
			// A notice is a separate text.
			type === 'notice' || isTitleCase(displayName),
			place,
			`the label "${displayName}" is not in Title Case`,
		),
		...unless(
			description === undefined || isSentence(description),
			place,
			'the description does not begin like a sentence',
		),
		...unless(
			type !== 'boolean' || description?.startsWith('Whether ') === true,
			place,
			'the description of a switch does not begin with "Whether"',
		),
		...checkPlaceholders(place, field),
		...getTexts(field)
			.filter(hasForeignLetters)
			.map((text) => ({ place, text: `"${text}" is not English` })),
		...checkResourceLocator(place, field),
	];
}

function checkPlaceholders(place: string, field: Field['field']): Finding[] {
	const shown = [
		...(WITH_A_BUTTON.includes(field.type) ? [] : [field.placeholder]),
		...getModes(field)
			.filter(({ type }) => type !== 'list')
			.map(({ placeholder }) => placeholder),
	];
	return shown
		.filter((text) => text !== undefined && text !== '' && !text.startsWith('e.g. '))
		.map((text) => ({ place, text: `the placeholder "${text}" does not begin with "e.g."` }));
}

function checkResourceLocator(place: string, field: Field['field']): Finding[] {
	if (field.type !== 'resourceLocator') return [];
	const chosen = (field.default as { mode?: string }).mode;
	const [first] = getModes(field);
	return unless(
		first?.type === 'list' && chosen === first.name,
		place,
		'does not offer a list first',
	);
}
