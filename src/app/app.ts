/** A running process of Atelier. */
export interface App {
	/** Origin of its HTTP server, such as `http://127.0.0.1:8080`: page, studio, health. */
	readonly origin: string;
	/** Resolves, if ever, with the reason why it can do no more work until it is restarted. */
	readonly fatal: Promise<string>;
	/** Disposes everything in reverse order. Rejects at the end if a part could not be disposed. Idempotent. */
	stop(): Promise<void>;
}
