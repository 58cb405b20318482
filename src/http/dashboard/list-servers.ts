import type { z } from "zod";
import type { ServerRef } from "@atelier/dashboard/schemas";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { Session } from "./sessions.ts";

/** Servers are looked up at Discord a few at a time. */
const LOOKUPS_AT_ONCE = 5;

const ORDER: readonly Server["access"][] = ["manager", "moderator", "member"];

type Server = Session["servers"][number];

/**
 * Returns the servers of a user in which the bot and the user are, with the user's present access. A server in which the user was a
 * member at the login is looked up only if the ledger has an entry for it. While Discord does not respond, a server is listed as of the
 * login: each request about it checks permissions.
 */
export async function listServers(
	{ user, servers }: Pick<Session, "user" | "servers">,
	services: Pick<DashboardServices, "directory" | "ledger">,
): Promise<z.infer<typeof ServerRef>[]> {
	const waiting = [...servers];
	const found: Server[] = [];
	async function work(): Promise<void> {
		for (let server = waiting.shift(); server; server = waiting.shift()) {
			const access = await readAccess(server, user.id, services);
			if (access !== undefined) found.push({ ...server, access });
		}
	}
	await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work));
	return found.toSorted(byAccessAndName);
}

async function readAccess(
	{ id, access }: Server,
	userId: string,
	{ directory, ledger }: Pick<DashboardServices, "directory" | "ledger">,
): Promise<Server["access"] | undefined> {
	if (access === "member" && (await ledger.history(guildAccount(id), { limit: 1 })).length === 0) return undefined;
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

function byAccessAndName(one: z.infer<typeof ServerRef>, other: z.infer<typeof ServerRef>): number {
	return ORDER.indexOf(one.access) - ORDER.indexOf(other.access) || one.name.localeCompare(other.name);
}
