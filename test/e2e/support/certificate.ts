import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generate } from 'selfsigned';

interface CertificateFiles {
	keyFile: string;
	certificateFile: string;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * A key and a certificate for this host name, good for a day, for programs that are configured to
 * trust it.
 */
export async function makeCertificate(host: string, folder: string): Promise<CertificateFiles> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY_MS),
		extensions: [
			// Its own issuer, or clients would look for an authority that vouches for it.
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
		],
	});
	const files = {
		keyFile: join(folder, `${host}.key.pem`),
		certificateFile: join(folder, `${host}.pem`),
	};
	await writeFile(files.keyFile, key, { mode: 0o600 });
	await writeFile(files.certificateFile, cert);
	return files;
}
