import { n8nEnvironment } from '../../../../../dev/n8n/process/environment';

test("n8n's environment keeps the user's own n8n settings out, and listens on this machine only", () => {
	process.env.DB_TYPE = 'postgresdb';
	process.env.N8N_ENCRYPTION_KEY = 'of another n8n';
	try {
		const env = n8nEnvironment({ userFolder: '/somewhere', port: 5000, brokerPort: 5001 });
		expect(env).not.toHaveProperty('DB_TYPE');
		expect(env).not.toHaveProperty('N8N_ENCRYPTION_KEY');
		expect(env).toMatchObject({
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
			N8N_USER_FOLDER: '/somewhere',
		});
	} finally {
		delete process.env.DB_TYPE;
		delete process.env.N8N_ENCRYPTION_KEY;
	}
});
