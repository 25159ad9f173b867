import { TokenBucket } from '../../../../../nodes/BrlPaymentsTrigger/receive/tokenBucket';

const REFILL_MS = 1_000;

function emptied(at: number): TokenBucket {
	const bucket = new TokenBucket(2, REFILL_MS);
	expect(bucket.isEmpty(at)).toBe(false);
	bucket.take();
	expect(bucket.isEmpty(at)).toBe(false);
	bucket.take();
	expect(bucket.isEmpty(at)).toBe(true);
	return bucket;
}

test('one token comes back after its time, and no sooner', () => {
	const bucket = emptied(50_000);
	expect(bucket.isEmpty(50_999)).toBe(true);
	expect(bucket.isEmpty(51_000)).toBe(false);
	bucket.take();
	expect(bucket.isEmpty(51_000)).toBe(true);
});

test('looking often brings back no more', () => {
	const bucket = emptied(0);
	for (let now = 0; now < REFILL_MS; now += 100) expect(bucket.isEmpty(now)).toBe(true);
	expect(bucket.isEmpty(REFILL_MS)).toBe(false);
});

test('it never holds more than at first', () => {
	const bucket = emptied(0);
	expect(bucket.isEmpty(100 * REFILL_MS)).toBe(false);
	bucket.take();
	bucket.take();
	expect(bucket.isEmpty(100 * REFILL_MS)).toBe(true);
});

test('taking where there is none leaves no debt', () => {
	const bucket = emptied(0);
	for (let count = 0; count < 10; count += 1) bucket.take();
	expect(bucket.isEmpty(REFILL_MS)).toBe(false);
});

test('a clock that is set back brings nothing, and stops nothing', () => {
	const bucket = emptied(1_000_000);
	expect(bucket.isEmpty(0)).toBe(true);
	expect(bucket.isEmpty(REFILL_MS)).toBe(false);
});
