/**
 * The HTTP API of the dashboard, below `/dashboard/api`. The bot registers its routes from this table, the page calls
 * them by it, and the OpenAPI document is written from it.
 */
import { z } from "zod";
import { operatorEndpoints } from "./operator-endpoints.ts";
import { taskId } from "./schemas/values.ts";
import { keyId } from "./schemas/api-keys.ts";
import { discordId } from "./server-settings.ts";
import { serverEndpoints } from "./server-endpoints.ts";

/**
 * The reader that a route needs: a logged-in user, a member of the server in its path, with _Manage Messages_ or _Manage
 * Server_, or an operator of the bot.
 */
export type Access = "user" | "member" | "moderator" | "manager" | "operator";

export interface Endpoint {
	readonly method: "GET" | "POST" | "PUT" | "DELETE";
	/** Below `/dashboard/api`. Its parameters are those of `PATH_PARAMS`. */
	readonly path: string;
	readonly access: Access;
	/** True if API keys of the server may use it. By default they may use the endpoints of moderators and managers. */
	readonly isOpenToKeys?: boolean;
	readonly summary: string;
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	readonly bodyBytesMax?: number;
	/** True if a request takes much of the bot's time. These are limited for each server. */
	readonly isCostly?: boolean;
	/** The body of a success; a media type for a file; `redirect` if the response only redirects. */
	readonly response: z.ZodType | "text/csv" | "application/json" | "redirect";
}

export const endpoints = { ...serverEndpoints, ...operatorEndpoints } as const satisfies Readonly<
	Record<string, Endpoint>
>;

const PATH_PARAMS = {
	server: discordId,
	job: taskId,
	member: discordId,
	key: keyId,
} as const;

/** The schema of the parameters in a path, such as `/servers/:server`. */
export function pathSchema(path: string): z.ZodObject {
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof PATH_PARAMS);
	return z.object(Object.fromEntries(names.map((name) => [name, PATH_PARAMS[name]])));
}

/** Returns whether an API key of the server in the path may use an endpoint. */
export function mayKeyUse({ access, isOpenToKeys }: Pick<Endpoint, "access" | "isOpenToKeys">): boolean {
	return isOpenToKeys ?? (access === "moderator" || access === "manager");
}

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type ParamIn<Path extends string> = Path extends `${string}:${infer Rest}`
	? Rest extends `${infer Name}/${infer More}`
		? Name | ParamIn<More>
		: Rest
	: never;
type PathParams<Path extends string> = Path extends `${string}:${string}`
	? { readonly params: Readonly<Record<ParamIn<Path>, string>> }
	: unknown;
type Field<E, Name extends "query" | "body"> = E extends { readonly [K in Name]: infer S extends z.ZodType }
	? { readonly [K in Name]: z.infer<S> }
	: unknown;
/** The validated parts of a request, as its handler gets them. */
export type RequestOf<Name extends EndpointName> = PathParams<Endpoints[Name]["path"]> &
	Field<Endpoints[Name], "query"> &
	Field<Endpoints[Name], "body">;
export type ResponseOf<Name extends EndpointName> = Endpoints[Name]["response"] extends infer S extends z.ZodType
	? z.infer<S>
	: string;
