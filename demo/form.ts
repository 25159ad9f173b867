/** Sends a form of n8n with these answers, as a browser does; gives what n8n answers. */
export async function submitForm(url: string, answers: readonly string[]): Promise<string> {
	const form = new FormData();
	// n8n's form page sends the fields by number, in their order.
	for (const [index, answer] of answers.entries()) form.set(`field-${index}`, answer);
	const response = await fetch(url, { method: 'POST', body: form });
	const text = await response.text();
	if (!response.ok) throw new Error(`The form answered ${response.status}: ${text}`);
	return text;
}
