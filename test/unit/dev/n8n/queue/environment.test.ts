import { queueEnvironment } from '../../../../../dev/n8n/queue/environment';

describe('queueEnvironment', () => {
	const environment = queueEnvironment({
		frontUrl: 'http://127.0.0.1:4000',
		postgres: { port: 4001, password: 'example-of-postgres' },
		redis: { port: 4002, password: 'example-of-redis' },
		encryptionKey: 'example-key',
		sharedFolder: '/somewhere',
	});

	it('talks to this machine only', () => {
		expect(environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: '4001',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: '4002',
			WEBHOOK_URL: 'http://127.0.0.1:4000/',
		});
	});

	it('leaves the execution of a dead worker alone for as long as the service knows a key', () => {
		expect(environment.QUEUE_WORKER_STALLED_INTERVAL).toBe('86400000');
	});
});
