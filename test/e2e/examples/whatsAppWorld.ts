import { saveCredential } from '../../../dev/n8n/rest/credentials';
import { GraphApi } from '../support/graphApi';
import { ExampleWorld } from './exampleWorld';

const ACCESS_TOKEN = 'EAA-example-access-token';
export const PHONE_NUMBER_ID = '100200300';

/** The examples, with n8n's own WhatsApp node talking to a double of Meta's API. */
export class WhatsAppWorld extends ExampleWorld {
	readonly graph = new GraphApi(ACCESS_TOKEN, PHONE_NUMBER_ID);

	override async start(): Promise<void> {
		Object.assign(this.env, await this.graph.open());
		await super.start();
		await saveCredential(this.client, {
			name: 'WhatsApp account',
			type: 'whatsAppApi',
			data: { accessToken: ACCESS_TOKEN, businessAccountId: '400500600' },
		});
	}

	override async end(): Promise<void> {
		await super.end();
		await this.graph.close();
	}
}
