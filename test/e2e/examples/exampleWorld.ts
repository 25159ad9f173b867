import type { INode } from 'n8n-workflow';

import { decide, nextQuestion } from '../../../dev/demo/payouts/approval';
import { mailCredential, saveCredential } from '../../../dev/n8n/rest/credentials';
import { loadExamples, readExample } from '../../../dev/demo/examples';
import { sentTo, startMailbox, type Mail, type Mailbox } from '../../../dev/demo/mailbox';
import type { Execution } from '../../../dev/n8n/rest/executionData';
import { submitForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { LIVE_KEY_CREDENTIAL_NAME, withCredentials } from '../../../dev/demo/keyCredentials';
import { registerEndpoint } from '../../../dev/demo/addresses';
import type { Sandbox } from '../../../dev/sandbox';
import { use, N8nTestEnv } from '../support/n8nTestEnv';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Text as a person reads it: an amount has a blank that does not break. */
export const legible = (text = ''): string => text.replaceAll('\u00a0', ' ');

/** The rows that a test puts into the live account; no request has made them. */
type Given<Row> = Omit<NonNullable<Row>, 'environment'>;

/** The day in São Paulo, as `YYYY-MM-DD`. */
export const toDay = (moment: number) =>
	new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(moment);

/** Fills in fields of an Edit Fields node; one that it does not have is a typing error. */
function setFields({ name, parameters }: INode, values: Record<string, unknown>): void {
	const { assignments } = parameters.assignments as unknown as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const [field, value] of Object.entries(values)) {
		const found = assignments.find((each) => each.name === field);
		if (!found) throw new Error(`"${name}" has no field ${field}.`);
		found.value = value;
	}
}

/** A real n8n with the examples loaded as a user has set them up, and a mailbox. */
export class ExampleWorld extends N8nTestEnv {
	mailbox!: Mailbox;
	/** File of each example -> id of its workflow. */
	workflows!: Record<string, string>;

	override async start(): Promise<void> {
		await super.start();
		this.mailbox = await startMailbox(this.host, this.n8n.userFolder);
		await saveCredential(this.client, mailCredential(this.mailbox.smtpPort));
		this.workflows = await loadExamples(this.client);
	}

	/** Under the name that the demo gives it, and under the one that an import has. */
	override async useKey(apiKey: string): Promise<void> {
		await super.useKey(apiKey);
		await this.saveKey(apiKey, LIVE_KEY_CREDENTIAL_NAME);
	}

	override async end(): Promise<void> {
		await this.mailbox?.close();
		await super.end();
	}

	/** Runs an example from its schedule or button. */
	async runExample(file: string, trigger: string): Promise<Execution> {
		return await this.client.runToEnd(this.workflows[file]!, trigger);
	}

	/**
	 * Sets up an example as its user does after the import.
	 * @param choices fields of its node "Your Settings"; the others are as in the example
	 * @param change what else is changed in a node
	 */
	async setUpExample(
		file: string,
		choices: Record<string, unknown>,
		change: (node: INode) => INode = (node) => node,
	): Promise<void> {
		const example = withCredentials(await readExample(file), LIVE_KEY_CREDENTIAL_NAME);
		for (const node of example.nodes) if (node.name === 'Your Settings') setFields(node, choices);
		const changed = { ...example, nodes: example.nodes.map(change) };
		await this.client.updateWorkflow(this.workflows[file]!, changed);
	}

	/** Lets the sandbox deliver to the trigger of an example. */
	async connectEvents(file: string): Promise<void> {
		this.signingSecret = (await registerEndpoint(this.sandbox, this.n8n.url, file)).secret;
		await this.useKey(this.sandbox.keys.live);
	}

	/** Publishes an example; returns the address of its form. It starts what was published last. */
	async openForm(file: string): Promise<string> {
		await this.client.activateWorkflow(this.workflows[file]!);
		const { nodes } = await readExample(file);
		const url = `${this.n8n.url}/form/${nodes.find(({ type }) => type.endsWith('formTrigger'))!.webhookId}`;
		await waitFor(async () => (await fetch(url)).status === 200, {
			what: 'the form to show',
			timeoutMs: 15_000,
		});
		return url;
	}

	/** This many e-mails to an address, the oldest first; waits for them. */
	async mailsTo(recipient: string, count: number): Promise<Mail[]> {
		return await waitFor(
			async () => {
				const mails = sentTo(await this.mailbox.mails(), recipient);
				return mails.length >= count && mails.map(toLegible);
			},
			{ what: `${count} e-mails to ${recipient}`, timeoutMs: 30_000 },
		);
	}

	/** Does something; returns the next e-mails that an address gets, and what was done. */
	async nextMails<T>(
		recipient: string,
		count: number,
		act: () => Promise<T>,
	): Promise<[Mail[], T]> {
		const known = await this.countMailsTo(recipient);
		const done = await act();
		return [(await this.mailsTo(recipient, known + count)).slice(known), done];
	}

	/** The same of one e-mail, and no more. */
	async nextMail<T>(recipient: string, act: () => Promise<T>): Promise<[Mail, T]> {
		const [mails, done] = await this.nextMails(recipient, 1, act);
		expect(mails).toHaveLength(1);
		return [mails[0]!, done];
	}

	async countMailsTo(recipient: string): Promise<number> {
		return sentTo(await this.mailbox.mails(), recipient).length;
	}

	/** @param known how many questions there were before */
	async question(known: number): Promise<Mail> {
		return toLegible(await nextQuestion(this.mailbox, known));
	}

	async answer(question: Mail, decision: string): Promise<void> {
		await decide(question, decision, this.n8n.url);
	}

	seedPayment(given: Given<Parameters<Sandbox['seed']['payment']>[0]>) {
		return this.sandbox.seed.payment({ environment: 'PRODUCTION', ...given });
	}

	seedWithdrawal(given: Given<Parameters<Sandbox['seed']['withdrawal']>[0]>) {
		return this.sandbox.seed.withdrawal({ environment: 'PRODUCTION', ...given });
	}
}

const toLegible = (mail: Mail): Mail => ({
	...{
		...mail,
		subject: legible(mail.subject),
		text: legible(mail.text),
		html: legible(mail.html),
	},
});

/** One for all tests of a file; see `useWorld`. */
export function useExampleWorld(): ExampleWorld {
	return use(new ExampleWorld());
}

/** What the workflow failed with; undefined where it went well. */
export function getError(execution: Execution): string | undefined {
	return execution.data.resultData.error?.message;
}

/** Sends the form as a browser does, up to the last page; returns its text. */
export async function fillIn(form: string, given: readonly string[]): Promise<string> {
	const { formWaitingUrl } = JSON.parse(await submitForm(form, given)) as {
		formWaitingUrl: string;
	};
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	await waitFor(async () => (await (await fetch(status)).text()).trim() === 'form-waiting', {
		what: 'the last page of the form',
		timeoutMs: 30_000,
	});
	const page = await (await fetch(formWaitingUrl)).text();
	return page.replaceAll('&#x2F;', '/').replaceAll('&#x3D;', '=');
}
