/** Checks each request with an API key anew: the key, the bot's stay in the server, and what keys may do. */
import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { mayKeyUse, type Endpoint } from "@atelier/dashboard/contract";
import type { DashboardServices } from "./dashboard-services.ts";
import { ApiError } from "./api-error.ts";
import { serverOf, type Caller } from "./api-request.ts";
import { localeFrom } from "./reader-locale.ts";

/** At the endpoints that are open to keys, a key may do all that an administrator of its server may do. */
const PERMISSIONS = { isAdministrator: true, isManager: true, isModerator: true };

/** Returns the bearer token of a request; `undefined` without one. Other schemes belong to proxies. */
export function bearerOf({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
	const bearer = /^bearer(?: (?<key>.*))?$/i.exec(headers.authorization ?? "");
	return bearer ? (bearer.groups?.["key"]?.trim() ?? "") : undefined;
}

/** Returns the caller. Throws an `ApiError`, or `DirectoryUnavailableError` while Discord does not respond. */
export async function authorizeKey(
	request: FastifyRequest,
	endpoint: Pick<Endpoint, "access" | "isOpenToKeys">,
	{ apiKeys, botUserId, logger }: Pick<DashboardServices, "apiKeys" | "botUserId"> & { readonly logger: Logger },
): Promise<Caller> {
	if (endpoint.access === "operator") throw new ApiError("not_found", { key: "web.notFound" });
	if (!mayKeyUse(endpoint)) throw new ApiError("forbidden", { key: "web.keyForbidden" });
	const server = serverOf(request);
	const { apiKey } = request;
	if (server === undefined || !apiKey || !(await apiKeys.use(server, apiKey)))
		throw new ApiError("invalid_key", { key: "web.keyInvalid" });
	return {
		userId: botUserId(),
		by: `key:${apiKey.name}`,
		apiKeyId: apiKey.id,
		locale: localeFrom(request.headers["accept-language"]),
		roleIds: [],
		permissions: PERMISSIONS,
		logger: logger.child({ guildId: server, apiKeyId: apiKey.id }),
	};
}
