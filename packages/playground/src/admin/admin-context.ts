import type { FastifyRequest } from "fastify";
import type { Gateway } from "../gateway/gateway.ts";
import type { AdjustableClock } from "../adjustable-clock.ts";
import type { InjectedFaults } from "../fault-injection.ts";
import type { RequestLog } from "../rest/request-log.ts";
import type { SeedGuild } from "../simulator/seed.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { AdminState } from "./admin-contract.ts";

export interface AdminDeps {
	readonly simulator: Simulator;
	readonly faults: InjectedFaults;
	readonly clock: AdjustableClock;
	readonly gateway: Gateway;
	readonly requests: RequestLog;
}

/** Context of the files that register admin routes; each route returns the whole state. */
export interface AdminContext extends AdminDeps {
	readonly state: (request: FastifyRequest) => AdminState;
	/** The guild that a request is about. */
	readonly guildOf: (request: FastifyRequest) => SeedGuild;
}
