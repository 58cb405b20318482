/** The admin API of `admin-contract.ts`: actions that Discord itself does not offer, for tests and bot authors. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PageRefusalError } from "../http/refusal.ts";
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
	const { switches, servers, installs, people, shop } = simulator;

	function serverOf(request: FastifyRequest): SeedGuild {
		const { server } = request.query as { server?: string };
		const found = server === undefined ? servers.first : servers.find(server);
		if (!found) throw new PageRefusalError(404, "Unknown server.");
		return found;
	}

	const stateOf = (server: SeedGuild): AdminState => ({
		nowMs: clock.nowMs(),
		guild: { id: server.id, name: server.name },
		serverCount: servers.count,
		files: filesIn(server),
		isBotMember: switches.isBotMember(server),
		access: server.channels.map(({ id: channelId }) => ({ channelId, access: switches.accessTo(channelId) })),
		closedDirectUserIds: [...switches.closedDirectUserIds],
		faults: faults.list(),
		events: gateway.injected.list(),
		heartbeatIntervalMs: switches.heartbeatIntervalMs,
		answersResume: switches.answersResume,
		server: { locale: switches.localeOf(server), boostLevel: switches.boostLevelOf(server) },
		members: people.in(server).map((person) => people.page(server, person)),
		items: shop.items(),
		entitlements: shop.list().map((each) => shop.show(each)),
	});
	function filesIn(server: SeedGuild): AdminState["files"] {
		const { attachmentBytesMax: bytesMax, ...limits } = switches.filesIn(server);
		return { bytesMax, ...limits };
	}
	const state = (request: FastifyRequest): AdminState => stateOf(serverOf(request));
	const context: AdminContext = { ...deps, state, serverOf };

	scope.get("/playground/controls", state);
	scope.delete("/playground/controls", (request) => {
		const changed = switches.changedIds().flatMap((id) => servers.find(id) ?? []);
		const without = changed.filter((server) => !installs.isMember(server));
		switches.reset();
		faults.clear();
		gateway.injected.clear();
		for (const server of changed) simulator.events.emit({ type: "guild", server });
		for (const server of without)
			simulator.events.emit({ type: "bot", server, was: false, is: installs.isMember(server) });
		simulator.events.emit({ type: "people" });
		return state(request);
	});
	registerGuildRoutes(scope, context);
	registerRequestRoutes(scope, context);
	registerChannelRoutes(scope, context);
	registerMemberRoutes(scope, context);
	registerGatewayRoutes(scope, context);
	registerEntitlementRoutes(scope, context);
}
