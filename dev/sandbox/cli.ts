import { Command, InvalidArgumentError } from 'commander';
import { parseDialect, startSandbox, type Dialect } from './index';

function number(minimum: number, maximum: number) {
	return (text: string): number => {
		const value = Number(text);
		if (text.trim() !== '' && value >= minimum && value <= maximum) return value;
		throw new InvalidArgumentError(`Must be between ${minimum} and ${maximum}.`);
	};
}

function dialect(text: string): { spoken: string; dialect: Dialect } {
	try {
		return { spoken: text, dialect: parseDialect(text) };
	} catch (error) {
		throw new InvalidArgumentError((error as Error).message);
	}
}

interface Options {
	port: number;
	speed: number;
	rateLimit?: number;
	dialect?: { spoken: string; dialect: Dialect };
	webhook?: string;
	log: boolean;
}

async function main(options: Options): Promise<void> {
	const sandbox = await startSandbox({
		port: options.port,
		speed: options.speed,
		logger: options.log,
		...(options.dialect && { dialect: options.dialect.dialect }),
		...(options.rateLimit === undefined
			? {}
			: { account: { rateLimitPerMinute: options.rateLimit } }),
	});
	const customer = sandbox.seed.customer({ externalId: 'customer-1' });
	const endpoint = options.webhook && sandbox.webhooks.register({ url: options.webhook });
	console.log(
		[
			'An emulator for development: no real money.',
			'',
			`Service      ${sandbox.url}`,
			`Dashboard    ${sandbox.url}/`,
			`Test key     ${sandbox.keys.test}`,
			`Live key     ${sandbox.keys.live}`,
			`Customer     ${customer.customerId} (externalId customer-1)`,
			...(endpoint ? [`Webhook      ${endpoint.url}, signed with ${endpoint.secret}`] : []),
			...(options.dialect ? [`Dialect      ${options.dialect.spoken}`] : []),
			'',
			'Ctrl+C stops it.',
		].join('\n'),
	);
	let stopping = false;
	const stop = (): void => {
		if (stopping) return;
		stopping = true;
		void sandbox.close();
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

const program = new Command()
	.name('sandbox')
	.description('An emulator of the payment service, on 127.0.0.1, for development.')
	.option('-p, --port <port>', 'port to listen on; 0 for any free port', number(0, 65_535), 4010)
	.option(
		'-s, --speed <factor>',
		'speed of time; 10: the 5 s delay takes 0.5 s',
		number(0.001, 1_000_000),
		1,
	)
	.option('--rate-limit <perMinute>', 'requests per minute and key', number(1, 1_000_000_000))
	.option(
		'--dialect <choices>',
		'behavior where the API description is silent, such as listOrder=oldestFirst, or opposite',
		dialect,
	)
	.option('--webhook <url>', 'address on this machine that gets the events of the live key')
	.option('--log', 'log every request', false)
	.action(async (options: Options) => {
		await main(options);
	});

program.parseAsync().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
