export * from '../../../demo/n8n/workflow';
