/** The registered commands of an application, global and per guild. */
import {
	type APIApplicationCommand,
	type APIApplicationCommandOption,
	ApplicationCommandOptionType as OptionType,
	ApplicationCommandType,
	ApplicationIntegrationType,
} from "discord-api-types/v10";
import { mapJson } from "../json.ts";
import { apiErrors } from "./api-error.ts";
import type { Core } from "./core.ts";
import type { CommandPermission } from "./permissions.ts";

/** The maximum per type, globally and again per guild. */
const COMMANDS_MAX = [
	[ApplicationCommandType.ChatInput, 100],
	[ApplicationCommandType.User, 15],
	[ApplicationCommandType.Message, 15],
] as const;

/** The body of a command after validation. */
export interface CommandBody {
	readonly name: string;
	readonly type?: ApplicationCommandType | null;
	readonly description?: string | null;
	readonly options?: readonly APIApplicationCommandOption[] | null;
	readonly default_member_permissions?: string | number | null;
	readonly [key: string]: unknown;
}

/** `null` for global commands. */
export type CommandScope = string | null;

const permissionsKey = (guildId: string, commandId: string): string => `${guildId}:${commandId}`;

export type Commands = ReturnType<typeof createCommands>;

export function createCommands({ seed, snowflakes, events, tables, atomically }: Core) {
	const { commands: records, commandPermissions } = tables;
	const applicationId = seed.application.id;
	const list = (scope: CommandScope): APIApplicationCommand[] =>
		[...records.values()].filter(({ guild_id }) => (guild_id ?? null) === scope);
	/** The commands of a guild, then the global ones. */
	const listIn = (guildId: string): APIApplicationCommand[] => [...list(guildId), ...list(null)];
	const findSameName = (scope: CommandScope, body: CommandBody): APIApplicationCommand | undefined =>
		list(scope).find(
			({ name, type }) => name === body.name && type === (body.type ?? ApplicationCommandType.ChatInput),
		);

	function get(scope: CommandScope, id: string): APIApplicationCommand {
		const command = records.get(id);
		if (!command || (command.guild_id ?? null) !== scope) throw apiErrors.unknownCommand();
		return command;
	}

	/** An unchanged command keeps its version, so that registering again changes nothing. */
	function write(
		scope: CommandScope,
		body: CommandBody,
		known: APIApplicationCommand | undefined,
	): APIApplicationCommand {
		const id = known?.id ?? snowflakes.next();
		const command = commandFor(applicationId, scope, id, known?.version ?? "0", body);
		if (known && JSON.stringify(known) === JSON.stringify(command)) return known;
		const written = { ...command, version: known ? snowflakes.next() : id };
		records.set(id, written);
		return written;
	}

	function checkCount(scope: CommandScope): void {
		for (const [type, countMax] of COMMANDS_MAX) {
			const count = list(scope).filter((command) => command.type === type).length;
			if (count > countMax) throw apiErrors.tooManyCommands(countMax);
		}
	}

	function changeAndNotify<Result>(work: () => Result): Result {
		return atomically(() => {
			const result = work();
			events.emit({ type: "view" });
			return result;
		});
	}

	return {
		list,
		listIn,
		get,
		/** Creates a command, or overwrites the one with the same type and name. */
		put: (scope: CommandScope, body: CommandBody): { command: APIApplicationCommand; isNew: boolean } =>
			changeAndNotify(() => {
				const known = findSameName(scope, body);
				const command = write(scope, body, known);
				checkCount(scope);
				return { command, isNew: !known };
			}),
		/** Replaces the whole list. */
		putAll: (scope: CommandScope, bodies: readonly CommandBody[]): APIApplicationCommand[] =>
			changeAndNotify(() => {
				const kept = bodies.map((body) => write(scope, body, findSameName(scope, body)));
				const ids = new Set(kept.map(({ id }) => id));
				for (const { id } of list(scope)) if (!ids.has(id)) records.delete(id);
				checkCount(scope);
				return kept;
			}),
		replace: (scope: CommandScope, known: APIApplicationCommand, body: CommandBody): APIApplicationCommand =>
			changeAndNotify(() => write(scope, body, known)),
		remove: (scope: CommandScope, id: string): void => changeAndNotify(() => records.delete(get(scope, id).id)),
		/** Returns the permissions of a command that admins set in a guild; `undefined` without any. */
		permissions: (guildId: string, commandId: string): readonly CommandPermission[] | undefined =>
			commandPermissions.get(permissionsKey(guildId, commandId)),
		/** The permissions of a command in a guild, as Discord sends them. */
		serializePermissions: (guildId: string, id: string): object => ({
			id,
			application_id: applicationId,
			guild_id: guildId,
			permissions: commandPermissions.get(permissionsKey(guildId, id)) ?? [],
		}),
		/** Replaces the permissions of a command; an empty list removes all. */
		setPermissions: (guildId: string, commandId: string, permissions: readonly CommandPermission[]): void =>
			changeAndNotify(() => {
				const key = permissionsKey(guildId, commandId);
				if (permissions.length === 0) commandPermissions.delete(key);
				else commandPermissions.set(key, permissions);
				events.emit({ type: "commandPermissions", guildId, commandId });
			}),
		/** Removes the guild's commands and the permissions of all commands there, as when the bot has left it. */
		removeGuild: (guildId: string): void =>
			changeAndNotify(() => {
				for (const { id } of listIn(guildId)) commandPermissions.delete(permissionsKey(guildId, id));
				for (const { id } of list(guildId)) records.delete(id);
			}),
		/** Returns the commands of a guild, its own first, or of direct messages. Discord shows both of the same name. */
		availableIn: (guildId: string | null): APIApplicationCommand[] =>
			(guildId === null ? list(null) : listIn(guildId)).filter(
				({ integration_types: types }) => types?.includes(ApplicationIntegrationType.GuildInstall) !== false,
			),
	};
}

