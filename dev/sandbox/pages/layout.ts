import { html, Html } from './html';

export type Columns<T> = Readonly<Record<string, (row: T) => Html | string>>;

export function table<T>(columns: Columns<T>, rows: readonly T[]): Html {
	const toRow = (row: T) =>
		html`<tr>
			${Object.values(columns).map((cell) => html`<td>${cell(row)}</td>`)}
		</tr>`;
	return html`<table>
		<tr>
			${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
		</tr>
		${rows.map(toRow)}
	</table>`;
}

const STYLE = new Html(`
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.45; }
body { margin: 0; }
.notice { background: #8a4b00; color: #fff; padding: .5rem 1rem; text-align: center; }
main { max-width: 84rem; margin: 1.5rem auto; padding: 0 1rem; }
main.narrow { max-width: 28rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #8884; }
code { font-size: .85em; overflow-wrap: anywhere; }
.amount { font-size: 2rem; margin: .25rem 0; }
[role=alert] { border-left: .3rem solid #b3261e; padding: .1rem .8rem; }
button, .button { font: inherit; padding: .6rem 1rem; border-radius: .4rem; border: 1px solid #8886; cursor: pointer; }
button.primary { background: #0a6b3d; color: #fff; border-color: #0a6b3d; }
`);

/**
 * One page; `refreshSeconds` reloads it automatically, without script. What customers see is in
 * Portuguese.
 */
export function layout(
	title: string,
	content: Html,
	options: { refreshSeconds?: number; isForCustomers?: boolean } = {},
): string {
	const refresh = options.refreshSeconds
		? html`<meta http-equiv="refresh" content="${options.refreshSeconds}" />`
		: html``;
	return html`<!doctype html>
		<html lang="${options.isForCustomers ? 'pt-BR' : 'en'}">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				${refresh}
				<title>${title}</title>
				<style>
					${STYLE}
				</style>
			</head>
			<body>
				<div class="notice" role="note">
					${options.isForCustomers ? 'Emulador — nenhum dinheiro de verdade' : 'Emulator — no real money'}
				</div>
				<main class="${options.isForCustomers ? 'narrow' : 'wide'}">${content}</main>
			</body>
		</html> `.markup;
}
