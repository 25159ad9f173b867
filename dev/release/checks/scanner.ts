import { stripVTControlCharacters } from 'node:util';
import type { Finding } from '../finding';

/** A line of the scanner's report: `  12:5  error  Unexpected console statement  no-console`. */
const REPORTED = /^\s+(\d+:\d+)\s+(?:error|warning)\s+(.+)$/;

/**
 * Runs n8n's own scanner. Its command accepts published packages only, and ends with code 0 whatever
 * it finds.
 *
 * @param folder an unpacked package, or a checkout of its sources
 */
export async function scan(folder: string, what: 'sources' | 'packed'): Promise<Finding[]> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const patterns = what === 'sources' ? SOURCE_FILE_PATTERNS : undefined;
	return readReport(await analyzePackage(folder, patterns), folder);
}

/** The findings in what the scanner returns. It never returns none when the package did not pass. */
export function readReport(
	{ passed, message = '', details = '' }: { passed: boolean; message?: string; details?: string },
	folder: string,
): Finding[] {
	// "No files found to analyze" counts as passed there.
	if (passed) return message === '' ? [] : [{ place: folder, text: message }];
	const findings: Finding[] = [];
	let file = folder;
	for (const line of stripVTControlCharacters(details).split('\n')) {
		const [, position, text] = REPORTED.exec(line) ?? [];
		if (position && text) {
			findings.push({ place: `${file}:${position}`, text: text.replaceAll(/\s{2,}/g, '  ') });
		} else if (line.startsWith(folder)) {
			file = line.slice(folder.length + 1).trim();
		}
	}
	return findings.length > 0 ? findings : [{ place: folder, text: message }];
}
