import {
	ApplicationCommandPermissionType as Type,
	DiscordAPIError,
	RESTJSONErrorCodes,
	Routes,
	type REST,
	type RESTGetAPIApplicationCommandPermissionsResult,
} from "discord.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { CommandOverride, CommandOverrides } from "../services/settings/command-access.ts";

const FRESH_MS = 60_000;
const REMEMBERED_MAX = 1_000;
/** Within the time that a person waits for an answer. */
const READ_TIMEOUT_MS = 10_000;

const KINDS = { [Type.Role]: "role", [Type.User]: "user", [Type.Channel]: "channel" } as const satisfies Record<
	Type,
	CommandOverride["kind"]
>;

/** Discord's own command permissions, remembered for a minute. A read that fails is not remembered. */
export function createCommandPermissions({
	rest,
	clock,
}: {
	readonly rest: REST;
	readonly clock: Clock;
}): CommandOverrides {
	const known = new LRUCache<string, readonly CommandOverride[]>({
		max: REMEMBERED_MAX,
		ttl: FRESH_MS,
		ttlResolution: 0,
		perf: { now: () => clock.nowMs() },
	});

	async function fetchOverrides(route: `/${string}`): Promise<readonly CommandOverride[]> {
		try {
			const { permissions } = (await rest.get(route, {
				signal: AbortSignal.timeout(READ_TIMEOUT_MS),
			})) as RESTGetAPIApplicationCommandPermissionsResult;
			return permissions.map(({ id, type, permission }) => ({ kind: KINDS[type], id, isAllowed: permission }));
		} catch (error) {
			// Nobody decided anything about this command.
			const isNone =
				error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownApplicationCommandPermissions;
			if (isNone) return [];
			throw error;
		}
	}

	return {
		async read({ applicationId, guildId, commandId }) {
			const route = Routes.applicationCommandPermissions(applicationId, guildId, commandId);
			const remembered = known.get(route);
			if (remembered) return remembered;
			const overrides = await fetchOverrides(route);
			known.set(route, overrides);
			return overrides;
		},
	};
}
