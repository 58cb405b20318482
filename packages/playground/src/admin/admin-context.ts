import type { FastifyRequest } from "fastify";
import type { Gateway } from "../gateway/gateway.ts";
import type { MovableClock } from "../adjustable-clock.ts";
import type { PlantedFaults } from "../rest/fault-injection.ts";
import type { RequestLog } from "../rest/request-log.ts";
import type { SeedServer } from "../simulator/seed.ts";
import type { World } from "../simulator/simulator.ts";
import type { ControlsState } from "./admin-contract.ts";

export interface ControlsDeps {
	readonly world: World;
	readonly faults: PlantedFaults;
	readonly clock: MovableClock;
	readonly gateway: Gateway;
	readonly requests: RequestLog;
}

/** Context of the files that register admin routes; each route returns the whole state. */
export interface ControlsRoom extends ControlsDeps {
	readonly state: (request: FastifyRequest) => ControlsState;
	/** The guild that a request is about. */
	readonly serverOf: (request: FastifyRequest) => SeedServer;
}
