import { decide, nextQuestion, APPROVER } from './payouts/approval';
import { RECONCILIATION_EXAMPLE, REMINDER_EXAMPLE } from './examples';
import { submitForm } from '../n8n/editor/form';
import { refundFormUrl } from './addresses';
import type { ExampleCheck } from './exampleCheck';
import type { Mail } from './mailbox';

const ACCOUNTING = 'accounting@example.com';
const REQUESTER = 'ana@example.com';

/** Runs the examples that look back as their schedule and a colleague would. */
export async function tryDailyWork(check: ExampleCheck): Promise<void> {
	await remind(check);
	// Before the refund, which would make one of the differences go away.
	await reconcile(check);
	await refund(check);
}

async function remind(check: ExampleCheck): Promise<void> {
	const { withAddress, withoutAddress } = check.session.past.overdue;
	// Twice: nobody may be reminded twice.
	await check.runToSuccess(REMINDER_EXAMPLE, 'Every Day at 09:00');
	await check.runToSuccess(REMINDER_EXAMPLE, 'Every Day at 09:00');
	const reminders: Mail[] = [];
	for (const { metadata } of withAddress) {
		reminders.push(...(await check.mailsTo(String(metadata.email))));
	}
	check.expect(
		'Each overdue boleto is sent to its customer as a PDF, once in two runs',
		reminders.map(({ subject }) => subject).join('\n'),
		reminders.length === withAddress.length &&
			reminders.every(({ attachments }) => attachments?.length === 1),
	);
	const notices = (await check.mailsTo(ACCOUNTING)).filter(({ subject }) =>
		subject.includes(withoutAddress.txId),
	);
	check.expect(
		'Accounting is notified of the one without an address',
		notices.map(({ subject }) => subject).join('\n'),
		notices.length === 1,
	);
}

async function reconcile(check: ExampleCheck): Promise<void> {
	await check.runToSuccess(RECONCILIATION_EXAMPLE, 'Every Day at 06:00');
	const report = (await check.mailsTo(ACCOUNTING)).find(({ subject }) =>
		subject.startsWith('Conciliação'),
	);
	// Two payments without an event, and a withdrawal that failed.
	check.expect(
		'The differences of yesterday are reported',
		report?.subject ?? 'no e-mail',
		report?.subject.endsWith(': 3 diferenças') === true,
	);
}

async function refund(check: ExampleCheck): Promise<void> {
	const { webhookUrl, mailbox, sandbox, past } = check.session;
	const asked = (await check.mailsTo(APPROVER)).length;
	const answers = [past.paidYesterday[0]!.txId, 'Order cancelled by the customer', REQUESTER];
	await submitForm(await refundFormUrl(webhookUrl), answers);
	await decide(await nextQuestion(mailbox, asked), 'Devolver', webhookUrl);
	const { subject } = await check.mailTo(REQUESTER);
	check.expect(
		'A refund is asked for, approved and made once',
		subject,
		sandbox.books.refunds.length === 1 && subject.includes('a caminho'),
	);
}
