import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { brazilianDateTime } from '../values/time';
import {
	ENCODINGS,
	HASHES,
	LAYOUTS,
	TIMESTAMPS,
	VALUE_FORMS,
	WEBHOOK_EVENTS,
	type Attempt,
	type Delivery,
	type Endpoint,
	type EndpointSettings,
} from '../webhooks';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout } from './layout';

const SHOWN = 100;

/** What the page says once, after a button was pressed. */
interface Notice {
	text: string;
	secret?: string;
}

const registration = z.object({
	url: z.string().trim(),
	// One checked box arrives as a text, several as a list.
	events: z.union([z.array(z.string()), z.string().transform((event) => [event])]).optional(),
	secret: z.string().trim().default(''),
	hash: z.enum(HASHES),
	layout: z.enum(LAYOUTS),
	customLayout: z.string().default(''),
	encoding: z.enum(ENCODINGS),
	value: z.enum(VALUE_FORMS),
	timestamp: z.enum(TIMESTAMPS),
});
const endpointAction = z.object({ action: z.enum(['test', 'reactivate', 'rotate', 'delete']) });
const deliveryAction = z.object({ action: z.enum(['replay', 'resend']) });

function select(name: string, label: string, values: readonly string[], chosen: string): Html {
	return html`<label
		>${label}
		<select name="${name}">
			${values.map(
				(value) =>
					html`<option value="${value}" ${value === chosen ? html` selected` : html``}>
						${value}
					</option> `,
			)}
		</select></label
	> `;
}

function registrationForm(): Html {
	return html`<form method="post" action="/webhooks" id="register">
		<fieldset>
			<legend>Register an endpoint</legend>
			<label
				>URL on this machine
				<input
					type="url"
					name="url"
					size="60"
					required
					placeholder="http://127.0.0.1:5678/webhook/…"
			/></label>
			<label
				>Secret (empty: generated) <input type="text" name="secret" size="40" autocomplete="off"
			/></label>
			<fieldset class="columns">
				<legend>Events</legend>
				${WEBHOOK_EVENTS.map(
					(event) =>
						html`<label
							><input type="checkbox" name="events" value="${event}" checked /> ${event}</label
						> `,
				)}
			</fieldset>
			<fieldset class="columns">
				<legend>Signature</legend>
				${select('hash', 'Hash', HASHES, 'sha256')} ${select('layout', 'Layout', LAYOUTS, 'dot')}
				<label
					>Layout of your own
					<input type="text" name="customLayout" placeholder="{timestamp}.{body}" />
				</label>
				${select('encoding', 'Encoding', ENCODINGS, 'hex')}
				${select('value', 'Value', VALUE_FORMS, 'v1=')}
				${select('timestamp', 'Timestamp', TIMESTAMPS, 's')}
			</fieldset>
			<button class="primary">Register</button>
		</fieldset>
	</form>`;
}

function button(action: string, label: string): Html {
	return html`<button name="action" value="${action}">${label}</button> `;
}

function endpointRow(endpoint: Endpoint): Html {
	const { id, scheme } = endpoint;
	const all = endpoint.events.length === WEBHOOK_EVENTS.length;
	const buttons = {
		ACTIVE: html`${button('test', 'Send test')}`,
		SUSPENDED: html`${button('reactivate', 'Reactivate')}`,
	};
	return html`<tr>
		<td><code>${endpoint.url}</code></td>
		<td>${all ? 'All' : endpoint.events.join(', ')}</td>
		<td>
			${scheme.hash}, <code>${scheme.layout}</code>, ${scheme.encoding},
			<code>${scheme.value}</code>, ${scheme.timestamp}
		</td>
		<td>${endpoint.status}</td>
		<td>${endpoint.circuit}</td>
		<td class="number">${endpoint.consecutiveFailures}</td>
		<td>
			${
				endpoint.status === 'DELETED'
					? html``
					: html`<form method="post" action="/webhooks/endpoints/${id}">
							${buttons[endpoint.status]} ${button('rotate', 'Rotate secret')}
							${button('delete', 'Delete')}
						</form>`
			}
		</td>
	</tr> `;
}

