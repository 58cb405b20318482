/** Finds the servers that have an account of credits. */
import { accountKey, parseAccountKey } from "@atelier/ledger/journal";
import type { Store } from "@atelier/store/store";
import { guildAccount } from "../credits/guild-accounts.ts";

interface ServersQuery {
	/** Only ids that start with these digits. */
	readonly search?: string | undefined;
	/** Only ids after this one. */
	readonly after?: string | undefined;
	readonly serversMax: number;
}

interface ServersPage {
	readonly guildIds: readonly string[];
	/** `after` of the next page; `null` at the end. */
	readonly nextAfter: string | null;
}

/** Lists servers in the order of their ids, including those whose account is corrupt. Reads at most one account more than it lists. */
export async function listServerAccounts(
	store: Pick<Store, "scan">,
	{ search = "", after, serversMax }: ServersQuery,
): Promise<ServersPage> {
	const prefix = accountKey(guildAccount(search));
	const guildIds: string[] = [];
	const add = (key: string): void => void guildIds.push(parseAccountKey(key).slice(guildAccount("").length));
	const start = after?.startsWith(search) === true ? accountKey(guildAccount(after)) : undefined;
	for await (const { key } of store.scan(prefix, { after: start, onCorrupt: add })) {
		add(key);
		if (guildIds.length > serversMax) break;
	}
	const page = guildIds.toSorted().slice(0, serversMax);
	return { guildIds: page, nextAfter: guildIds.length > serversMax ? (page.at(-1) ?? null) : null };
}

export async function hasServerAccount(store: Pick<Store, "get">, guildId: string): Promise<boolean> {
	return (await store.get(accountKey(guildAccount(guildId)))) !== undefined;
}
