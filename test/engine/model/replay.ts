/**
 * Plays a script of the model checker (test/model/story.ts) against n8n's engine and the emulated
 * service, step by step: what the model has found is to happen to money, too.
 */
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import type { Conclusion } from '../../../nodes/BrlPayments/ledger/protocol';
import { tellStep, type Script } from '../../model/story';
import { CALM } from '../../model/suite';
import { accountOf, TICK_MS, type Bounds, type Machine, type Step } from '../../model/world';
import { dataTables, useClock } from '../support/ledger';
import { CONTINUE, payReferenced, type PayoutBench } from '../support/references';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';
import { People } from './people';
import { findViolations, readSaid, type Moment, type Said, type Told } from './said';
import { Deviation, itemOf, Service, type Account, type Booked } from './service';
import { Stage, type Actor } from './stage';

export interface Replayed {
	/** One for each step that was played, and why it ended. */
	readonly lines: readonly string[];
	/** Why the engine went another way than the script, and in which step; undefined where it did not. */
	readonly deviation: { readonly step: number; readonly why: string } | undefined;
	readonly books: readonly Booked[];
	/** In the order in which it was decided. */
	readonly said: readonly Said[];
	readonly violations: readonly string[];
}

type Asked = Extract<Step, { do: 'start' }>;

/** One run of the script. */
interface Part {
	readonly asked: Asked;
	readonly actor: Actor;
	moment: Moment | undefined;
}

/**
 * @param machine the protocol that the runs follow: the shipped one, or one with a planted fault
 * @throws where the script says what cannot be expressed here
 */
export async function replay(
	bench: PayoutBench,
	script: Script,
	machine: Machine,
): Promise<Replayed> {
	checkPlayable(script);
	const theatre = await Theatre.open(bench, script, machine);
	try {
		return await theatre.play();
	} finally {
		await theatre.close();
	}
}

function checkPlayable({ steps, bounds }: Script): void {
	if (bounds.mixups) throw new Error('The emulated service does not mix up its answers.');
	for (const step of steps) {
		if (!('result' in step) || step.do === 'call' || !step.result.startsWith('failed ')) continue;
		throw new Error(
			'The emulated service repeats its stored response under a key: it never says there that the bank has refused the withdrawal since.',
		);
	}
}

class Theatre {
	private readonly stage: Stage;
	private readonly people: People;
	private readonly parts = new Map<string, Part>();
	/** The runs that have decided, in this order. */
	private readonly decided: Part[] = [];
	private readonly lines: string[] = [];
	private wasUsedElsewhere = false;
	/** How far the clock of the service is ahead. */
	private readonly skewMs: number;

	private constructor(
		private readonly bench: PayoutBench,
		private readonly script: Script,
		machine: Machine,
		private readonly service: Service,
		bounds: Bounds,
		private readonly others: readonly Sandbox[],
	) {
		const now = () => bench.clock.now();
		this.skewMs = bounds.skew * TICK_MS;
		this.people = new People(bench, service, bounds, now);
		this.stage = new Stage(
			machine,
			() => now() - this.skewMs,
			(actor) => this.noteDecided(actor),
		);
	}

	static async open(bench: PayoutBench, script: Script, machine: Machine): Promise<Theatre> {
		const bounds: Bounds = { name: '', ...CALM, ...script.bounds };
		const { sandbox, clock } = bench;
		// The bank may refuse what it has carried out; see `refuseByBank`.
		sandbox.dialect.withdrawalTransitions.last = 'returnable';
		sandbox.dialect.idempotencyScope.of = bounds.keyScope;
		// Two accounts are two services: an API key says which account it is.
		const isOther = bounds.apiKeys.some((apiKey) => accountOf(apiKey) !== 'A');
		const others = isOther ? [await startSandbox({ clock })] : [];
		const accounts = new Map<string, Account>(
			bounds.apiKeys.map((apiKey) => {
				const own = accountOf(apiKey) === 'A' ? sandbox : (others[0] ?? sandbox);
				const isFirst = apiKey === 'a';
				const text = isFirst
					? own.keys.test
					: own.createKey({ environment: 'SANDBOX', scopes: ['*'] });
				return [apiKey, { sandbox: own, apiKey: text }];
			}),
		);
		useClock(() => clock.now() - bounds.skew * TICK_MS);
		if (bounds.apiKeys.length > 1 && bounds.comparesAccounts) {
			await payWithEach(bench, [...accounts.values()]);
		}
		const service = new Service(accounts, bounds, () => clock.now());
		return new Theatre(bench, script, machine, service, bounds, others);
	}

