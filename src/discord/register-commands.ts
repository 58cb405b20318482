import { isDeepStrictEqual } from "node:util";
import {
	ApplicationCommandType,
	DiscordAPIError,
	Routes,
	type REST,
	type RESTPostAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { Logger } from "pino";

/** The start waits for each of the two requests at most this long. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Registers the commands if they differ: Discord allows 200 creations a day. If Discord does not respond, the bot
 * continues with the registered commands. Resolves to Discord's list of the commands, if it is known.
 */
export async function registerCommands(
	rest: REST,
	applicationId: string,
	wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
	logger: Logger,
): Promise<unknown> {
	const route = Routes.applicationCommands(applicationId);
	const registered = await readCommands(rest, route, logger);
	if (registered && isRegistered(registered, wanted)) {
		logger.info({ commands: wanted.length }, "commands unchanged");
		return registered;
	}
	try {
		const list = await rest.put(route, { body: wanted, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
		logger.info({ commands: wanted.length }, "commands registered");
		return list;
	} catch (error) {
		// Discord rejects these commands or this bot: stop the start.
		if (error instanceof DiscordAPIError) throw error;
		logger.error({ err: error }, "commands not registered: the next start tries again");
		return registered;
	}
}

/** Reads the registered commands; `undefined` if that fails: the commands are then registered again. */
async function readCommands(rest: REST, route: `/${string}`, logger: Logger): Promise<readonly unknown[] | undefined> {
	try {
		const query = new URLSearchParams({ with_localizations: "true" });
		const registered = await rest.get(route, { query, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
		if (Array.isArray(registered)) return registered;
		logger.warn("registered commands not read: registering again");
	} catch (error) {
		if (error instanceof DiscordAPIError && error.status === 401) throw error;
		logger.warn({ err: error }, "registered commands not read: registering again");
	}
	return undefined;
}

/** Returns true if exactly the wanted commands are registered, in any order. */
function isRegistered(
	registered: readonly unknown[],
	wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
): boolean {
	const byName = new Map(registered.map((command) => [nameOf(command as Named), normalize(command)]));
	const isSame = wanted.every((each) => isDeepStrictEqual(normalize(each), byName.get(nameOf(each))));
	return isSame && registered.length === wanted.length;
}

interface Named {
	readonly name: string;
	readonly type?: ApplicationCommandType | undefined;
}

/** Returns a unique name: a slash command and a menu command may have the same name. */
function nameOf({ name, type = ApplicationCommandType.ChatInput }: Named): string {
	return `${type} ${name}`;
}

/** Discord adds ids and defaults: only defined fields count, and a missing field equals its default. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
	required: false,
	autocomplete: false,
	nsfw: false,
	// Defaults of a menu command.
	description: "",
	name_localizations: null,
	description_localizations: null,
	default_member_permissions: null,
};
const IGNORED_FIELDS = new Set(["id", "application_id", "version", "guild_id", "handler", "dm_permission"]);

function normalize(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((each) => normalize(each));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value)
		.filter(([key, each]) => each !== undefined && !IGNORED_FIELDS.has(key) && !isDefault(key, each))
		.map(([key, each]) => [key, normalize(each)] as const);
	return Object.fromEntries(entries);
}

function isDefault(key: string, value: unknown): boolean {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	return isEmptyList || (key in DEFAULTS && isDeepStrictEqual(DEFAULTS[key] ?? null, value ?? null));
}
