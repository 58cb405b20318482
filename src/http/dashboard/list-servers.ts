import type { z } from "zod";
import type { ServerRef } from "@atelier/dashboard/schemas";
import { guildAccount } from "../../services/credits/guild-accounts.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { Session } from "./sessions.ts";

/** Managed and moderated servers are looked up at Discord, a few at a time. */
const LOOKUPS_AT_ONCE = 5;

const ORDER: readonly Server["access"][] = ["manager", "moderator", "member"];

type Server = Session["servers"][number];

/**
 * Returns the servers of a user in which the bot is. Those that they manage or moderate are listed if Discord confirms that the bot
 * is in them; the others if the ledger has an entry for them. The list is as old as the login; each request about a server checks permissions.
 */
export async function listServers(
	servers: readonly Server[],
	services: Pick<DashboardServices, "directory" | "ledger">,
): Promise<z.infer<typeof ServerRef>[]> {
	const waiting = [...servers];
	const found = new Map<string, z.infer<typeof ServerRef>>();
	async function work(): Promise<void> {
		for (let server = waiting.shift(); server; server = waiting.shift()) {
			const { id, access } = server;
			const isListed = access === "member" ? await wasUsedIn(id, services) : await isBotIn(id, services);
			if (isListed) found.set(id, server);
		}
	}
	await Promise.all(Array.from({ length: LOOKUPS_AT_ONCE }, work));
	return servers.flatMap(({ id }) => found.get(id) ?? []).toSorted(byAccessAndName);
}

async function isBotIn(guildId: string, { directory }: Pick<DashboardServices, "directory">): Promise<boolean> {
	return (await directory.readGuild(guildId)) !== undefined;
}

async function wasUsedIn(guildId: string, { ledger }: Pick<DashboardServices, "ledger">): Promise<boolean> {
	return (await ledger.history(guildAccount(guildId), { limit: 1 })).length > 0;
}

function byAccessAndName(one: z.infer<typeof ServerRef>, other: z.infer<typeof ServerRef>): number {
	return ORDER.indexOf(one.access) - ORDER.indexOf(other.access) || one.name.localeCompare(other.name);
}
