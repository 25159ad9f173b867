import { npmEnvironment } from '../../../../../dev/n8n/install/npm';

describe('npmEnvironment', () => {
	it('leaves out what npm says of this project, and keeps how npm is configured', () => {
		expect(
			npmEnvironment({
				npm_package_name: 'x',
				npm_lifecycle_event: 'demo',
				npm_config_local_prefix: '/x',
				npm_config_cache: '/c',
				INIT_CWD: '/x',
				PATH: '/bin',
			}),
		).toEqual({ npm_config_cache: '/c', PATH: '/bin' });
	});
});
