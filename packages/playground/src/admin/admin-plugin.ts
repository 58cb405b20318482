/** The admin API of `admin-contract.ts`: actions that Discord itself does not offer, for tests and bot authors. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PageApiError } from "../page/page-error.ts";
import type { SeedGuild } from "../simulator/seed.ts";
import type { AdminState } from "./admin-contract.ts";
import { registerChannelRoutes } from "./channel-routes.ts";
import { registerGatewayRoutes } from "./gateway-routes.ts";
import { registerMemberRoutes } from "./member-routes.ts";
import { registerRequestRoutes } from "./request-routes.ts";
import { registerGuildRoutes } from "./guild-routes.ts";
import { registerEntitlementRoutes } from "./entitlement-routes.ts";
import type { AdminDeps, AdminContext } from "./admin-context.ts";

/** Inside the page's scope, so that its host guard and error handling apply. */
export function registerAdminRoutes(scope: FastifyInstance, deps: AdminDeps): void {
	const { simulator, faults, clock, gateway } = deps;
	const { overrides, guilds, installs, members, entitlements } = simulator;

	function guildOf(request: FastifyRequest): SeedGuild {
		const { guild: id } = request.query as { guild?: string };
		const found = id === undefined ? guilds.first : guilds.find(id);
		if (!found) throw new PageApiError(404, "Unknown server.");
		return found;
	}

	const stateOf = (guild: SeedGuild): AdminState => ({
		nowMs: clock.nowMs(),
		guild: { id: guild.id, name: guild.name },
		guildCount: guilds.count,
		files: filesIn(guild),
		isBotMember: overrides.isBotMember(guild),
		access: guild.channels.map(({ id: channelId }) => ({ channelId, access: overrides.accessTo(channelId) })),
		closedDirectUserIds: [...overrides.closedDirectUserIds],
		faults: faults.list(),
		events: gateway.injected.list(),
		heartbeatIntervalMs: overrides.heartbeatIntervalMs,
		answersResume: overrides.answersResume,
		guildSettings: { locale: overrides.localeOf(guild), boostLevel: overrides.boostLevelOf(guild) },
		members: members.inGuild(guild).map((user) => members.toPageMember(guild, user)),
		items: entitlements.skus(),
		entitlements: entitlements.list().map((each) => entitlements.serialize(each)),
	});
	function filesIn(guild: SeedGuild): AdminState["files"] {
		const { attachmentBytesMax: bytesMax, ...limits } = overrides.fileLimitsIn(guild);
		return { bytesMax, ...limits };
	}
	const state = (request: FastifyRequest): AdminState => stateOf(guildOf(request));
	const context: AdminContext = { ...deps, state, guildOf };

	scope.get("/playground/admin", state);
	scope.delete("/playground/admin", (request) => {
		const changed = overrides.changedIds().flatMap((id) => guilds.find(id) ?? []);
		const without = changed.filter((guild) => !installs.isMember(guild));
		overrides.reset();
		faults.clear();
		gateway.injected.clear();
		for (const guild of changed) simulator.events.emit({ type: "guild", guild });
		for (const guild of without)
			simulator.events.emit({ type: "bot", guild, was: false, is: installs.isMember(guild) });
		simulator.events.emit({ type: "members" });
		return state(request);
	});
	registerGuildRoutes(scope, context);
	registerRequestRoutes(scope, context);
	registerChannelRoutes(scope, context);
	registerMemberRoutes(scope, context);
	registerGatewayRoutes(scope, context);
	registerEntitlementRoutes(scope, context);
}
