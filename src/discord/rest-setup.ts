/** The setup that both REST clients of the bot share: the client's own and that of deliveries. */
import type { REST } from "discord.js";
import type { Logger } from "pino";
import { TOKEN_REJECTED } from "../config/startup-errors.ts";

/**
 * discord.js keeps a queue for each interaction token and sweeps idle ones once an hour: at a hundred commands per
 * second these queues would take gigabytes.
 */
export const REST_OPTIONS = { handlerSweepInterval: 10_000 } as const;

interface RestEventDeps {
	readonly logger: Logger;
	/** Called when Discord rejects the bot token: discord.js then forgets the token and sends nothing more. */
	readonly onLost: (reason: string) => void;
}

/** Logs the rate limits of a REST client, and reports a rejected bot token. */
export function listenForRestEvents(rest: REST, { logger, onLost }: RestEventDeps): void {
	rest.on("response", ({ data }, { status }) => {
		if (status === 401 && data.auth !== false) onLost(TOKEN_REJECTED);
	});
	rest.on("rateLimited", ({ method, url, timeToReset, scope }) => {
		logger.warn({ method, route: url, timeToResetMs: timeToReset, scope }, "rate limited");
	});
}