	async close(): Promise<void> {
		this.stage.close();
		useClock(() => this.bench.clock.now());
		for (const other of this.others) await other.close();
	}

	async play(): Promise<Replayed> {
		let deviation: Replayed['deviation'];
		for (const [index, step] of this.script.steps.entries()) {
			this.lines.push(`${String(index + 1).padStart(4)}. ${tellStep(step)}`);
			try {
				await this.do(step);
			} catch (error) {
				if (!(error instanceof Deviation)) throw error;
				deviation = { step: index + 1, why: error.message };
				this.lines.push(`      The engine does not: ${error.message}.`);
				break;
			}
		}
		await this.finish();
		const told = this.tell();
		const { books } = this.service;
		return {
			lines: this.lines,
			deviation,
			books,
			said: told.map(({ said }) => said),
			violations: findViolations(books, told),
		};
	}

	private async do(step: Step & { readonly says?: Conclusion }): Promise<void> {
		const { service, people, bench } = this;
		switch (step.do) {
			case 'wait':
				bench.clock.advance(step.ticks * this.script.tickMs);
				return;
			case 'start':
				return await this.start(step);
			case 'call':
				await this.call(step);
				return this.checkSaid(step.run, step.says);
			case 'send':
				await this.send(step);
				return this.checkSaid(step.run, step.says);
			case 'kill':
				return await this.kill(step);
			case 'arrive': {
				const lost = service.lost.find(({ run }) => run === step.run);
				if (lost === undefined) throw new Deviation('nothing of it is under way');
				service.lost = service.lost.filter((one) => one !== lost);
				if (step.result === 'conflict') service.busy.push(lost);
				return await service.deliver(lost, step.result);
			}
			case 'decide': {
				const busy = service.busy.find(({ run }) => run === step.run);
				if (busy === undefined) throw new Deviation('the service has decided');
				service.busy = service.busy.filter(
					({ sent }) => sent.idempotencyKey !== busy.sent.idempotencyKey,
				);
				return await service.deliver(busy, step.result);
			}
			case 'lookalike':
				return service.payElsewhere(step.content, step.result);
			case 'stranger':
				this.wasUsedElsewhere = true;
				return await service.useKey(step.order, step.result);
			case 'bankRefuses':
				return service.refuseByBank(step.id);
			case 'look':
				// What the person finds is in the step that settles.
				return;
			case 'settle':
				return await people.settle(step);
			case 'edit':
				return people.edit(step);
			case 'delete':
				return people.delete(step);
		}
	}

	/** A run begins, and reads the ledger. */
	private async start(asked: Asked & { readonly says?: Conclusion }): Promise<void> {
		const { bench, service, stage } = this;
		const { apiKey, sandbox } = service.account(asked.apiKey);
		const workflow = buildWorkflow({
			parameters: payReferenced({}, { description: '={{ $json.description }}' }),
			...CONTINUE,
		});
		const credential = { apiKey, baseUrl: sandbox.url };
		const items = [itemOf(asked.order, asked.wish)];
		const actor = stage.begin(
			asked.run,
			async () => await bench.start(workflow, items, { credential }),
		);
		this.parts.set(asked.run, { asked, actor, moment: undefined });
		await stage.settled(actor);
		this.expectAt(actor, 'read');
		await stage.advance(actor);
		this.checkSaid(asked.run, asked.says);
	}

	private async call({ run, call, result }: Extract<Step, { do: 'call' }>): Promise<void> {
		const { service, stage } = this;
		const { actor, asked } = this.part(run);
		if (call === 'notSend') {
			this.expectAt(actor, 'send');
			return await this.expectNothingSent(async () => await stage.advance(actor));
		}
		this.expectAt(actor, call);
		const goOn = async () => await stage.advance(actor);
		if (result === 'failed' && call === 'record') return await stage.fail(actor);
		const isHidden =
			(call === 'fetch' && result === 'unreadable') ||
			(call === 'list' && result === 'not complete');
		if (isHidden) return await service.unreadable(asked.apiKey, goOn);
		if (call === 'list' && this.isLagging(result ?? ''))
			return await service.lagging(asked.apiKey, goOn);
		return await goOn();
	}

	/** Whether a list shows nothing that is young: then it has none of what it would show. */
	private isLagging(result: string): boolean {
		const now = this.bench.clock.now();
		const young = this.service.books.filter(({ at }) => now - at < TICK_MS);
		return young.length > 0 && !young.some(({ name }) => result.split(', ').includes(name));
	}

