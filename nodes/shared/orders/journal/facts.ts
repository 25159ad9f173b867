/**
 * How often each fact is stored. An interrupted question spoils one copy; the next question that
 * completes repairs it. So a fact survives one interruption fewer in a row than it has copies.
 */
export const COPIES = 2;

/** Facts that are always asked together. Names must not contain anything that differs between runs. */
export interface Topic {
	readonly name: string;
	readonly facts: readonly string[];
}

/** A topic that is named after the first of its facts. */
export const createTopic = (...facts: [string, ...string[]]): Topic => ({ name: facts[0], facts });

/** Records entries. @returns those that were there before */
type RecordEntries = (entries: readonly string[]) => Promise<ReadonlySet<string>>;

const copy = (fact: string, level: number) => `${fact} #${level}`;
const marker = (topic: Topic, level: number) => `? ${topic.name} #${level}`;
const LEVELS = Array.from({ length: COPIES }, (_, index) => index + 1);

/**
 * The entries that state facts.
 * @param copies fewer where a fact that an interruption spoils may safely count as untrue
 */
export function getEntries(facts: readonly string[], copies = COPIES): string[] {
	return facts.flatMap((fact) => LEVELS.slice(0, copies).map((level) => copy(fact, level)));
}

/** Every entry that stating or asking a topic can leave behind. */
export function getAllEntries(topic: Topic): string[] {
	return [...getEntries(topic.facts), ...LEVELS.map((level) => marker(topic, level))];
}

/**
 * Asks a store that cannot be read without writing: to ask for an entry is to record it.
 *
 * A question records one copy of the fact together with a marker, and takes both away later. If the
 * process is killed in between, the marker stays behind, that copy is no longer trusted, and the
 * next question uses the next copy.
 */
export class Inquiry {
	private readonly obsolete: Array<readonly string[]> = [];
	private readonly kept = new Set<string>();

	/** @param record one call of the store */
	constructor(readonly record: RecordEntries) {}

	/**
	 * Asks topics in one call of the store, and in one more for each interruption met.
	 * @param statements entries to record in the first of those calls
	 * @returns answers: by fact, absent where too many interruptions have spoiled all copies;
	 * known: the statements that were there before
	 */
	async ask(
		topics: readonly Topic[],
		statements: readonly string[] = [],
	): Promise<{ answers: ReadonlyMap<string, boolean>; known: ReadonlySet<string> }> {
		const answers = new Map<string, boolean>();
		let open = [...new Map(topics.map((topic) => [topic.name, topic])).values()];
		let known: ReadonlySet<string> = new Set();
		for (const level of LEVELS) {
			// The marker last: the store evicts its oldest entries, and no copy may outlive its marker.
			const questions = open.flatMap((topic) => [
				...topic.facts.map((fact) => copy(fact, level)),
				marker(topic, level),
			]);
			const entries = [...(level === 1 ? statements : []), ...questions];
			if (entries.length === 0) break;
			const before = await this.record(entries);
			if (level === 1) known = before;
			for (const topic of open.filter((candidate) => !before.has(marker(candidate, level)))) {
				for (const fact of topic.facts) answers.set(fact, before.has(copy(fact, level)));
				this.tidyUp(topic, level, answers);
			}
			open = open.filter((topic) => before.has(marker(topic, level)));
		}
		return { answers, known };
	}

	/** Notes entries that have become true: they stay, whatever was asked about them before. */
	keep(entries: readonly string[]): void {
		for (const entry of entries) this.kept.add(entry);
	}

	/** Notes entries to remove; those of one call are removed together. */
	drop(entries: readonly string[]): void {
		for (const entry of entries) this.kept.delete(entry);
		this.obsolete.push(entries);
	}

	/** Groups of entries that have to be removed when everything is asked, each in one call of the store. */
	get leftovers(): string[][] {
		return this.obsolete.map((entries) => entries.filter((entry) => !this.kept.has(entry)));
	}

	/** Copies that interrupted questions have left are repaired, or removed, by the answer found since. */
	private tidyUp(topic: Topic, level: number, answers: ReadonlyMap<string, boolean>): void {
		const asked = LEVELS.slice(0, level);
		const untrue = topic.facts.filter((fact) => answers.get(fact) === false);
		this.drop([
			...asked.map((each) => marker(topic, each)),
			...untrue.flatMap((fact) => asked.map((each) => copy(fact, each))),
		]);
	}
}
