import type { FastifyRequest } from "fastify";
import type { ResponseValidator } from "../schema/validator.ts";
import type { SchemaName } from "../schema/schema-patches.ts";
import type { Actor } from "../actions/channel-permissions.ts";
import type { CommandInteractions } from "../page-actions/command-interactions.ts";
import type { FaultList } from "../fault-injection.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { RequestLog } from "./request-log.ts";
import type { UploadedFile } from "../simulator/build-message.ts";
import type { OAuth2Authorization, Scope } from "../simulator/documents.ts";
import { apiErrors } from "../simulator/api-error.ts";
import type { Simulator } from "../simulator/simulator.ts";

export interface RestContext {
	readonly simulator: Simulator;
	readonly commandInteractions: CommandInteractions;
	readonly responseValidator: ResponseValidator;
	readonly faults: FaultList;
	readonly requestLog: RequestLog;
	readonly recorder: Recorder;
	readonly gatewayUrl: () => string;
	/** Aborts when the playground closes. */
	readonly stop: AbortSignal;
}

/** A request of the bot, with the dependencies of its handler. */
export interface RestRequest extends RestContext, Actor {
	readonly params: ReadonlyMap<string, string>;
	/** Returns a path parameter; throws if the route has none of this name. */
	readonly param: (name: string) => string;
	/** Validated by the route's schema; `payload_json` for uploads. */
	readonly body: unknown;
	readonly files: readonly UploadedFile[];
	readonly query: URLSearchParams;
	/** The Authorization header, empty if missing. */
	readonly authorization: string;
	/** The login of the access token; `undefined` for other tokens. */
	readonly oauth2Authorization: OAuth2Authorization | undefined;
	/** The reason of the request for the audit log. */
	readonly reason: string | null;
}

/** A response with status 201; other responses have 200 with a body, and 204 without one. */
export class CreatedResponse {
	readonly body: object;

	constructor(body: object) {
		this.body = body;
	}
}

export interface Route {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	readonly path: string;
	/**
	 * `bot`: the bot's token in the Authorization header. `user`: the access token of a login there. `none`: a check by the
	 * handler, or nothing to protect.
	 */
	readonly auth: "bot" | "user" | "none";
	/** The scope that an access token needs. A route with `bot` and a scope accepts both tokens. */
	readonly scope?: Scope;
	/** The limit per second for each user. Without one, the route sends the headers but never limits. */
	readonly requestsPerSecond?: number;
	/** True if the body is `application/x-www-form-urlencoded`; any other body counts as empty. */
	readonly isForm?: boolean;
	/** The schema of the body; a function if it depends on the body. */
	readonly requestSchema?: SchemaName | ((body: unknown) => SchemaName);
	/** The schema of a successful response, or of each of its items; a function if it depends on the response. */
	readonly responseSchema?: SchemaName | ((response: object) => SchemaName);
	readonly handle: (request: RestRequest) => object | void | Promise<object | void>;
}

/** The name of a route for rate limits, faults, the request log, and violations of the schema. */
export const routeName = ({ method, path }: Route): string => `${method} ${path}`;

const REASON_CHARS_MAX = 512;

/** Throws Discord's error for a reason that is too long. */
export function checkAuditLogReason(reason: string | null): void {
	const isTooLong = (reason?.length ?? 0) > REASON_CHARS_MAX;
	const message = `Must be ${REASON_CHARS_MAX} or fewer in length.`;
	if (isTooLong) throw apiErrors.invalidField(["reason"], "BASE_TYPE_MAX_LENGTH", message);
}

/** Clients encode the reason, because headers have no Unicode. */
export function auditLogReason({ headers }: FastifyRequest): string | null {
	const reason = headers["x-audit-log-reason"];
	if (typeof reason !== "string" || reason === "") return null;
	try {
		return decodeURIComponent(reason);
	} catch {
		return reason;
	}
}

/** Returns the version in the path (empty without one), the path below it, and the query with its question mark. */
export function splitUrl({ url }: { readonly url: string }): { version: string; path: string; search: string } {
	const [, version = "", path = "", search = ""] = /^\/api(\/v\d+(?=[/?]|$))?([^?]*)(.*)$/.exec(url) ?? [];
	return { version, path, search };
}
