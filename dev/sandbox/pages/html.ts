import { escape } from 'lodash';

/** Markup that is safe to insert as it is. */
export class Html {
	constructor(readonly markup: string) {}
}

type Value = Html | readonly Html[] | string | number;

/** Template tag: every value is escaped unless it was itself made by this tag. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
	const render = (value: Value): string => {
		if (value instanceof Html) return value.markup;
		if (typeof value === 'object') return value.map((part) => part.markup).join('');
		return escape(String(value));
	};
	return new Html(
		strings.reduce((text, part, index) => text + render(values[index - 1] ?? '') + part),
	);
}