	private async send({
		run,
		result,
		generation,
		repeats,
	}: Extract<Step, { do: 'send' }>): Promise<void> {
		const { service, stage } = this;
		const { actor, asked } = this.part(run);
		this.expectAt(actor, 'send');
		const { order, action } = actor;
		if (action?.do === 'send' && action.generation !== generation) {
			throw new Deviation(`${run} sends under generation ${action.generation}`);
		}
		actor.isUnreachable = result === 'unsent';
		await service.expect(result, asked.apiKey, async () => {
			await stage.advance(actor);
			// What the client repeats on its own is one step of the model: the service says the same again.
			const isRepeated = () => actor.at === 'send' && actor.order === order;
			while (repeats !== true && isRepeated()) await stage.advance(actor);
		});
		actor.isUnreachable = false;
		if (repeats === true) this.expectAt(actor, 'send');
		const sent = () => service.lastSent(run, asked.order, asked.apiKey);
		if (result === 'none') service.lost.push(sent());
		if (result === 'conflict') service.busy.push(sent());
	}

	/** The later calls of a run never happen: it stands for ever. */
	private async kill({ run, while: doing }: Extract<Step, { do: 'kill' }>): Promise<void> {
		const { service, stage } = this;
		const { actor, asked } = this.part(run);
		actor.isKilled = true;
		if (doing === 'idle') return;
		this.expectAt(actor, 'send');
		await service.expect('none', asked.apiKey, async () => await stage.advance(actor));
		service.lost.push(service.lastSent(run, asked.order, asked.apiKey));
	}

	private async expectNothingSent(what: () => Promise<void>): Promise<void> {
		const { requests } = this.bench.sandbox;
		const before = requests.length;
		await what();
		if (requests.length > before) throw new Deviation('it has sent');
	}

	private expectAt(actor: Actor, at: Actor['at']): void {
		if (actor.at === at) return;
		const decided = actor.decided ? ` (${actor.decided.say})` : '';
		throw new Deviation(
			actor.isOver
				? `${actor.name} is over${decided}`
				: `${actor.name} stands before ${actor.at}${decided}`,
		);
	}

	private checkSaid(run: string, says: Conclusion | undefined): void {
		const { decided } = this.part(run).actor;
		if (decided?.say === says?.say || says === undefined) return;
		throw new Deviation(`${run} says ${decided?.say ?? 'nothing'}`);
	}

	private part(run: string): Part {
		const part = this.parts.get(run);
		if (part === undefined) throw new TypeError(`There is no ${run}`);
		return part;
	}

	private noteDecided(actor: Actor): void {
		const part = this.part(actor.name);
		const { service, people, wasUsedElsewhere } = this;
		const { asked } = part;
		service.nameRest();
		part.moment = {
			books: service.books,
			underWay: service.underWay,
			claimedAt: actor.claimedAt && actor.claimedAt + this.skewMs,
			content: asked.wish.content,
			words: people.words.filter(({ order }) => order === asked.order).map(({ id }) => id),
			wasUsedElsewhere,
		};
		this.decided.push(part);
	}

	/** After the script: what is under way arrives, and every run that lives goes on to its end. */
	private async finish(): Promise<void> {
		await this.service.deliverRest();
		for (const { actor } of this.parts.values()) {
			while (!actor.isKilled && !actor.isOver) {
				await this.stage.advance(actor);
				this.service.nameRest();
			}
			if (actor.error !== undefined) throw actor.error;
		}
	}

	/** What users read. What a run has decided that was killed, nobody has read. */
	private tell(): Told[] {
		return this.decided.flatMap(({ asked, actor, moment }): Told[] => {
			if (actor.execution === undefined || moment === undefined) return [];
			const nameOf = (id: string) => this.service.nameOf(id);
			return [{ said: readSaid(asked.run, asked.order, actor.execution, nameOf), moment }];
		});
	}
}

/** So that the ledger has a withdrawal of each API key: by these, accounts are compared. */
async function payWithEach(bench: PayoutBench, accounts: readonly Account[]): Promise<void> {
	for (const [index, { apiKey, sandbox }] of accounts.entries()) {
		const workflow = buildWorkflow({ parameters: payReferenced(), ...CONTINUE });
		const items = [{ amount: 50, pixKey: CPF, invoice: `before ${index}` }];
		const run = await bench.start(workflow, items, {
			credential: { apiKey, baseUrl: sandbox.url },
		});
		if (dataTables().rows().length !== index + 1) throw new TypeError(JSON.stringify(run.json));
	}
}
