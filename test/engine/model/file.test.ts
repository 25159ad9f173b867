/** `npm run model -- --replay FILE` (test/model/cli.ts): tells what happens in the engine. */
import { readFileSync } from 'node:fs';

import * as protocol from '../../../nodes/BrlPayments/ledger/protocol';
import { FAULTS, plant } from '../../model/faults';
import type { Script } from '../../model/story';
import { usePayouts } from '../support/references';
import { replay } from './replay';

const { SCRIPT: file, FAULT: name } = process.env;

describe.skipIf(file === undefined)('a script', () => {
	const bench = usePayouts();

	it('is played against the engine', async () => {
		// What `--script` prints comes after the story.
		const [text] = /^\{[^]*^\}/m.exec(readFileSync(file ?? '', 'utf8')) ?? [];
		if (text === undefined) throw new Error('There is no script in the file');
		const fault = FAULTS.find((one) => one.name === name);
		const machine = fault ? plant(fault) : { ...protocol };
		const { lines, books, said, violations } = await replay(
			bench,
			JSON.parse(text) as Script,
			machine,
		);
		const told = said.map(
			({ run, say, id = '', isNew, message = '' }) =>
				`      ${run}: ${[say, id, isNew ? 'new' : '', message].filter(Boolean).join(', ')}`,
		);
		const paid = books.map(
			({ name: id, order, content, isLiving }) =>
				`      ${id}: ${content}, ${order === undefined ? "somebody else's" : `order ${order + 1}`}${isLiving ? '' : ', failed'}`,
		);
		const found =
			violations.length === 0 ? ['      none'] : violations.map((one) => `      ${one}`);
		console.log(
			[
				...lines,
				...['      Said:', ...told],
				...['      Books:', ...paid],
				...['      Violations:', ...found],
			].join('\n'),
		);
	});
});
