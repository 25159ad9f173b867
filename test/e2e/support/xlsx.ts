import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { N8nHost } from '../../../dev/n8n/install/install';

/** Cells by their address; `z` is how a number is shown. */
type Sheet = Record<string, { v: string | number; z?: string }>;

interface Book {
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
