import { useBench } from '../support/harness';
import { SITUATIONS } from './charges';
import { tellAll } from './situation';

const bench = useBench();

describe('a charge with an External ID', () => {
	tellAll(bench, SITUATIONS);
});
