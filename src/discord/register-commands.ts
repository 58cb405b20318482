import { isDeepStrictEqual } from "node:util";
import type { REST } from "@discordjs/rest";
import {
	ApplicationCommandType,
	DiscordAPIError,
	Routes,
	type RESTPostAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { Logger } from "pino";

/** The start waits for each of the two requests no longer than that. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Registers the commands, only where they differ: Discord allows 200 creations a day. Where Discord does not answer, the bot
 * goes on with the commands that are registered. True: something was registered.
 */
export async function registerCommands(
	rest: REST,
	applicationId: string,
	wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
	logger: Logger,
): Promise<boolean> {
	const route = Routes.applicationCommands(applicationId);
	const registered = await readCommands(rest, route, logger);
	if (registered && isSame(registered, wanted)) {
		logger.info({ commands: wanted.length }, "commands unchanged");
		return false;
	}
	try {
		await rest.put(route, { body: wanted, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
	} catch (error) {
		// Discord refuses these commands, or this bot: a start that goes on would hide it.
		if (error instanceof DiscordAPIError) throw error;
		logger.error({ err: error }, "commands not registered, the next start tries again");
		return false;
	}
	logger.info({ commands: wanted.length }, "commands registered");
	return true;
}

/** `undefined` where they cannot be read: registering them again is no harm then. */
async function readCommands(rest: REST, route: `/${string}`, logger: Logger): Promise<readonly unknown[] | undefined> {
	try {
		const query = new URLSearchParams({ with_localizations: "true" });
		const registered = await rest.get(route, { query, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
		if (Array.isArray(registered)) return registered;
		logger.warn("registered commands not read, they are registered again");
	} catch (error) {
		if (error instanceof DiscordAPIError && error.status === 401) throw error;
		logger.warn({ err: error }, "registered commands not read, they are registered again");
	}
	return undefined;
}

function isSame(registered: readonly unknown[], wanted: readonly RESTPostAPIApplicationCommandsJSONBody[]): boolean {
	const { missing, changed, others } = differingCommands(registered, wanted);
	return missing.length + changed.length + others.length === 0;
}

/** In what the registered commands differ from the wanted ones, by name. */
export function differingCommands(
	registered: readonly unknown[],
	wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
): { readonly missing: readonly string[]; readonly changed: readonly string[]; readonly others: readonly string[] } {
	const byName = new Map(registered.map((command) => [nameOf(command as Named), normal(command)]));
	const names = new Set(wanted.map(nameOf));
	const found = wanted.filter((each) => byName.has(nameOf(each)));
	return {
		missing: wanted.filter((each) => !byName.has(nameOf(each))).map(({ name }) => name),
		changed: found.filter((each) => !isDeepStrictEqual(normal(each), byName.get(nameOf(each)))).map(({ name }) => name),
		others: registered.filter((each) => !names.has(nameOf(each as Named))).map((each) => (each as Named).name),
	};
}

interface Named {
	readonly name: string;
	readonly type?: ApplicationCommandType | undefined;
}

/** What is typed and what stands in a menu may have the same name. */
function nameOf({ name, type = ApplicationCommandType.ChatInput }: Named): string {
	return `${type} ${name}`;
}

/** Discord adds ids and spells out defaults: only what we say counts, and saying nothing is the same as saying the default. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
	required: false,
	autocomplete: false,
	nsfw: false,
	// What a command of a context menu has.
	description: "",
	name_localizations: null,
	description_localizations: null,
	default_member_permissions: null,
	dm_permission: true,
};
const DISCORDS_OWN = new Set(["id", "application_id", "version", "guild_id", "handler", "dm_permission"]);

function normal(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((each) => normal(each));
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value)
		.filter(([key, each]) => each !== undefined && !DISCORDS_OWN.has(key) && !isDefault(key, each))
		.map(([key, each]) => [key, normal(each)] as const);
	return Object.fromEntries(entries);
}

function isDefault(key: string, value: unknown): boolean {
	const isEmptyList = Array.isArray(value) && value.length === 0;
	return isEmptyList || (key in DEFAULTS && isDeepStrictEqual(DEFAULTS[key] ?? null, value ?? null));
}
