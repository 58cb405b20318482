import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { hasServerAccount, listServerAccounts } from "../../../src/services/operator/server-accounts.ts";

async function setup(guildIds: readonly string[]) {
	const store = openMemoryStore();
	const ledger = createLedger({ store, clock: createManualClock(0) });
	const note = { by: "operator", reason: "test" };
	for (const guildId of guildIds) await ledger.grant(guildAccount(guildId), "grant:1", 1, note);
	await ledger.grant("studio:friends", "grant:1", 1, note);
	return store;
}

const ids = Array.from({ length: 45 }, (_, index) => String(100 + index));

test("servers are listed by id in pages, each once, without other accounts, and found by first digits", async () => {
	const store = await setup(ids.toReversed());
	const pages = [];
	let after: string | null | undefined;
	do {
		const page = await listServerAccounts(store, { after: after ?? undefined, serversMax: 20 });
		pages.push(page.guildIds);
		after = page.nextAfter;
	} while (after !== null);
	expect(pages.map(({ length }) => length)).toEqual([20, 20, 5]);
	expect(pages.flat()).toEqual(ids);
	const find = async (search: string, afterGuildId?: string) =>
		(await listServerAccounts(store, { search, after: afterGuildId, serversMax: 20 })).guildIds;
	expect(await find("13", "136")).toEqual(["137", "138", "139"]);
	expect(await find("2")).toEqual([]);
});

test("a corrupt account is listed too", async () => {
	const store = await setup(["100", "102"]);
	await store.set("account:guild:101", { not: "an account" });
	expect((await listServerAccounts(store, { serversMax: 20 })).guildIds).toEqual(["100", "101", "102"]);
	expect(await hasServerAccount(store, "101")).toBe(true);
	expect(await hasServerAccount(store, "103")).toBe(false);
});
