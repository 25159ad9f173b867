import type { FastifyRequest } from 'fastify';
import type { Incoming, UploadedFile } from './operation';

/** 10 MB, the most that a product image may have (docs/api.md#limits). */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/**
 * Reads a multipart body to its end. The raw bytes are collected alongside the parser, because the
 * recorded request must contain what really arrived, also when it could not be parsed.
 */
export async function readUpload(request: FastifyRequest): Promise<Incoming> {
	const chunks: Buffer[] = [];
	request.raw.on('data', (chunk: Buffer) => chunks.push(chunk));
	const files = await readFiles(request).catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
	return { request, rawBody: Buffer.concat(chunks), files };
}

async function readFiles(request: FastifyRequest): Promise<UploadedFile[]> {
	const files: UploadedFile[] = [];
	const limits = { fileSize: MAX_IMAGE_BYTES };
	for await (const part of request.parts({ limits })) {
		if (part.type !== 'file') continue;
		const bytes = await part.toBuffer();
		files.push({ fieldName: part.fieldname, bytes, tooLarge: part.file.truncated });
	}
	return files;
}
