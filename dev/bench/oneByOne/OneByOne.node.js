'use strict';

/**
 * What most nodes that pay do: one request after the other, each awaited, through n8n's own helper.
 * Loaded by the n8n of the bench alone.
 */
class OneByOne {
	description = {
		displayName: 'One By One',
		name: 'oneByOne',
		group: ['transform'],
		version: 1,
		description: 'Sends one withdrawal after the other',
		defaults: { name: 'One By One' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'brlPaymentsApi', required: true }],
		properties: ['url', 'amount', 'pixKey', 'description', 'idempotencyKey'].map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: '',
		})),
	};

	async execute() {
		const results = [];
		for (let item = 0; item < this.getInputData().length; item += 1) {
			const json = await this.helpers.httpRequestWithAuthentication.call(this, 'brlPaymentsApi', {
				method: 'POST',
				url: this.getNodeParameter('url', item),
				headers: { 'X-Idempotency-Key': this.getNodeParameter('idempotencyKey', item) },
				body: {
					amount: this.getNodeParameter('amount', item),
					destination: { pixKey: this.getNodeParameter('pixKey', item) },
					description: this.getNodeParameter('description', item),
				},
				json: true,
			});
			results.push({ json, pairedItem: { item } });
		}
		return [results];
	}
}

module.exports = { OneByOne };
