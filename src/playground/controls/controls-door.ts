/** The switches of `controls-contract.ts` over HTTP: what cannot be done on Discord itself, for tests and for other bots. */
import type { FastifyInstance } from "fastify";
import type { Gateway } from "../gateway/gateway.ts";
import type { MovableClock } from "../movable-clock.ts";
import type { PlantedFaults } from "../rest/planted-faults.ts";
import type { RequestLog } from "../rest/request-log.ts";
import type { World } from "../world/world.ts";
import type { ControlsState } from "./controls-contract.ts";
import { registerChannelControls } from "./controls-of-channels.ts";
import { registerGatewayControls } from "./controls-of-gateway.ts";
import { registerPeopleControls } from "./controls-of-people.ts";
import { registerRequestControls } from "./controls-of-requests.ts";
import { registerShopControls } from "./controls-of-shop.ts";

export interface ControlsDeps {
	readonly world: World;
	readonly faults: PlantedFaults;
	readonly clock: MovableClock;
	readonly gateway: Gateway;
	readonly requests: RequestLog;
}

/** Where a room of switches registers its routes, each answering with all of them. */
export interface ControlsRoom extends ControlsDeps {
	readonly state: () => ControlsState;
}

/** Below the page's own scope, so that its guard and its way of refusing hold here too. */
export function registerControls(scope: FastifyInstance, deps: ControlsDeps): void {
	const { world, faults, clock, gateway } = deps;
	const { switches, places, people, shop } = world;

	const state = (): ControlsState => ({
		nowMs: clock.nowMs(),
		files: {
			bytesMax: switches.attachmentBytesMax,
			announcedBytesMax: switches.announcedBytesMax,
			requestBytesMax: switches.requestBytesMax,
		},
		isBotMember: switches.isBotMember,
		access: places.guildChannels().map(({ id: channelId }) => ({ channelId, access: switches.accessTo(channelId) })),
		closedDirectUserIds: [...switches.closedDirectUserIds],
		faults: faults.list(),
		events: gateway.planted.list(),
		heartbeatIntervalMs: switches.heartbeatIntervalMs,
		server: { locale: switches.guildLocale, boostLevel: switches.boostLevel },
		members: people.all().map((person) => people.page(person)),
		items: shop.items(),
		entitlements: shop.list().map((each) => shop.show(each)),
	});
	const room: ControlsRoom = { ...deps, state };

	scope.get("/playground/controls", state);
	scope.delete("/playground/controls", () => {
		switches.reset();
		faults.clear();
		gateway.planted.clear();
		world.events.emit({ type: "guild" });
		return state();
	});
	registerRequestControls(scope, room);
	registerChannelControls(scope, room);
	registerPeopleControls(scope, room);
	registerGatewayControls(scope, room);
	registerShopControls(scope, room);
}
