import { n8nEnvironment } from '../../../../../dev/n8n/process/environment';

describe('n8nEnvironment', () => {
	const make = (extra?: NodeJS.ProcessEnv) =>
		n8nEnvironment({ userFolder: '/somewhere', port: 5000, brokerPort: 5001, extra });

	it("keeps the user's own n8n settings out", () => {
		process.env.DB_TYPE = 'postgresdb';
		process.env.N8N_ENCRYPTION_KEY = 'of another n8n';
		try {
			expect(make()).not.toHaveProperty('DB_TYPE');
			expect(make()).not.toHaveProperty('N8N_ENCRYPTION_KEY');
		} finally {
			delete process.env.DB_TYPE;
			delete process.env.N8N_ENCRYPTION_KEY;
		}
	});

	it('listens on this machine only, and stores files on disk', () => {
		expect(make()).toMatchObject({
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: '5000',
			N8N_RUNNERS_BROKER_PORT: '5001',
			N8N_USER_FOLDER: '/somewhere',
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		});
	});
});
