import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isErrorCode, ServiceError } from '../errors';
import { storedByDefault, type FaultPlan } from '../settings/faults';
import { Overtaken, type World } from '../world';
import { json, text, type WireAnswer } from './answer';
import { toAnswer, isStored, type ProcessingFaults } from './pipeline';
import type { RecordedRequest } from './recorder';

const GATEWAY_PAGE = (status: number): string =>
	`<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${status} Bad Gateway</h1></center>\r\n<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n`;

type Process = (faults: ProcessingFaults) => Promise<WireAnswer>;

/**
 * Takes one recorded request from the fault switches through its processing to the wire. Faults that
 * lose or spoil a response do so after the effect, exactly where a real network would.
 */
export async function serve(
	world: World,
	recorded: RecordedRequest,
	request: FastifyRequest,
	reply: FastifyReply,
	process: Process,
): Promise<void> {
	const plan = world.faults.plan(recorded);
	const generation = world.generation;
	if (plan.delayMs > 0) {
		recorded.fault = 'delay';
		await world.wait(plan.delayMs);
		if (generation !== world.generation) return drop(request, reply);
	}
	const { strike } = plan;
	const error = getError(plan, recorded);
	// One that is kept strikes inside the processing, or not at all.
	const kept = error && isStored(error, world.dialect) ? error : null;
	if (strike && !kept) recorded.fault = strike.kind;
	if (strike?.kind === 'dropBefore') return drop(request, reply, strike.reset);
	if (strike?.kind === 'lateRequest') drop(request, reply, strike.reset);

	const replacement = kept ? null : getReplacement(strike, error);
	const isProcessed = strike !== null && 'process' in strike && strike.process === true;
	if (replacement && !isProcessed) return send(reply, recorded, replacement);

	const faults = processingFaults(world, plan, recorded, kept);
	const lateMs = strike?.kind === 'lateRequest' ? strike.ms : 0;
	const answer = await processLate(world, lateMs, async () => await process(faults));
	faults.finish();
	if (strike?.kind === 'lateRequest') return;
	if (!answer) return drop(request, reply);
	if (strike?.kind === 'dropAfter') return drop(request, reply, strike.reset);
	if (strike?.kind === 'lateAnswer') await world.wait(strike.ms);
	if (strike?.kind === 'truncate') return truncate(reply, recorded, answer, strike.bytes);
	return send(reply, recorded, replacement ?? answer);
}

/** @returns null where a reset came before the end */
async function processLate(
	world: World,
	lateMs: number,
	process: () => Promise<WireAnswer>,
): Promise<WireAnswer | null> {
	try {
		if (lateMs > 0) await world.hold(lateMs);
		return await process();
	} catch (error) {
		if (error instanceof Overtaken) return null;
		throw error;
	}
}

function getError(plan: FaultPlan, recorded: RecordedRequest): ServiceError | null {
	if (plan.strike?.kind !== 'error') return null;
	const { code, message, details, headers, stored } = plan.strike;
	if (!isErrorCode(code)) return null;
	const kept = stored ?? storedByDefault(code, recorded);
	return new ServiceError(code, { message, details, headers, stored: kept });
}

/** @returns what is sent in place of a response; null where the response itself is sent */
function getReplacement(
	strike: FaultPlan['strike'],
	error: ServiceError | null,
): WireAnswer | null {
	if (error) return toAnswer(error);
	if (strike?.kind === 'html') return text(strike.status, 'text/html', GATEWAY_PAGE(strike.status));
	if (strike?.kind !== 'status') return null;
	const { status, body = {}, headers } = strike;
	const isText = typeof body === 'string';
	const answer = isText ? text(status, 'text/plain', body) : json(status, body);
	Object.assign(answer.headers, headers);
	return answer;
}

/**
 * A stored error strikes inside the processing, where its response is kept. A request that does not
 * get that far (a replay, a bad key) leaves it in the queue for the next one.
 */
function processingFaults(
	world: World,
	plan: FaultPlan,
	recorded: RecordedRequest,
	error: ServiceError | null,
): ProcessingFaults & { finish(): void } {
	let due = error;
	return {
		async hold() {
			if (plan.inFlightMs === 0) return;
			recorded.fault = 'inFlight';
			await world.hold(plan.inFlightMs);
		},
		strike() {
			const thrown = due;
			due = null;
			if (!thrown) return;
			recorded.fault = 'error';
			throw thrown;
		},
		finish() {
			if (due) plan.giveBack();
		},
	};
}

function send(reply: FastifyReply, recorded: RecordedRequest, answer: WireAnswer): void {
	recorded.status = answer.status;
	void reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function drop(request: FastifyRequest, reply: FastifyReply, reset = false): void {
	reply.hijack();
	const { socket } = request.raw;
	if (reset) socket.resetAndDestroy();
	else socket.destroy();
}

function truncate(
	reply: FastifyReply,
	recorded: RecordedRequest,
	answer: WireAnswer,
	bytes: number = Math.floor(answer.body.length / 2),
): void {
	recorded.status = answer.status;
	reply.hijack();
	const raw: ServerResponse = reply.raw;
	raw.writeHead(answer.status, {
		...answer.headers,
		'content-length': String(answer.body.length),
	});
	raw.flushHeaders();
	// An orderly end of the connection, so that the bytes that were sent do arrive.
	raw.write(answer.body.subarray(0, bytes), () => raw.socket?.end());
}
