import { html } from '../pages/html';
import { layout } from '../pages/layout';

export type Format = 'html' | 'text';

/** A document in the format that was asked for. @param lines its content, in Portuguese */
export function render(format: Format, title: string, lines: readonly string[]): string {
	const heading = `${title} (emulador, nenhum dinheiro de verdade)`;
	if (format === 'text') return [heading, '', ...lines, ''].join('\n');
	const content = html`<h1>${heading}</h1>
		${lines.map((line) => html`<p>${line}</p> `)}`;
	return layout(heading, content, { isForCustomers: true });
}
