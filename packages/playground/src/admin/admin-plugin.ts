/** The admin API of `admin-contract.ts`: actions that Discord itself does not offer, for tests and bot authors. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { PageRefusalError } from "../http/refusal.ts";
import type { SeedServer } from "../simulator/seed.ts";
import type { ControlsState } from "./admin-contract.ts";
import { registerChannelControls } from "./channel-routes.ts";
import { registerGatewayControls } from "./gateway-routes.ts";
import { registerPeopleControls } from "./member-routes.ts";
import { registerRequestControls } from "./request-routes.ts";
import { registerServerControls } from "./guild-routes.ts";
import { registerShopControls } from "./entitlement-routes.ts";
import type { ControlsDeps, ControlsRoom } from "./admin-context.ts";

/** Inside the page's scope, so that its host guard and error handling apply. */
export function registerControls(scope: FastifyInstance, deps: ControlsDeps): void {
	const { world, faults, clock, gateway } = deps;
	const { switches, servers, installs, people, shop } = world;

	function serverOf(request: FastifyRequest): SeedServer {
		const { server } = request.query as { server?: string };
		const found = server === undefined ? servers.first : servers.find(server);
		if (!found) throw new PageRefusalError(404, "Unknown server.");
		return found;
	}

	const stateOf = (server: SeedServer): ControlsState => ({
		nowMs: clock.nowMs(),
		guild: { id: server.id, name: server.name },
		serverCount: servers.count,
		files: filesIn(server),
		isBotMember: switches.isBotMember(server),
		access: server.channels.map(({ id: channelId }) => ({ channelId, access: switches.accessTo(channelId) })),
		closedDirectUserIds: [...switches.closedDirectUserIds],
		faults: faults.list(),
		events: gateway.planted.list(),
		heartbeatIntervalMs: switches.heartbeatIntervalMs,
		answersResume: switches.answersResume,
		server: { locale: switches.localeOf(server), boostLevel: switches.boostLevelOf(server) },
		members: people.in(server).map((person) => people.page(server, person)),
		items: shop.items(),
		entitlements: shop.list().map((each) => shop.show(each)),
	});
	function filesIn(server: SeedServer): ControlsState["files"] {
		const { attachmentBytesMax: bytesMax, ...limits } = switches.filesIn(server);
		return { bytesMax, ...limits };
	}
	const state = (request: FastifyRequest): ControlsState => stateOf(serverOf(request));
	const room: ControlsRoom = { ...deps, state, serverOf };

	scope.get("/playground/controls", state);
	scope.delete("/playground/controls", (request) => {
		const changed = switches.changedIds().flatMap((id) => servers.find(id) ?? []);
		const without = changed.filter((server) => !installs.isMember(server));
		switches.reset();
		faults.clear();
		gateway.planted.clear();
		for (const server of changed) world.events.emit({ type: "guild", server });
		for (const server of without) world.events.emit({ type: "bot", server, was: false, is: installs.isMember(server) });
		world.events.emit({ type: "people" });
		return state(request);
	});
	registerServerControls(scope, room);
	registerRequestControls(scope, room);
	registerChannelControls(scope, room);
	registerPeopleControls(scope, room);
	registerGatewayControls(scope, room);
	registerShopControls(scope, room);
}
