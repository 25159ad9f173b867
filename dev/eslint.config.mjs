// n8n's rules are for what is published. `npm run lint` checks this folder with eslint.project.mjs.
export default [{ ignores: ['**/*'] }];
