import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { interruption, runMain, wholeNumber } from '../cli/command';
import { parseDialect, startSandbox, type Dialect } from './index';

function dialect(text: string): Dialect {
	try {
		return parseDialect(text);
	} catch (error) {
		throw new InvalidArgumentError((error as Error).message);
	}
}

async function main(): Promise<void> {
	const options = new Command('npm run sandbox --')
		.description('An emulator of the payment service, on 127.0.0.1, for development.')
		.option('--port <port>', 'port to listen on; 0 for any free port', wholeNumber(0, 65_535), 4010)
		.option(
			'--dialect <choices>',
			'behavior where the API description is silent, such as listOrder=oldestFirst, or opposite',
			dialect,
		)
		.parse()
		.opts<{ port: number; dialect?: Dialect }>();
	const sandbox = await startSandbox(options);
	const customer = sandbox.seed.customer({ externalId: 'customer-1' });
	console.log(`An emulator for development: no real money.

Service      ${sandbox.url}
Dashboard    ${sandbox.url}/
Test key     ${sandbox.keys.test}
Live key     ${sandbox.keys.live}
Customer     ${customer.customerId} (externalId customer-1)

Ctrl+C stops it.`);
	await once(interruption(), 'abort');
	await sandbox.close();
}

runMain(main);
