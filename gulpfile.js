const { dest, parallel, src } = require('gulp');

/** Icons are shared by nodes and credentials, and stay where their relative paths expect them. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));

/** The codex (categories and search words) lies beside each node. */
const codex = () => src('nodes/**/*.node.json', { encoding: false }).pipe(dest('dist/nodes'));

exports.assets = parallel(icons, codex);
