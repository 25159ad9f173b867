const { Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');

/** Icons are shared by nodes and credentials, and stay where their relative paths expect them. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

const withoutBlanks = () =>
	new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
			done(null, file);
		},
	});

/** The codex (categories and search words) lies beside each node. */
const codex = () => src('nodes/**/*.node.json').pipe(withoutBlanks()).pipe(dest('dist/nodes'));

/** What each operation puts out, for the editor to offer before the node has run. */
const schemas = () =>
	src('nodes/**/__schema__/**/*.json').pipe(withoutBlanks()).pipe(dest('dist/nodes'));

exports.assets = parallel(icons, codex, schemas);
