import type { ServerRef } from "@atelier/dashboard/schemas";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { Session } from "./sessions.ts";

/** Servers are looked up at Discord a few at a time. */
const LOOKUPS_AT_ONCE = 5;
/** The first page waits for the list. */
const LOOKUPS_MS_MAX = 4_000;

const ORDER: readonly Server["access"][] = ["manager", "moderator", "member"];

type Server = Session["servers"][number];
type Services = Pick<DashboardServices, "directory" | "ledger" | "clock">;

/**
 * Returns the servers of a user in which the bot and the user are, with the user's present access. A server in which the user was a
 * member at the login is looked up only if the ledger has an entry for it. A server that Discord does not tell about in time is listed
 * as of the login: each request about it checks permissions.
 */
export async function listServers(
	{ user, servers }: Pick<Session, "user" | "servers">,
	services: Services,
): Promise<ServerRef[]> {
	const wereUsed = await Promise.all(servers.map((server) => mayBeUsed(server, services)));
	const listed = new Map(servers.filter((_, at) => wereUsed[at]).map((server) => [server.id, server]));
	const waiting = [...listed.values()];
	async function work(): Promise<void> {
		for (let server = waiting.shift(); server; server = waiting.shift()) {
			const access = await readAccess(server, user.id, services);
			if (access === undefined) listed.delete(server.id);
			else listed.set(server.id, { ...server, access });
		}
	}
	const lookups = Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work));
	await waitAtMost(services.clock, LOOKUPS_MS_MAX, lookups);
	waiting.length = 0;
	return [...listed.values()].toSorted(byAccessAndName);
}

async function mayBeUsed({ id, access }: Server, { ledger }: Services): Promise<boolean> {
	return access !== "member" || (await ledger.history(guildAccount(id), { limit: 1 })).length > 0;
}

async function readAccess(
	{ id, access }: Server,
	userId: string,
	{ directory }: Services,
): Promise<Server["access"] | undefined> {
	try {
		const found = await directory.readAccess(id, userId);
		if (!found) return undefined;
		const { isManager, isModerator } = found.permissions;
		return isManager ? "manager" : isModerator ? "moderator" : "member";
	} catch (error) {
		if (error instanceof DirectoryUnavailableError) return access;
		throw error;
	}
}

function byAccessAndName(one: Server, other: Server): number {
	return ORDER.indexOf(one.access) - ORDER.indexOf(other.access) || one.name.localeCompare(other.name);
}
