import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';

import { repositoryRoot } from '../../n8n/paths';

export interface PayoutRow {
	invoice: string;
	name: string;
	pixKey: string;
	amount: string;
}

/** Its columns have the names that a Brazilian list has. */
interface ListedRow {
	nota: string;
	nome: string;
	chave_pix: string;
	valor: string;
}

export const payoutFile = join(repositoryRoot, 'examples', 'payouts.csv');

/**
 * The two rows that are wrong on purpose, and what must be said about them. Without this list, a
 * demo that refuses everything would agree with empty books.
 */
export const REFUSED_ON_PURPOSE: Readonly<Record<string, RegExp>> = {
	'NF-1006': /CPF com dígito verificador errado/,
	'NF-1014': /Abaixo do valor mínimo/,
};

export function readPayouts(): PayoutRow[] {
	const rows: ListedRow[] = parse(readFileSync(payoutFile), {
		...{ delimiter: ';', columns: true, bom: true },
	});
	return rows.map(({ nota, nome, chave_pix: pixKey, valor }) => ({
		...{ invoice: nota, name: nome, pixKey, amount: valor },
	}));
}

/**
 * Centavos of an amount as written in this file. Deliberately not the node's own parser: the check
 * has to notice when that one is wrong.
 */
export function toCents(amount: string): number {
	const match = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(amount.trim());
	if (!match) throw new Error(`"${amount}" is not an amount in Brazilian notation.`);
	const [, reais = '', centavos = ''] = match;
	return Number(reais.replaceAll('.', '')) * 100 + Number(centavos.padEnd(2, '0'));
}

/** A PIX key in one spelling: without the punctuation of CPF and CNPJ, in lower case. */
export function barePixKey(pixKey: string): string {
	const bare = pixKey.trim().toLowerCase();
	const isDocument = /^[\da-z]{2,3}\.[\da-z]{3}\.[\da-z]{3}[-/]/.test(bare);
	return isDocument ? bare.replace(/[./-]/g, '') : bare;
}
