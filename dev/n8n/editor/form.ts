/** What a person enters into a field, or the file that they choose. */
export type Answer = string | File;

/** Sends a form of n8n with these answers, as a browser does; returns n8n's response. */
export async function postForm(
	url: string,
	answers: readonly Answer[],
): Promise<{ status: number; text: string }> {
	const form = new FormData();
	// n8n's form page sends the fields by number, in their order.
	for (const [index, answer] of answers.entries()) form.set(`field-${index}`, answer);
	const response = await fetch(url, { method: 'POST', body: form });
	return { status: response.status, text: await response.text() };
}

export async function submitForm(url: string, answers: readonly Answer[]): Promise<string> {
	const { status, text } = await postForm(url, answers);
	if (status !== 200) throw new Error(`The form responded with ${status}: ${text}`);
	return text;
}
