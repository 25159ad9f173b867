module.exports = globalThis.loadOnce('n8n-core');
