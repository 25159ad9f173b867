import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { N8nHost } from '../../../dev/n8n/install/install';

/** A cell: `t` is `s` for text and `n` for a number, `f` its formula, `z` how the number is shown. */
export interface Cell {
	t: string;
	v: string | number;
	f?: string;
	z?: string;
}

export type Sheet = Record<string, Cell>;

export interface Book {
	SheetNames: string[];
	Sheets: Record<string, Sheet>;
}

/** The part of n8n's own library for spreadsheets that tests use. */
export interface Xlsx {
	read(file: Buffer): Book;
	write(book: Book, options: { bookType: string; type: 'buffer' }): Buffer;
	utils: {
		aoa_to_sheet(rows: unknown[][]): Sheet;
		sheet_to_json(sheet: Sheet, options?: { defval?: unknown }): IDataObject[];
	};
}

/** The library as the installed n8n has it. */
export function loadXlsx({ folder }: N8nHost): Xlsx {
	return createRequire(join(folder, 'package.json'))('@e965/xlsx') as Xlsx;
}
