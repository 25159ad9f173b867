import * as m from './dev/n8n/install/install';
const f = (m as any).ensureN8nInstalled ?? (m as any).default.ensureN8nInstalled;
const h = await f({});
console.log('installed', h.folder);
