import type { FastifyRequest } from "fastify";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { apiErrors } from "../simulator/api-error.ts";
import type { OAuth2Authorization } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Route } from "./route.ts";

/** Returns the authorization of an access token. As at Discord, a token without the scope is as invalid as an unknown one. */
export function authorize(
	{ seed, oauth2 }: Simulator,
	request: FastifyRequest,
	route: Route,
): OAuth2Authorization | undefined {
	const { authorization = "" } = request.headers;
	if (route.auth === "none") return undefined;
	if (route.auth === "bot" && isSameSecret(authorization, `Bot ${seed.botToken}`)) return undefined;
	const acceptsUsers = route.auth === "user" || route.scope !== undefined;
	const accessToken = acceptsUsers ? /^Bearer (\S+)$/.exec(authorization)?.[1] : undefined;
	const oauth2Authorization = accessToken === undefined ? undefined : oauth2.find(accessToken);
	if (!oauth2Authorization || (route.scope && !oauth2Authorization.scopes.includes(route.scope)))
		throw apiErrors.unauthorized();
	return oauth2Authorization;
}
