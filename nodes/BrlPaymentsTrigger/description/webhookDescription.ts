import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

/**
 * Where n8n looks, since 2.40, for functions that compute fields of a webhook description without its
 * expression engine. Earlier versions ignore it.
 */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

/** n8n registers no webhook without a method. Evaluated for each request that arrives. */
const HTTP_METHOD = {
	template: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
	resolve: ({ receiveBy }: INodeParameters) => (receiveBy === 'polling' ? '' : 'POST'),
};

export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: HTTP_METHOD.template,
	ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
	responseMode: 'onReceived',
	path: 'webhook',
	// With N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE, n8n makes an isolate for the first expression that it
	// evaluates, which costs more than the rest of a delivery.
	[RESOLVERS]: { httpMethod: HTTP_METHOD },
};
