/** The registered commands of an application, global and per guild. */
import {
	type APIApplicationCommand,
	type APIApplicationCommandOption,
	ApplicationCommandType,
	ApplicationIntegrationType,
} from "discord-api-types/v10";
import type { Table } from "../document-store.ts";
import type { SimulatorEvents } from "./events.ts";
import { apiErrors } from "./api-error.ts";
import { type CommandOverride, isAllowed, isAllowedWithOverrides, type Invoker } from "./permissions.ts";
import type { Snowflakes } from "./discord-values.ts";

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

export interface Commands {
	readonly list: (scope: CommandScope) => APIApplicationCommand[];
	readonly get: (scope: CommandScope, id: string) => APIApplicationCommand;
	/** Creates a command, or overwrites the one with the same type and name. */
	put(scope: CommandScope, body: CommandBody): { command: APIApplicationCommand; isNew: boolean };
	/** Replaces the whole list. */
	readonly putAll: (scope: CommandScope, bodies: readonly CommandBody[]) => APIApplicationCommand[];
	readonly patch: (scope: CommandScope, id: string, changes: Partial<CommandBody>) => APIApplicationCommand;
	readonly remove: (scope: CommandScope, id: string) => void;
	/** Returns the commands that a user sees in this guild or, with a channel, in that channel. */
	readonly usable: (guildId: string | null, who: Invoker, channelId?: string) => APIApplicationCommand[];
	/** Returns the overrides of a command in a guild; `undefined` without any. */
	readonly overrides: (guildId: string, commandId: string) => readonly CommandOverride[] | undefined;
	/** An empty list removes all overrides. */
	readonly override: (guildId: string, commandId: string, overrides: readonly CommandOverride[]) => void;
	/** Removes the guild's commands, as when the bot has left it. */
	readonly removeGuild: (guildId: string) => void;
}

const overrideKey = (guildId: string, commandId: string): string => `${guildId}:${commandId}`;

export function createCommands(deps: {
	applicationId: string;
	snowflakes: Snowflakes;
	events: SimulatorEvents;
	records: Table<APIApplicationCommand>;
	overrideRecords: Table<readonly CommandOverride[]>;
	atomically: <Result>(work: () => Result) => Result;
}): Commands {
	const { applicationId, snowflakes, events, records, overrideRecords, atomically } = deps;
	const list = (scope: CommandScope): APIApplicationCommand[] =>
		[...records.values()].filter(({ guild_id }) => (guild_id ?? null) === scope);
	const sameName = (scope: CommandScope, body: CommandBody): APIApplicationCommand | undefined =>
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
		for (const [type, most] of COMMANDS_MAX) {
			const count = list(scope).filter((command) => command.type === type).length;
			if (count > most) throw apiErrors.tooManyCommands(most);
		}
	}

	function changing<Result>(work: () => Result): Result {
		const result = work();
		events.emit({ type: "commands" });
		return result;
	}

	return {
		list,
		get,
		put: (scope, body) =>
			changing(() => {
				const known = sameName(scope, body);
				const command = write(scope, body, known);
				try {
					checkCount(scope);
				} catch (error) {
					if (!known) records.delete(command.id);
					throw error;
				}
				return { command, isNew: !known };
			}),
		putAll: (scope, bodies) =>
			changing(() => {
				for (const [type, most] of COMMANDS_MAX) {
					const asked = bodies.filter((body) => (body.type ?? ApplicationCommandType.ChatInput) === type);
					if (asked.length > most) throw apiErrors.tooManyCommands(most);
				}
				return atomically(() => {
					const kept = bodies.map((body) => write(scope, body, sameName(scope, body)));
					const ids = new Set(kept.map(({ id }) => id));
					for (const { id } of list(scope)) if (!ids.has(id)) records.delete(id);
					return kept;
				});
			}),
		patch: (scope, id, changes) =>
			changing(() => {
				const known = get(scope, id);
				return write(scope, { ...known, ...changes }, known);
			}),
		remove: (scope, id) => changing(() => records.delete(get(scope, id).id)),
		overrides: (guildId, commandId) => overrideRecords.get(overrideKey(guildId, commandId)),
		override: (guildId, commandId, overrides) =>
			changing(() => {
				const key = overrideKey(guildId, commandId);
				if (overrides.length === 0) overrideRecords.delete(key);
				else overrideRecords.set(key, overrides);
			}),
		removeGuild: (guildId) =>
			changing(() =>
				atomically(() => {
					for (const { id } of [...list(null), ...list(guildId)]) overrideRecords.delete(overrideKey(guildId, id));
					for (const { id } of list(guildId)) records.delete(id);
				}),
			),
		usable(guildId, who, channelId) {
			const own = guildId === null ? [] : list(guildId);
			const names = new Set(own.map(({ type, name }) => `${type} ${name}`));
			const everywhere = list(null).filter(({ type, name }) => !names.has(`${type} ${name}`));
			return [...own, ...everywhere].filter(({ id, default_member_permissions: required }) =>
				guildId === null
					? isAllowed(required, who.permissions)
					: isAllowedWithOverrides(required, overrideRecords.get(overrideKey(guildId, id)) ?? [], who, {
							guildId,
							channelId,
						}),
			);
		},
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
		...(options && options.length > 0 ? { options: options.map((option) => normalizeOption(option)) } : {}),
		nsfw: body["nsfw"] ?? false,
	} as APIApplicationCommand;
}

/** Fields of commands only; seyfert sends them with subcommands too, where Discord ignores them. */
export const COMMAND_ONLY_FIELDS = [
	"nsfw",
	"contexts",
	"integration_types",
	"default_member_permissions",
	"guild_id",
] as const;

function normalizeOption(option: object): object {
	const ignored: ReadonlySet<string> = new Set(COMMAND_ONLY_FIELDS);
	const kept = Object.entries(option).filter(
		([key, value]) =>
			value !== null &&
			value !== undefined &&
			!ignored.has(key) &&
			!((key === "required" || key === "autocomplete") && value === false),
	);
	return Object.fromEntries(
		kept.map(([key, value]) => [
			key,
			key === "options" && Array.isArray(value) ? value.map((inner: object) => normalizeOption(inner)) : value,
		]),
	);
}
