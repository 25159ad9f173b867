import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../errors';
import { WEBHOOK_EVENTS, type Endpoint } from '../webhooks';
import type { World } from '../world';
import { html } from './html';
import { layout, table } from './layout';

const PATH = '/settings/webhooks';

function page({ webhooks }: World, problem = ''): string {
	const lastDelivery = ({ id }: Endpoint): string => {
		const last = webhooks.deliveries.findLast(({ endpointId }) => endpointId === id);
		if (!last) return 'none yet';
		const status = last.attempts.at(-1)?.status ?? 'no response';
		return last.attempts.length === 0 ? `${last.event}: pending` : `${last.event}: ${status}`;
	};
	return layout(
		'Settings > Webhooks',
		html`<h1>Settings > Webhooks</h1>
			<p><a href="/">Payments and withdrawals</a></p>
			<p>
				Enter the Production URL of a published BRL Payments Trigger. Copy the signing secret into
				its credential. Then press Send test: 200 means that the trigger accepted it. Events are
				sent for payments and withdrawals of the live key.
			</p>
			${problem === '' ? html`` : html`<p role="alert">${problem}</p>`}
			<form method="post" action="${PATH}">
				<input name="url" size="70" placeholder="http://localhost:5678/webhook/…" required />
				<button class="primary">Add endpoint</button>
			</form>
			${table<Endpoint>(
				{
					Address: ({ url }) => html`<code>${url}</code>`,
					'Signing secret': ({ secret }) => html`<code>${secret}</code>`,
					Events: ({ events }) =>
						events.length === WEBHOOK_EVENTS.length ? 'all' : events.join(', '),
					'Last delivery': lastDelivery,
					'': ({ id }) =>
						html`<form method="post">
							<button formaction="${PATH}/${id}/test">Send test</button>
							<button formaction="${PATH}/${id}/remove">Remove</button>
						</form>`,
				},
				webhooks.endpoints,
			)}`,
	);
}

/** What the dashboard of the service has under Settings > Webhooks. */
export function registerWebhookSettings(app: FastifyInstance, world: World): void {
	const send = (reply: FastifyReply, status: number, problem?: string): FastifyReply =>
		reply.code(status).type('text/html; charset=utf-8').send(page(world, problem));
	/** Redirected, so that reloading the page does not do it again. */
	const attempt = async (reply: FastifyReply, work: () => unknown): Promise<FastifyReply> => {
		try {
			await work();
			return await reply.redirect(PATH, 303);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			return send(reply, error.status, Object.values(error.details ?? {}).join() || error.message);
		}
	};

	app.get(PATH, async (_request, reply) => send(reply, 200));
	app.post<{ Body: { url?: string } }>(PATH, async ({ body: { url = '' } }, reply) =>
		attempt(reply, () => world.webhooks.register({ url })),
	);
	app.post<{ Params: { id: string } }>(`${PATH}/:id/test`, async ({ params }, reply) =>
		attempt(reply, () => world.webhooks.sendTest(params.id)),
	);
	app.post<{ Params: { id: string } }>(`${PATH}/:id/remove`, async ({ params }, reply) =>
		attempt(reply, () => world.webhooks.remove(params.id)),
	);
}
