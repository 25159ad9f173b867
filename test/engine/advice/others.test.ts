import { usePayouts } from '../support/references';
import { payEach } from '../support/payouts';
import {
	CHARGE_SITUATIONS,
	CHECK_SITUATIONS,
	READ_SITUATIONS,
	readProblems,
	REFUND_SITUATIONS,
} from './others';
import { tellAll } from './situation';

const bench = usePayouts();

describe('a charge that fails', () => {
	tellAll(bench, CHARGE_SITUATIONS);
});

describe('a refund that fails', () => {
	tellAll(bench, REFUND_SITUATIONS);
});

describe('a read that fails', () => {
	tellAll(bench, READ_SITUATIONS);
});

describe('a row that Check Batch objects to', () => {
	it.each(CHECK_SITUATIONS)('$code is gone after: $says', async (situation) => {
		const { code, says, rows, corrected, options = {} } = situation;
		const check = { ...payEach(), operation: 'checkBatch' };

		const { json } = await bench.run(check, rows, { credential: bench.liveCredential });
		const last = await bench.run({ ...check, options: options as never }, corrected, {
			credential: bench.liveCredential,
		});

		const problems = readProblems(json[1]?.problems);
		expect(problems).toContainEqual(expect.objectContaining({ code }));
		expect(JSON.stringify(problems)).toContain(says);
		expect(last.json.map(({ ok }) => ok as unknown)).toEqual(corrected.map(() => true));
		expect(bench.paid).toEqual([]);
	});
});
