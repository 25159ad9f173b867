import type { IDataObject } from 'n8n-workflow';

import type { ExampleWorld } from './exampleWorld';

/** A data table of the user's own, which the user chooses in a node of an example. */
export class ChosenTable {
	private constructor(
		private readonly world: ExampleWorld,
		private readonly name: string,
		/** Of the table, in the REST API of the editor. */
		private readonly path: string,
	) {}

	static async make(
		world: ExampleWorld,
		name: string,
		columns: ReadonlyArray<readonly [name: string, type: string]>,
	): Promise<ChosenTable> {
		await world.createTable(name, columns);
		return new ChosenTable(world, name, (await world.tablePath(name))!);
	}

	/** Puts these rows in place of all that are there. */
	async fill(rows: readonly IDataObject[]): Promise<void> {
		const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
		await this.world.client.request('DELETE', `${this.path}/rows?filter=${filter}`);
		if (rows.length > 0) await this.world.addTableRows(this.name, ...rows);
	}

	/**
	 * What the user does after the import: chooses the table in a node, and fills in *Your Settings*.
	 * @param settings name of a field -> its value; the others are as in the example
	 */
	async chooseIn(file: string, node: string, settings: IDataObject = {}): Promise<void> {
		const value = this.path.split('/').at(-1)!;
		const dataTableId = { __rl: true, mode: 'list', value };
		await this.world.setUpNode(file, node, { dataTableId }, settings);
	}
}
