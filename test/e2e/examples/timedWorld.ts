import { JumpingClock } from '../../../dev/n8n/process/clock';
import { ExampleWorld } from './exampleWorld';

/** With a clock that can be moved forward: n8n's and that of the service. */
export class TimedWorld extends ExampleWorld {
	private time!: JumpingClock;

	/** @param startAt epoch ms; now, where it is left out or over */
	constructor(private readonly startAt = 0) {
		super();
	}

	override async start(): Promise<void> {
		this.time = await JumpingClock.open();
		this.time.jumpTo(this.startAt);
		this.clock = this.time;
		Object.assign(this.env, this.time.environment);
		await super.start();
	}

	/** Epoch ms. */
	now(): number {
		return this.time.now();
	}

	/** Moves all clocks forward to this moment, epoch ms, and signs in again: a login lasts 7 days. */
	async goTo(moment: number): Promise<void> {
		this.time.jumpTo(moment);
		await this.client.signIn(this.owner);
	}

	override async end(): Promise<void> {
		await super.end();
		await this.time?.close();
	}
}
