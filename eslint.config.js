// ESLint takes this file before eslint.config.mjs, which is n8n's own and may not be changed. It adds nothing
// but what n8n's rules are not for: dev/ and test/ are not published, and `npm run lint` checks them.
module.exports = import('./eslint.config.mjs').then(({ default: ofN8n }) => [
	...ofN8n,
	{ ignores: ['dev/', 'test/'] },
]);