/** Returns the command as Discord does: with defaults, and without redundant option fields. */
function commandFor(
	applicationId: string,
	scope: CommandScope,
	id: string,
	version: string,
	body: CommandBody,
): APIApplicationCommand {
	const type = body.type ?? ApplicationCommandType.ChatInput;
	const required = body.default_member_permissions;
	const { options } = body;
	return {
		id,
		application_id: applicationId,
		version,
		default_member_permissions: required === null || required === undefined ? null : String(required),
		type,
		name: body.name,
		name_localizations: body["name_localizations"] ?? null,
		description: body.description ?? "",
		description_localizations: body["description_localizations"] ?? null,
		...(scope === null
			? {
					dm_permission: body["dm_permission"] ?? true,
					contexts: body["contexts"] ?? null,
					integration_types: body["integration_types"] ?? [ApplicationIntegrationType.GuildInstall],
				}
			: { guild_id: scope }),
		...(options && options.length > 0 ? { options: normalizeOptions(options) } : {}),
		nsfw: body["nsfw"] ?? false,
	} as APIApplicationCommand;
}

export function isSubcommand(option: APIApplicationCommandOption) {
	return option.type === OptionType.Subcommand || option.type === OptionType.SubcommandGroup;
}

/** Fields of commands only; seyfert sends them with subcommands too, where Discord ignores them. */
export const COMMAND_ONLY_FIELDS = [
	"nsfw",
	"contexts",
	"integration_types",
	"default_member_permissions",
	"guild_id",
] as const;

const IGNORED_FIELDS: ReadonlySet<unknown> = new Set(COMMAND_ONLY_FIELDS);

function normalizeOptions(options: readonly APIApplicationCommandOption[]): unknown {
	return mapJson(options, (value, path) => {
		const field = path.at(-1);
		const isDefault = value === false && (field === "required" || field === "autocomplete");
		return value === null || isDefault || IGNORED_FIELDS.has(field) ? undefined : value;
	});
}
