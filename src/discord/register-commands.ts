import { isDeepStrictEqual } from "node:util";
import type { REST } from "@discordjs/rest";
import { ApplicationCommandType, Routes, type RESTPostAPIApplicationCommandsJSONBody } from "discord.js";
import type { Logger } from "pino";

/** Registers the commands, only where they differ: Discord allows 200 creations a day. True: something was registered. */
export async function registerCommands(
	rest: REST,
	applicationId: string,
	wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
	logger: Logger,
): Promise<boolean> {
	const route = Routes.applicationCommands(applicationId);
	const registered = (await rest.get(route, {
		query: new URLSearchParams({ with_localizations: "true" }),
	})) as unknown[];
	if (isSame(registered, wanted)) {
		logger.info({ commands: wanted.length }, "commands unchanged");
		return false;
	}
	await rest.put(route, { body: wanted });
	logger.info({ commands: wanted.length }, "commands registered");
	return true;
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
