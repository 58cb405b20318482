import type { AnswerCheck } from "../schema/validator.ts";
import type { SchemaName } from "../schema/schema-patches.ts";
import type { Invoke } from "../simulator/command-interactions.ts";
import type { PlantedFaults } from "./fault-injection.ts";
import type { RequestLog } from "./request-log.ts";
import type { UploadedFile } from "../simulator/message-body.ts";
import type { World } from "../simulator/simulator.ts";

/** What handlers work with. */
export interface RestRoom {
	readonly world: World;
	readonly invoke: Invoke;
	readonly answers: AnswerCheck;
	readonly faults: PlantedFaults;
	readonly requests: RequestLog;
	readonly gatewayUrl: () => string;
}

export interface RestRequest {
	/** By the names in the route's path; a name that the path lacks is a mistake in the table. */
	readonly param: (name: string) => string;
	readonly query: URLSearchParams;
	/** Checked against the route's schema; for uploads it is `payload_json`. */
	readonly body: unknown;
	readonly files: readonly UploadedFile[];
}

export interface Answer {
	readonly status: number;
	readonly body?: unknown;
}

export interface Route {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	readonly path: string;
	/** `bot`: the Authorization header. `path`: the token in the path, or nothing to protect. */
	readonly auth: "bot" | "path";
	/** The schema of the body; a function where it depends on the body, and may refuse. */
	readonly takes?: SchemaName | ((body: unknown) => SchemaName);
	/** The body is a list of what `takes` says. */
	readonly takesList?: boolean;
	/** The schema of a successful answer, or of each of its items. */
	readonly answers?: SchemaName;
	readonly handle: (request: RestRequest, room: RestRoom) => Answer | Promise<Answer>;
}
