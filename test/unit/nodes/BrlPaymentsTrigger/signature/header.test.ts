import {
	getHeader,
	isHopeless,
	readPrefixedHeader,
	readSignatureHeader,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/header';

const ONE = 'a'.repeat(64);
const TWO = 'b'.repeat(64);
const HTTP_DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';
const BASE64 = `${'A+/z'.repeat(10)}abc=`;

describe('forms', () => {
	test.each([
		[ONE, [{ text: ONE }], undefined],
		[BASE64, [{ text: BASE64 }], undefined],
		[`v1=${ONE}`, [{ text: ONE }], undefined],
		[`v1,${ONE}`, [{ text: ONE }], undefined],
		[`sha256=${ONE}`, [{ text: ONE, hash: 'sha256' }], undefined],
		[`sha512=${ONE}`, [{ text: ONE, hash: 'sha512' }], undefined],
		[`t=1795262400,v1=${ONE}`, [{ text: ONE }], '1795262400'],
		[`t=1795262400,v1=${ONE},v1=${TWO}`, [{ text: ONE }, { text: TWO }], '1795262400'],
		[`t=2026-11-21T12:00:00Z,v1=${BASE64}`, [{ text: BASE64 }], '2026-11-21T12:00:00Z'],
		[`t=1795262400 ,  v1=${ONE} , v1=${TWO}`, [{ text: ONE }, { text: TWO }], '1795262400'],
		[`t=1795262400,v1=${ONE},v0=${TWO}`, [{ text: ONE }], '1795262400'],
		[`t=1795262400, v1=${ONE}, v0=x!, kid=, alg=a=b`, [{ text: ONE }], '1795262400'],
		[`t=${HTTP_DATE},v1=${ONE}`, [{ text: ONE }], HTTP_DATE],
		[`t=${HTTP_DATE}, v1=${ONE} , v0=x`, [{ text: ONE }], HTTP_DATE],
		[`v1=${ONE}, t=${HTTP_DATE}`, [{ text: ONE }], HTTP_DATE],
		[`v0=${TWO},t=1795262400,v1=${ONE}`, [{ text: ONE }], '1795262400'],
		[`v1=${ONE},t=1795262400`, [{ text: ONE }], '1795262400'],
		[`v1, ${ONE}`, [{ text: ONE }], undefined],
		[`${ONE} ${TWO}`, [{ text: ONE }, { text: TWO }], undefined],
		[`v1,${ONE} v1,${TWO}`, [{ text: ONE }, { text: TWO }], undefined],
		[`v2,xyz v1,${ONE} v1a,y`, [{ text: ONE }], undefined],
		[
			`sha256=${ONE} sha512=${TWO}`,
			[
				{ text: ONE, hash: 'sha256' },
				{ text: TWO, hash: 'sha512' },
			],
			undefined,
		],
	])('%s', (header, values, timestamp) => {
		expect(readSignatureHeader(header)).toEqual({ values, timestamp });
	});

	test.each([
		'v1=short',
		'v1,short',
		'v1=',
		`v1=${ONE}!`,
		`v1,${ONE},${TWO}`,
		't=1',
		'xv2,y',
		'v2,x\ty',
	])('%s spoils the header for a good value next to it', (part) => {
		expect(readSignatureHeader(`${part} v1,${ONE}`)).toBeNull();
		expect(readSignatureHeader(`${ONE} ${part}`)).toBeNull();
	});

	test.each([
		['no timestamp', `v1=${ONE},v0=${TWO}`],
		['no v1', `t=1,v0=${ONE}`],
		['two timestamps', `t=1,t=1,v1=${ONE}`],
		['two headers of one name, which arrive as one', `t=1,v1=${ONE}, t=1,v1=${ONE}`],
		['two of them with a blank between', `t=1,v1=${ONE} t=1,v1=${ONE}`],
		['two HTTP dates', `t=${HTTP_DATE},t=${HTTP_DATE},v1=${ONE}`],
		['an HTTP date that is no timestamp', `t=1,x=${HTTP_DATE},v1=${ONE}`],
		['half an HTTP date', `t=Sat, 21 Nov 2026,v1=${ONE}`],
		['an empty timestamp', `t=,v1=${ONE}`],
		['a long timestamp', `t=${'1'.repeat(65)},v1=${ONE}`],
		['a malformed v1 next to a good one', `t=1,v1=short,v1=${ONE}`],
		['an empty field', `t=1,,v1=${ONE}`],
		['an empty field at the end', `t=1,v1=${ONE},`],
		['a field without value', `t=1,v1=${ONE},v0`],
		['a field without name', `t=1,v1=${ONE},=x`],
		['a long name', `t=1,v1=${ONE},${'x'.repeat(33)}=x`],
		['a blank before the sign', `t=1,v1 =${ONE}`],
		['a blank behind the sign', `t=1,v1= ${ONE}`],
		['a blank in place of the comma', `t=1 v1=${ONE}`],
		['a blank in a field that is ignored', `t=1,v1=${ONE},v0=a b`],
		['a tab in a field that is ignored', `t=1,v1=${ONE},v0=a\tb`],
	])('fields with %s are malformed', (_, header) => {
		expect(readSignatureHeader(header)).toBeNull();
	});

	test.each([
		['doubled by a proxy', `${ONE}, ${ONE}`],
		['a blank before it', ` ${ONE}`],
		['a blank after it', `${ONE} `],
		['a tab in it', `${ONE}\t${ONE}`],
		['in quotes', `"${ONE}"`],
		['too short', ONE.slice(0, 42)],
		['too long', ONE.repeat(3)],
		['padding alone', '='.repeat(64)],
		['an unknown prefix', `md5=${ONE}`],
		['a prefix alone', 'v1='],
		['only a later version', `v2,${ONE}`],
		['letters that look alike', ONE.replaceAll('a', 'а')],
	])('a signature %s is malformed', (_, header) => {
		expect(readSignatureHeader(header)).toBeNull();
	});

	test('eight values and no more', () => {
		const of = (count: number) => Array.from({ length: count }, () => ONE).join(' ');
		expect(readSignatureHeader(of(8))?.values).toHaveLength(8);
		expect(readSignatureHeader(of(9))).toBeNull();
		expect(readSignatureHeader(`t=1,v1=${of(9).replaceAll(' ', ',v1=')}`)).toBeNull();
		expect(readPrefixedHeader(of(8), '')?.values).toHaveLength(8);
		expect(readPrefixedHeader(of(9), '')).toBeNull();
	});

	test('2,048 characters and no more', () => {
		const fields = `t=1,v1=${ONE},v0=`.padEnd(2_048, 'x');
		expect(readSignatureHeader(fields)).not.toBeNull();
		expect(readSignatureHeader(`${fields}x`)).toBeNull();
		const prefix = 'x'.repeat(2_048 - ONE.length);
		expect(readPrefixedHeader(prefix + ONE, prefix)).not.toBeNull();
		expect(readPrefixedHeader(`x${prefix}${ONE}`, `x${prefix}`)).toBeNull();
	});

	test('a prefix of the user', () => {
		expect(readPrefixedHeader(`x:${ONE} x:${TWO}`, 'x:')).toEqual({
			values: [{ text: ONE }, { text: TWO }],
			timestamp: undefined,
		});
		for (const header of [ONE, `x:${ONE} ${TWO}`, `x:${ONE} y:${TWO}`, 'x:', `x: ${ONE}`, '']) {
			expect(readPrefixedHeader(header, 'x:')).toBeNull();
		}
	});
});

test.each([
	['x'.repeat(42), true],
	['x'.repeat(43), false],
	[`v9:${ONE}!`, false],
	[ONE.padEnd(2_048), false],
	[ONE.padEnd(2_049), true],
])('whether any scheme could read the header %o: hopeless %o', (header, expected) => {
	expect(isHopeless(header)).toBe(expected);
});

test('a long header that nearly is a signature takes no long search', () => {
	// The number of steps that a regular expression takes here would grow with a power of the length.
	const nearly = [
		'v1=' + 'a'.repeat(2_000),
		'a'.repeat(2_000) + '!',
		't=1' + `,v1=${ONE}`.repeat(29) + '!',
		't=1' + ' ,'.repeat(1_000),
		't=1' + ',v0='.repeat(500),
		'v2=' + 'v2='.repeat(600) + ' ',
		' '.repeat(2_048),
		'='.repeat(2_048),
	];
	for (const header of nearly) expect(readSignatureHeader(header)).toBeNull();
	for (const header of nearly) expect(readSignatureHeader(header.repeat(1_000))).toBeNull();
});

describe('a header', () => {
	test('is found whatever the case of its name', () => {
		expect(getHeader({ 'x-webhook-event': 'TEST' }, 'X-Webhook-Event')).toBe('TEST');
	});

	test.each([undefined, ['a'], ['a', 'b'], 7])('%o is none', (value) => {
		expect(getHeader({ 'x-webhook-event': value }, 'X-Webhook-Event')).toBeUndefined();
	});
});
