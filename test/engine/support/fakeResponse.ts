import { EventEmitter } from 'node:events';
import type { IDataObject } from 'n8n-workflow';

/** As much of an HTTP response as the trigger touches. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	/** The connection is gone already, as when the sender hung up while the request waited. */
	destroyed = false;
	readonly answers: Array<{ status: number; body: IDataObject }> = [];

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: IDataObject): void {
		this.answers.push({ status: this.statusCode, body });
	}

	/** The response was sent, as Node.js reports it: `finish`, then `close`. */
	finish(statusCode: number): void {
		this.answerLate(statusCode);
		this.emit('finish');
		this.emit('close');
	}

	/** The connection broke before the response was out. */
	breakOff(): void {
		this.destroyed = true;
		this.emit('close');
	}

	/** n8n responds, whether or not the sender is still there. */
	answerLate(statusCode: number): void {
		this.statusCode = statusCode;
		this.writableEnded = true;
	}
}
