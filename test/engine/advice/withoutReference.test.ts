import { useBench } from '../support/harness';
import { tellAll } from './situation';
import { SITUATIONS } from './withoutReference';

const bench = useBench();

describe('a payout without a reference that fails', () => {
	tellAll(bench, SITUATIONS);
});
