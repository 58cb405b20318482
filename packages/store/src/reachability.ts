import type { Logger } from "pino";

/** Logs once per connection that the server is unreachable, and once that it is back. */
export function createReachability(role: "store" | "queue", address: string, logger: Logger) {
	let isLost = false;
	return {
		lost(error: unknown): void {
			if (!isLost) logger.warn({ address, err: error }, `${role} connection lost`);
			isLost = true;
		},
		responded(): void {
			if (isLost) logger.info({ address }, `${role} reachable again`);
			isLost = false;
		},
	};
}
