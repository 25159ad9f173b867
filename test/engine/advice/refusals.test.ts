import { usePayouts } from '../support/references';
import { DOCUMENT_MISSING, FIRST_ROW, SINGLE, WITH_REFERENCE, WITHOUT_REFERENCE } from './refusals';
import { tellAll } from './situation';

const bench = usePayouts();

describe('a payout with a reference that the service refuses', () => {
	tellAll(bench, WITH_REFERENCE);
});

describe('a payout without a reference that the service refuses', () => {
	tellAll(bench, WITHOUT_REFERENCE);
});

describe('a single payout that the service refuses', () => {
	tellAll(bench, SINGLE);
});

describe('a payout whose recipient document the service cannot fill in', () => {
	tellAll(bench, DOCUMENT_MISSING);
});

describe('a first row that the service refuses, so that nothing is paid', () => {
	tellAll(bench, FIRST_ROW);
});