function attemptLine(attempt: Attempt): Html {
	return html`<li>
		${brazilianDateTime(attempt.at)}: ${attempt.status ?? attempt.error ?? ''},
		${attempt.durationMs} ms
		${attempt.answer === undefined ? html`` : html`<code>${attempt.answer}</code>`}
	</li> `;
}

function lastAnswer({ attempts }: Delivery): string | number {
	const last = attempts.at(-1);
	return last ? (last.status ?? last.error ?? '') : '';
}

function deliveryRow(delivery: Delivery, active: boolean): Html {
	const mayRepeat = active && !['test', 'probe'].includes(delivery.kind);
	return html`<tr>
		<td>${brazilianDateTime(delivery.createdAt)}</td>
		<td>${delivery.event}</td>
		<td>${delivery.kind}</td>
		<td>
			<details>
				<summary><code>${delivery.id}</code></summary>
				<pre>${delivery.body}</pre>
			</details>
		</td>
		<td>${delivery.status}</td>
		<td>
			<details>
				<summary>${delivery.attempts.length}: ${lastAnswer(delivery)}</summary>
				<ol>
					${delivery.attempts.map(attemptLine)}
				</ol>
			</details>
		</td>
		<td>${delivery.nextAttemptAt === null ? '' : brazilianDateTime(delivery.nextAttemptAt)}</td>
		<td>
			${
				mayRepeat
					? html`<form method="post" action="/webhooks/deliveries/${delivery.id}">
							${button('replay', 'Replay')} ${button('resend', 'Resend')}
						</form>`
					: html``
			}
		</td>
	</tr> `;
}

function noticeBlock(notice: Notice | undefined, role: 'status' | 'alert'): Html {
	if (!notice) return html``;
	return html`<div role="${role}">
		<p>${notice.text}</p>
		${
			notice.secret === undefined
				? html``
				: html`<p>The signing secret, shown only now: <code id="secret">${notice.secret}</code></p>`
		}
	</div>`;
}

