/** Checks each request of the API anew: the session, its token, and the caller's present permissions. */
import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Endpoint } from "@atelier/dashboard/contract";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { byMember } from "../../services/access/change-author.ts";
import type { MemberPermissions } from "../../services/access/guild-directory.ts";
import { ApiError } from "./api-error.ts";
import { serverOf, type Caller } from "./api-request.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { Session } from "./sessions.ts";

const CSRF_HEADER = "x-csrf-token";
const NO_PERMISSIONS: MemberPermissions = { isAdministrator: false, isManager: false, isModerator: false };

/** Returns the caller. Throws an `ApiError`, or `DirectoryUnavailableError` while Discord does not respond. */
export async function authorize(
	request: FastifyRequest,
	{ method, access }: Pick<Endpoint, "method" | "access">,
	session: Session | undefined,
	{ directory, operator, logger }: Pick<DashboardServices, "directory" | "operator"> & { readonly logger: Logger },
): Promise<Caller> {
	if (!session) throw new ApiError("logged_out", { key: "web.loggedOut" });
	const { user, locale, csrfToken, servers } = session;
	const sent = String(request.headers[CSRF_HEADER] ?? "");
	// Links read without a token. With the token of another session, the page of one user would show the data of another.
	if ((sent !== "" || method !== "GET") && !isSameSecret(sent, csrfToken))
		throw new ApiError("forged", { key: "web.forged" });
	const caller = {
		userId: user.id,
		by: byMember(user.id),
		apiKeyId: undefined,
		locale,
		roleIds: [],
		permissions: NO_PERMISSIONS,
		logger,
	};
	if (access === "user" || (access === "operator" && operator.ids.has(user.id))) return caller;
	// The path of every other endpoint names a server.
	const server = access === "operator" ? undefined : serverOf(request);
	if (server === undefined) throw new ApiError("not_found", { key: "web.notFound" });
	// Discord is not asked about arbitrary ids: too many failed requests would block the bot's address.
	if (!servers.some(({ id }) => id === server)) throw new ApiError("forbidden", { key: "web.notAtLogin" });
	const member = await directory.readAccess(server, user.id);
	if (!member) throw new ApiError("forbidden", { key: "web.notAMember" });
	const { permissions, roleIds } = member;
	if (access === "manager" && !permissions.isManager) throw new ApiError("forbidden", { key: "web.forbidden" });
	if (access === "moderator" && !permissions.isModerator)
		throw new ApiError("forbidden", { key: "permission.moderate" });
	return { ...caller, permissions, roleIds, logger: logger.child({ guildId: server }) };
}
