import type { IDataObject } from 'n8n-workflow';

import { LIVE_KEY_CREDENTIAL_NAME, withApiCredential } from '../../../dev/demo/keyCredentials';
import { readExample } from '../../../dev/demo/examples';
import type { ExampleWorld } from './exampleWorld';

/** A data table of the user's own, which the user chooses in a node of an example. */
export class ChosenTable {
	private constructor(
		private readonly world: ExampleWorld,
		/** Of the table, in the REST API of the editor. */
		private readonly path: string,
		private readonly id: string,
	) {}

	/** @param columns name -> type, as n8n names it */
	static async make(
		world: ExampleWorld,
		name: string,
		columns: Record<string, 'string' | 'number'>,
	): Promise<ChosenTable> {
		const { id: project } = await world.client.request<{ id: string }>(
			'GET',
			'/rest/projects/personal',
		);
		const tables = `/rest/projects/${project}/data-tables`;
		const described = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
		const { id } = await world.client.request<{ id: string }>('POST', tables, {
			...{ name, columns: described },
		});
		return new ChosenTable(world, `${tables}/${id}`, id);
	}

	/** Puts these rows in place of all that are there. */
	async fill(rows: readonly IDataObject[]): Promise<void> {
		const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
		await this.world.client.request('DELETE', `${this.path}/rows?filter=${filter}`);
		if (rows.length === 0) return;
		await this.world.client.request('POST', `${this.path}/insert`, {
			...{ data: rows, returnType: 'id' },
		});
	}

	/**
	 * What the user does after the import: chooses the table in a node, and fills in *Your Settings*.
	 * @param settings name of a field -> its value; the others stay as they are
	 */
	async chooseIn(file: string, node: string, settings: IDataObject = {}): Promise<void> {
		const workflow = await readExample(file);
		for (const { name, parameters } of workflow.nodes) {
			if (name === node) parameters.dataTableId = { __rl: true, mode: 'list', value: this.id };
			if (name !== 'Your Settings') continue;
			const { assignments } = parameters.assignments as unknown as {
				assignments: Array<{ name: string; value: unknown }>;
			};
			for (const field of assignments) field.value = settings[field.name] ?? field.value;
		}
		const complete = withApiCredential(workflow, LIVE_KEY_CREDENTIAL_NAME);
		await this.world.client.updateWorkflow(this.world.workflows[file]!, complete);
	}
}
