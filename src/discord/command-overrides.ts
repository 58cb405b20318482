import {
	ApplicationCommandPermissionType as Type,
	RESTJSONErrorCodes,
	Routes,
	type REST,
	type RESTGetAPIApplicationCommandPermissionsResult,
} from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { createReadCache } from "../services/read-cache.ts";
import type { CommandOverride, CommandOverrides } from "../services/access/command-overrides.ts";
import type { CommandMentions } from "./command-mentions.ts";
import { readUnlessAbsent } from "./read-if-visible.ts";

const CACHE_MS = 60_000;
const CACHED_COMMANDS_MAX = 1_000;

const KINDS = { [Type.Role]: "role", [Type.User]: "user", [Type.Channel]: "channel" } as const satisfies Record<
	Type,
	CommandOverride["kind"]
>;

interface CommandOverridesDeps {
	readonly rest: REST;
	readonly commandMentions: Pick<CommandMentions, "learn" | "idOf">;
	readonly clock: Clock;
}

/** Reads the permissions that the admins of a server set for a command, cached for a minute. A failed read is not cached. */
export function createCommandOverrides({ rest, commandMentions, clock }: CommandOverridesDeps): CommandOverrides {
	const cache = createReadCache<readonly CommandOverride[]>({
		clock,
		ttlMs: CACHE_MS,
		entriesMax: CACHED_COMMANDS_MAX,
	});
	/** Members press buttons at the same time, also of commands that Discord does not list. */
	const listCache = createReadCache<void>({ clock, ttlMs: CACHE_MS, entriesMax: 1 });

	async function learnIds(route: `/${string}`): Promise<void> {
		commandMentions.learn(await readUnlessAbsent(rest, route, () => false));
	}

	async function fetchOverrides(route: `/${string}`): Promise<readonly CommandOverride[]> {
		const stored = await readUnlessAbsent<RESTGetAPIApplicationCommandPermissionsResult>(
			rest,
			route,
			// No admin has changed this command's permissions.
			({ code }) => code === RESTJSONErrorCodes.UnknownApplicationCommandPermissions,
		);
		return (stored?.permissions ?? []).map(({ id, type, permission }) => {
			return { kind: KINDS[type], id, isAllowed: permission };
		});
	}

	return {
		async read({ applicationId, guildId, commandName }) {
			// Discord did not respond to the registration.
			if (commandMentions.idOf(commandName) === undefined) {
				const listRoute = Routes.applicationCommands(applicationId);
				await listCache(listRoute, () => learnIds(listRoute));
			}
			const registeredId = commandMentions.idOf(commandName);
			if (registeredId === undefined) return [];
			const route = Routes.applicationCommandPermissions(applicationId, guildId, registeredId);
			return await cache(route, () => fetchOverrides(route));
		},
	};
}
