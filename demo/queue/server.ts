/** A server that n8n uses, started on a port of its own with data of its own. */
export interface Server {
	readonly port: number;
	readonly password: string;
	/** Started again after it was stopped or killed: on the same port, with the same data. */
	start(): Promise<void>;
	/** Ends it in order, with everything saved. */
	stop(): Promise<void>;
	/** Ends it at once, as a power cut would. */
	kill9(): Promise<void>;
}
