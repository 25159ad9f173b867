module.exports = globalThis.loadOnce('@n8n/backend-common');
