import { filesFolder } from '../process/environment';
import { postgresEnvironment } from './postgres';
import { makeSecret, type Server } from './server';

/**
 * What turns the processes of one n8n into a cluster; the same for each of them.
 * @param frontUrl the address under which the world reaches the production URLs
 */
export function queueEnvironment(
	frontUrl: string,
	postgres: Server,
	redis: Server,
	sharedFolder: string,
): NodeJS.ProcessEnv {
	return {
		EXECUTIONS_MODE: 'queue',
		// "Execute workflow" in the editor runs on the workers too.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		WEBHOOK_URL: `${frontUrl}/`,
		N8N_PROXY_HOPS: '1',
		// With it, every process reads the credentials that another one has saved.
		N8N_ENCRYPTION_KEY: makeSecret(),
		...postgresEnvironment(postgres),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_BULL_REDIS_PASSWORD: redis.password,
		// With the default, n8n throws away the data of an execution some 90 s after its worker was killed,
		// and a retry does nothing. A day is how long the service knows an idempotency key.
		QUEUE_WORKER_STALLED_INTERVAL: String(24 * 60 * 60 * 1000),
		// The default of queue mode: what one process writes, another one reads.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder(sharedFolder),
	};
}
