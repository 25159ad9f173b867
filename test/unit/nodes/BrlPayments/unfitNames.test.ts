import { changesLater, isPlaceInList } from '../../../../nodes/BrlPayments/unfitNames';

test.each([
	// The execution.
	'={{ $execution.id }}',
	'=NF {{ $json.n }}/{{$execution?.id}}',
	"={{ $execution [ 'id' ] }}",
	'={{ $execution.resumeUrl }}',
	'={{ $executionId }}',
	'={{ `${$json.invoice}-${$execution.id}` }}',
	'={{ $json.invoice }} {{ $runIndex }}',
	// The time.
	'={{ $now }}',
	'={{ $now . toISO ( ) }}',
	'={{ $now?.toISO() }}',
	'={{ DateTime.now() }}',
	'={{ DateTime.local().toISO() }}',
	'={{ $json.invoice }}-{{ Date.now() }}',
	'={{ new  Date ( ).toISOString() }}',
	'={{ $today.toISO() }}',
	// A month, a week, a day.
	"={{ $json.cpf }} {{ $now.format('yyyy-MM') }}",
	// Chance.
	'={{ $json.invoice }}{{ Math.floor(Math.random() * 1000) }}',
	'={{ crypto.randomUUID() }}',
	'={{ ["a", "b"].randomItem() }}',
	'={{ uuidv4() }}',
	'={{ nanoid() }}',
	// Several rows.
	'={{ $json.concatenated_invoice }}',
	'={{ $json["appended_Nota fiscal"].join(" ") }}',
	// n8n evaluates what is not closed, too.
	'={{ $execution.id',
])('changes in a later run: %s', (raw) => {
	expect(changesLater(raw)).toBe(true);
});

test.each([
	'NF-1042',
	'{{ $execution.id }}',
	'=$execution.id',
	'={{ $json.invoice }} $now',
	'={{ $json.execution.id }}',
	'={{ $json.runIndex }}',
	'={{ $json["$now"] }}',
	"={{ $json['Date.now()'] }}",
	'={{ $json.$now }}',
	'={{ $workflow.id }}-{{ $json.invoice }}',
	'={{ $itemIndex }}',
	'={{ $execution.mode }}',
	// Another time than now.
	'={{ new Date($json.date).getTime() }}',
	'={{ DateTime.local($json.year, 1, 1).toISO() }}',
	'={{ $json.createdAt.toDateTime().toMillis() }}',
	...['', undefined, null, 7],
])('is the same in each run: %s', (raw) => {
	expect(changesLater(raw)).toBe(false);
});

test('reads a long expression to its end', () => {
	const long = `={{ $json.invoice${'.replaceAll("a", "b")'.repeat(5_000)} }}`;
	expect(changesLater(long)).toBe(false);
	expect(changesLater(long.replace(' }}', ' + $now }}'))).toBe(true);
});

test.each([
	['={{ $json.row_number }}', true],
	['=NF {{ $json["row_number"] + 1 }}', true],
	["={{ $('Rows').item.json.row_number.toString() }}", true],
	['={{ $itemIndex + 1 }}', true],
	['=2026-11 {{ $json.row_number }}', false],
	['={{ $json.name }} {{ $json.row_number }}', false],
	['={{ $json.invoice }}', false],
])('%s is only the place of a row: %s', (raw, isPlace) => {
	expect(isPlaceInList(raw)).toBe(isPlace);
});
