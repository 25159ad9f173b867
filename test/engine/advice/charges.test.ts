import { usePayouts } from '../support/references';
import { SITUATIONS } from './charges';
import { tellAll } from './situation';

const bench = usePayouts();

describe('a charge with an External ID', () => {
	tellAll(bench, SITUATIONS);
});
