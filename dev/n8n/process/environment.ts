import { join } from 'node:path';

interface EnvironmentOptions {
	/** n8n keeps all its own data in `<userFolder>/.n8n`. */
	userFolder: string;
	port: number;
	/** n8n's task broker listens here, for the process that runs Code nodes. */
	brokerPort: number;
	extra?: NodeJS.ProcessEnv;
}

/** The folder that file nodes may read: the name is n8n's own default, below the user folder. */
export function filesFolder(userFolder: string): string {
	return join(userFolder, '.n8n-files');
}

/** Variables of the machine that a program needs; everything else stays outside. */
const PASSED_ON = [
	'PATH',
	'HOME',
	'LANG',
	'LC_ALL',
	'TMPDIR',
	'SSL_CERT_FILE',
	'NODE_EXTRA_CA_CERTS',
];

/**
 * The environment of an n8n that talks to this machine only. Nothing that decides how workflows
 * run, what is saved of them and how a crash is recovered is touched: those are n8n's defaults.
 */
export function n8nEnvironment(options: EnvironmentOptions): NodeJS.ProcessEnv {
	const { userFolder, port, brokerPort, extra } = options;
	// Not the whole environment: an N8N_* or DB_* variable of the user's own n8n would take effect.
	const passedOn = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
	return {
		...passedOn,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_PROTOCOL: 'http',
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		// A worker has no other server than the one that says whether it is ready.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		// Plain http on loopback: a browser would not send back a cookie marked as secure.
		N8N_SECURE_COOKIE: 'false',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder(userFolder),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		// The list of verified community packages comes over the internet; installed ones load as ever.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LOG_FORMAT: 'text',
		GENERIC_TIMEZONE: 'America/Sao_Paulo',
		...extra,
	};
}
