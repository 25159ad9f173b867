import { chown, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tryCommand } from '../process/runCommand';
import type { SystemUser } from '../process/processGroup';

export interface PostgresHome {
	folder: string;
	/** The user who owns the folder; absent where that is the user of this process. */
	user?: SystemUser;
}

/** Kept over a restart of the machine, and open to every account. */
const SHARED = '/var/tmp';

/** Accounts that PostgreSQL may run as when it is started by root, the first one that there is. */
const ACCOUNTS = ['postgres', 'nobody'];

async function readId(account: string, option: '-u' | '-g'): Promise<number | undefined> {
	const { code, output } = await tryCommand('id', [option, account], { cwd: SHARED });
	return code === 0 ? Number(output.trim()) : undefined;
}

async function findAccount(): Promise<SystemUser> {
	for (const account of ACCOUNTS) {
		const uid = await readId(account, '-u');
		const gid = await readId(account, '-g');
		if (uid !== undefined && gid !== undefined) return { uid, gid };
	}
	throw new Error(
		`PostgreSQL does not run as root, and there is no account ${ACCOUNTS.join(' or ')}.`,
	);
}

async function isOwnedBy(path: string, { uid }: SystemUser): Promise<boolean> {
	const stats = await stat(path).catch(() => undefined);
	return stats?.isDirectory() === true && stats.uid === uid;
}

/**
 * The same home at every call for the same `folder`, made where there is none.
 *
 * PostgreSQL refuses to run as root, and another account cannot enter the folders of root. There,
 * its data are in a folder of a random name outside, which a file in `folder` names.
 */
export async function keepPostgresHome(folder: string): Promise<PostgresHome> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	if (process.getuid?.() !== 0) return { folder };
	const user = await findAccount();
	const note = join(folder, 'elsewhere');
	const noted = await readFile(note, 'utf8').catch(() => '');
	if (noted !== '' && (await isOwnedBy(noted, user))) return { folder: noted, user };
	const outside = await mkdtemp(join(SHARED, 'brl-payments-postgres-'));
	await chown(outside, user.uid, user.gid);
	await writeFile(note, outside, { mode: 0o600 });
	return { folder: outside, user };
}
