import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';
import { FakeDeduplication } from '../../unit/support/deduplicationStore';

let current = new FakeDeduplication();
let isReady = false;

/** The store of workflows and nodes; as n8n keeps it in its database, over all executions of a test. */
export function deduplication(): FakeDeduplication {
	return current;
}

export function emptyDeduplication(): void {
	current = new FakeDeduplication();
}

/** Gives n8n's engine a store in memory. */
export async function prepareDeduplication(): Promise<void> {
	if (isReady) return;
	isReady = true;
	const getHelpers = ({ node, workflow }: { node?: { id: string }; workflow: { id: string } }) =>
		current.context(node?.id, workflow.id).helpers;
	const deduplicator: Partial<IDataDeduplicator> = {
		checkProcessedAndRecord: async (items, scope, context, options) =>
			await getHelpers(context).checkProcessedAndRecord(items, scope, options),
		removeProcessed: async (items, scope, context, options) =>
			await getHelpers(context).removeProcessed(items, scope, options),
		getProcessedDataCount: async (scope, context, options) =>
			await getHelpers(context).getProcessedDataCount(scope, options),
	};
	await DataDeduplicationService.init(deduplicator as IDataDeduplicator);
}
