import { usePayouts } from '../support/references';
import { tellAll } from './situation';
import { SITUATIONS } from './withoutReference';

const bench = usePayouts();

describe('a payout without a reference that fails', () => {
	tellAll(bench, SITUATIONS);
});
