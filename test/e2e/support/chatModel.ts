import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

import { closeServer, openPort } from './localServer';

/** A tool as described to the model. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, unknown> };
}

export interface ToolCall {
	name: string;
	arguments: Record<string, unknown>;
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: OfferedTool }>;
}

/**
 * Stands in for a chat model that is reached as OpenAI's are: calls the tools that a test has planned,
 * one answer after the other, and then repeats what the last tool said.
 */
export class ChatModel {
	url = '';
	readonly requests: ChatRequest[] = [];
	private plan: ToolCall[] = [];

	private constructor(private readonly server: Server) {}

	static async start(): Promise<ChatModel> {
		const server = createServer();
		const model = new ChatModel(server);
		server.on('request', (request, response) => {
			void model.answer(request).then((answer) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify(answer));
			});
		});
		model.url = `http://127.0.0.1:${await openPort(server)}/v1`;
		return model;
	}

	/** What it will call from now on. */
	willCall(...calls: ToolCall[]): void {
		this.requests.length = 0;
		this.plan = [...calls];
	}

	get offered(): OfferedTool[] {
		return (this.requests.at(-1)?.tools ?? []).map((tool) => tool.function);
	}

	/** What the tools have returned, as the model was last shown. */
	get told(): string[] {
		const { messages = [] } = this.requests.at(-1) ?? {};
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
	}

	async close(): Promise<void> {
		await closeServer(this.server);
	}

	private async answer(request: IncomingMessage): Promise<object> {
		this.requests.push((await json(request)) as ChatRequest);
		const call = this.plan.shift();
		const id = String(this.requests.length);
		const message = call
			? { content: null, tool_calls: [{ id, type: 'function', function: toFunction(call) }] }
			: { content: this.told.at(-1) ?? 'Nothing was done.' };
		const finish_reason = call ? 'tool_calls' : 'stop';
		return {
			...{ id, object: 'chat.completion', created: 1, model: 'example-model' },
			choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

const toFunction = ({ name, arguments: given }: ToolCall) => ({
	name,
	arguments: JSON.stringify(given),
});
