module.exports = globalThis.loadOnce('@n8n/di');
