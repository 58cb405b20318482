import { DiscordAPIError, Routes, type REST, type RESTPostAPIApplicationCommandsJSONBody } from "discord.js";
import type { Logger } from "pino";

/** The start waits at most this long. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Replaces the registered commands. Of Discord's 200 creations a day, only new names count. If Discord does not respond, the bot
 * continues with the registered commands. Resolves to Discord's list of the commands, if it is known.
 */
export async function registerCommands(
	rest: REST,
	applicationId: string,
	commands: readonly RESTPostAPIApplicationCommandsJSONBody[],
	logger: Logger,
): Promise<unknown> {
	try {
		const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
		const registered = await rest.put(Routes.applicationCommands(applicationId), { body: commands, signal });
		logger.info({ commands: commands.length }, "commands registered");
		return registered;
	} catch (error) {
		// Discord rejects these commands or this bot: stop the start.
		if (error instanceof DiscordAPIError) throw error;
		logger.error({ err: error }, "commands not registered: the next start tries again");
		return undefined;
	}
}