function page(world: World, notice?: Notice, role: 'status' | 'alert' = 'status'): string {
	const { endpoints, deliveries } = world.webhooks;
	const active = new Set(endpoints.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
	const newest = deliveries.slice(-SHOWN).reverse();
	return layout(
		'Webhooks',
		html`<h1>Webhooks</h1>
			<p>
				<a href="/">Dashboard</a> · <a href="/webhooks">Refresh</a> · Only activity with a live key
				sends webhooks.
			</p>
			${noticeBlock(notice, role)}
			<h2>Endpoints</h2>
			<div class="scroll">
				<table id="endpoints">
					<thead>
						<tr>
							<th>URL</th>
							<th>Events</th>
							<th>Signature</th>
							<th>Status</th>
							<th>Circuit</th>
							<th>Failures in a row</th>
							<th></th>
						</tr>
					</thead>
					<tbody>
						${endpoints.map(endpointRow)}
					</tbody>
				</table>
			</div>
			${registrationForm()}
			<h2>Deliveries</h2>
			<div class="scroll">
				<table id="deliveries">
					<thead>
						<tr>
							<th>Created (Brasília)</th>
							<th>Event</th>
							<th>Kind</th>
							<th>Delivery id</th>
							<th>Status</th>
							<th>Attempts</th>
							<th>Next attempt</th>
							<th></th>
						</tr>
					</thead>
					<tbody>
						${newest.map((delivery) => deliveryRow(delivery, active.has(delivery.endpointId)))}
					</tbody>
				</table>
			</div> `,
	);
}

function toSettings(form: z.output<typeof registration>): EndpointSettings {
	const { hash, encoding, value, timestamp } = form;
	const layoutName = form.customLayout.trim() === '' ? form.layout : form.customLayout;
	return {
		url: form.url,
		events: form.events ?? [],
		...(form.secret === '' ? {} : { secret: form.secret }),
		scheme: { hash, encoding, value, timestamp, layout: layoutName },
	};
}

/** What went wrong, in words: the details of a validation name the field. */
function describeProblem(error: ServiceError): string {
	const details = Object.values(error.details ?? {}).filter((text) => typeof text === 'string');
	return details.length > 0 ? details.join(' ') : error.message;
}

async function onEndpoint(
	world: World,
	id: string,
	action: z.output<typeof endpointAction>['action'],
): Promise<Notice> {
	const { webhooks } = world;
	switch (action) {
		case 'test':
			return { text: `The test ${webhooks.sendTest(id).id} is on its way.` };
		case 'rotate':
			return { text: 'The old secret is void.', secret: webhooks.rotateSecret(id) };
		case 'delete':
			webhooks.remove(id);
			return { text: 'The endpoint is deleted.' };
		case 'reactivate': {
			const result = await webhooks.reactivate(id);
			if (result.ok) return { text: 'The endpoint answered and is active again.' };
			const observed = result.observedStatus === null ? 'no answer' : result.observedStatus;
			return { text: `${result.code}: ${observed}. The endpoint stays suspended.` };
		}
	}
}

/** Another site must not press a button here: browsers name the page that a form is sent from. */
function isForeign({ headers }: FastifyRequest): boolean {
	return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

type ById = { Params: { id: string } };

/** GET /webhooks, and the forms on it. */
export function registerWebhookPage(app: FastifyInstance, world: World): void {
	/** Secrets must not be in an address, so a redirect carries only the name of its notice. */
	const notices = new Map<string, Notice>();

	const show = (reply: FastifyReply, status: number, markup: string): FastifyReply =>
		reply
			.code(status)
			.header('cache-control', 'no-store')
			.type('text/html; charset=utf-8')
			.send(markup);

	const act = async (
		request: FastifyRequest,
		reply: FastifyReply,
		action: () => Notice | Promise<Notice>,
	): Promise<FastifyReply> => {
		if (isForeign(request)) {
			return show(reply, 403, page(world, { text: 'This form is not from here.' }, 'alert'));
		}
		try {
			const name = randomUUID();
			notices.set(name, await action());
			// Redirected, so that reloading the page does not do it again.
			return reply.redirect(`/webhooks?notice=${name}`, 303);
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			return show(reply, error.status, page(world, { text: describeProblem(error) }, 'alert'));
		}
	};

	const parse = <S extends z.ZodTypeAny>(schema: S, request: FastifyRequest): z.output<S> => {
		const parsed = schema.safeParse(request.body);
		if (parsed.success) return parsed.data as z.output<S>;
		throw new ServiceError('VALIDATION_ERROR', { message: 'The form is incomplete.' });
	};

	app.get<{ Querystring: { notice?: unknown } }>('/webhooks', async (request, reply) => {
		const name = String(request.query.notice);
		const notice = notices.get(name);
		notices.delete(name);
		return show(reply, 200, page(world, notice));
	});
	app.post('/webhooks', (request, reply) =>
		act(request, reply, () => {
			const { secret } = world.webhooks.register(toSettings(parse(registration, request)));
			return { text: 'The endpoint is registered.', secret };
		}),
	);
	app.post<ById>('/webhooks/endpoints/:id', (request, reply) =>
		act(request, reply, () =>
			onEndpoint(world, request.params.id, parse(endpointAction, request).action),
		),
	);
	app.post<ById>('/webhooks/deliveries/:id', (request, reply) =>
		act(request, reply, () => {
			const { action } = parse(deliveryAction, request);
			const { id } = world.webhooks[action](request.params.id);
			return { text: `Sent again as ${id}.` };
		}),
	);
}
