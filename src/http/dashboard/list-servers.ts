import type { Session as SessionDocument } from "@atelier/dashboard/schemas/session";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { workThrough } from "./work-through.ts";
import { DirectoryUnavailableError, type MemberAccess } from "../../services/access/guild-directory.ts";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import { undefinedIfCorrupt } from "../../services/read-document.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { Session } from "./sessions.ts";

/** The ledger and Discord are asked about a few servers at a time. */
const SERVERS_AT_ONCE = 5;
/** The first page waits for the list. */
const LOOKUPS_MS_MAX = 4_000;

const ORDER: readonly Server["access"][] = ["manager", "moderator", "member"];

type Server = Session["servers"][number];
type Services = Pick<DashboardServices, "directory" | "ledger" | "clock">;

/**
 * Returns the servers of a user in which the bot and the user are, with the user's present access. A server in which the user was a
 * member at the login is looked up only if the ledger has an entry for it. A server that Discord does not return in time is listed
 * as of the login if the ledger has an entry for it, or an unreadable account: each request about it checks permissions.
 */
export async function listServers(
	{ user, servers }: Pick<Session, "user" | "servers">,
	services: Services,
): Promise<Pick<SessionDocument, "servers" | "isListIncomplete">> {
	const { directory, ledger, clock } = services;
	const listed = new Map<string, Server>();
	await workThrough([...servers], SERVERS_AT_ONCE, async (server) => {
		const entries = await ledger.history(guildAccount(server.id), { limit: 1 }).catch(undefinedIfCorrupt);
		if (entries?.length !== 0) listed.set(server.id, server);
	});
	const waiting = servers.filter(({ id, access }) => access !== "member" || listed.has(id));
	const unread = new Set(waiting.map(({ id }) => id));
	const lookups = workThrough(waiting, SERVERS_AT_ONCE, async (server) => {
		try {
			const found = await directory.readAccess(server.id, user.id);
			if (found) listed.set(server.id, { ...server, access: accessOf(found) });
			else listed.delete(server.id);
			unread.delete(server.id);
		} catch (error) {
			if (!(error instanceof DirectoryUnavailableError)) throw error;
		}
	});
	await waitAtMost(clock, LOOKUPS_MS_MAX, lookups);
	waiting.length = 0;
	const isListIncomplete = [...unread].some((id) => !listed.has(id));
	return { servers: [...listed.values()].toSorted(byAccessAndName), isListIncomplete };
}

function accessOf({ permissions: { isManager, isModerator } }: MemberAccess): Server["access"] {
	return isManager ? "manager" : isModerator ? "moderator" : "member";
}

function byAccessAndName(one: Server, other: Server): number {
	return ORDER.indexOf(one.access) - ORDER.indexOf(other.access) || one.name.localeCompare(other.name);
}
