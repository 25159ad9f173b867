import type { IWebhookFunctions } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';

type Context = Pick<IWebhookFunctions, 'getWorkflowSettings'>;

/**
 * Whether the workflow runs on n8n's Engine 2.0. That engine passes on what a trigger emits, and
 * never calls its `execute`: an event that comes again after a restart would take effect again.
 */
export function isEngineTwo(context: Context): boolean {
	// Absent in old versions, which have one engine only.
	return (context as Partial<Context>).getWorkflowSettings?.().engineType === 'v2';
}

/** @throws InputError if the workflow runs on Engine 2.0 */
export function refuseEngineTwo(context: Context): void {
	if (!isEngineTwo(context)) return;
	throw new InputError(
		'This workflow runs on Engine 2.0 of n8n, where repeated events cannot be recognized',
		'Remove "engineType" from the settings of the workflow.',
	);
}
