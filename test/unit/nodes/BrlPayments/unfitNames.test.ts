import { isNewEachRun } from '../../../../nodes/BrlPayments/unfitNames';

test.each([
	// The execution.
	'={{ $execution.id }}',
	"={{ $json.invoice + '-' + $execution.id }}",
	'=NF {{ $json.n }}/{{$execution?.id}}',
	"={{ $execution [ 'id' ] }}",
	'={{ $execution.resumeUrl }}',
	'={{ $executionId }}',
	'={{ `${$json.invoice}-${$execution.id}` }}',
	'={{ $json.invoice }} {{ $runIndex }}',
	// The time.
	'={{ $now }}',
	'={{ $json.invoice }} {{ $now.toMillis() }}',
	'={{ $now . toISO ( ) }}',
	'={{ $now?.toISO() }}',
	'={{ $now.hour }}',
	'={{ DateTime.now() }}',
	'={{ DateTime.local().toISO() }}',
	'={{ $json.invoice }}-{{ Date.now() }}',
	'={{ new Date().getTime() }}',
	'={{ new  Date ( ).toISOString() }}',
	// One of two is enough.
	"={{ $now.format('yyyy-MM') }}-{{ $now.toMillis() }}",
	// Chance.
	'={{ $json.invoice }}{{ Math.floor(Math.random() * 1000) }}',
	'={{ crypto.randomUUID() }}',
	'={{ ["a", "b"].randomItem() }}',
	'={{ uuidv4() }}',
	'={{ nanoid() }}',
	// n8n evaluates what is not closed, too.
	'={{ $execution.id',
])('is another one in each run: %s', (raw) => {
	expect(isNewEachRun(raw)).toBe(true);
});

test.each([
	'NF-1042',
	'{{ $execution.id }}',
	'=$execution.id',
	'={{ $json.invoice }} $now',
	'={{ $json.execution.id }}',
	'={{ $json.runIndex }}',
	'={{ $json.random }}',
	'={{ $json["$now"] }}',
	"={{ $json['Date.now()'] }}",
	'={{ $json.$now }}',
	'={{ $workflow.id }}-{{ $json.invoice }}',
	'={{ $itemIndex }}',
	'={{ $execution.mode }}',
	// A month, a week, a day.
	"={{ $json.cpf }} {{ $now.format('yyyy-MM') }}",
	'={{ $now.format() }}',
	"={{ $now . format ( 'yyyy-MM' ) }}",
	"={{ $now.toFormat(`yyyy-'W'WW`) }}",
	"={{ $now.toFormat(\"'mês' MM 'de' yyyy\") }}",
	'={{ $now.format($json.form) }}',
	"={{ $now.plus(1, 'month').setZone('America/Sao_Paulo').toFormat('yyyyMM') }}",
	"={{ $now.plus({ days: Math.max(1, 2) }).format('yyyy-MM-dd') }}",
	'={{ $now.toISOWeekDate() }}',
	'={{ $now.year }}-{{ $now.month }}',
	'={{ $now.monthLong }}',
	"={{ $now.beginningOf('week').toISO() }}",
	"={{ $now.extract('month') }}",
	'={{ $now.toISO().slice(0, 10) }}',
	"={{ $now.toISO().split('T')[0] }}",
	'={{ $now.toLocaleString(DateTime.DATE_SHORT) }}',
	'={{ DateTime.now().toISODate() }}',
	'={{ new Date().toISOString().split("T")[0] }}',
	'={{ new Date().toISOString().substring(0,7) }}',
	"={{ new Date().toISOString().replace(/T.*/, '') }}",
	'={{ new Date().getFullYear() }}{{ new Date().getMonth() + 1 }}',
	'={{ new Date().toLocaleDateString("pt-BR") }}',
	'={{ String($now).slice(0, 10) }}',
	'={{ DateTime.fromMillis(Date.now()).toISODate() }}',
	// Another time than now.
	'={{ new Date($json.date).getTime() }}',
	'={{ DateTime.local($json.year, 1, 1).toISO() }}',
	'={{ $today.toISO() }}',
	'={{ $json.createdAt.toDateTime().toMillis() }}',
	...['', undefined, null, 7],
])('is the same in each run of a day: %s', (raw) => {
	expect(isNewEachRun(raw)).toBe(false);
});

test('reads a long expression to its end', () => {
	const long = `={{ $now${'.plus({ days: (1) })'.repeat(5_000)}.toISODate() }}`;
	expect(isNewEachRun(long)).toBe(false);
	expect(isNewEachRun(`={{ ${'$now.toISODate() + '.repeat(2_000)} '' }}`)).toBe(false);
	expect(isNewEachRun(`={{ ${'$now.toISODate() + '.repeat(2_000)} $now }}`)).toBe(true);
});
