import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createServerNames } from "../../../src/services/operator/server-names.ts";

function setup(...servers: readonly string[]) {
	const clock = createManualClock(0);
	/** `hangsAfter`: servers after which Discord does not respond. */
	const discord = {
		servers,
		lists: 0,
		/** Ids of servers that the bot has left. */
		left: new Set<string>(),
		error: undefined as Error | undefined,
		hangsAfter: Number.POSITIVE_INFINITY,
	};
	const names = createServerNames({
		async *listServers() {
			discord.lists++;
			for (const [index, name] of discord.servers.entries()) {
				if (index === discord.hangsAfter) await new Promise(() => {});
				const id = String(100 + index);
				if (!discord.left.has(id)) yield { id, name };
			}
			if (discord.error) throw discord.error;
		},
		clock,
		logger: pino({ level: "silent" }),
	});
	const find = (typed: string) => names.search({ typed, serversMax: 20 }).guildIds.map((id) => names.nameOf(id));
	return { names, find, discord, clock };
}

test("servers are found by a part of their name, in pages", async () => {
	const { names, find } = setup("The Art Club", "L’ÉCOLE", ...Array.from({ length: 30 }, () => "東京のアート"));
	expect(await names.refresh()).toBe(true);
	expect(find("art")).toEqual(["The Art Club"]);
	expect(find("école")).toEqual(["L’ÉCOLE"]);
	const first = names.search({ typed: "アート", serversMax: 20 });
	expect(first.guildIds).toHaveLength(20);
	const second = names.search({ typed: "アート", after: first.nextAfter ?? "", serversMax: 20 });
	expect(second).toMatchObject({ guildIds: { length: 10, 0: "122" }, nextAfter: null });
});

test("the next page begins after the last server of the one before, although the bot has left that server", async () => {
	const { names, discord, clock } = setup("Art 1", "Art 2", "Art 3");
	await names.refresh();
	const { nextAfter } = names.search({ typed: "art", serversMax: 1 });
	discord.left.add("100");
	await clock.advance(60 * 60_000);
	await names.refresh();
	expect(names.search({ typed: "art", after: nextAfter ?? "", serversMax: 1 }).guildIds).toEqual(["101"]);
});

test("names that were read before a failure can be found during the next reading", async () => {
	const { names, find, discord, clock } = setup("Harbor", "Hill");
	discord.error = new Error("no answer");
	expect(await names.refresh()).toBe(false);
	discord.hangsAfter = 0;
	const refreshed = names.refresh();
	await clock.advance(2_000);
	expect(await refreshed).toBe(false);
	expect(find("h")).toEqual(["Harbor", "Hill"]);
});

test("names are read once an hour, and again after a failure", async () => {
	const { names, find, discord, clock } = setup("Old Harbor");
	expect(await names.refresh()).toBe(true);
	discord.servers = ["New Harbor"];
	expect(await names.refresh()).toBe(true);
	expect(discord.lists).toBe(1);
	await clock.advance(60 * 60_000);
	discord.error = new Error("no answer");
	expect(await names.refresh()).toBe(false);
	expect(find("harbor")).toEqual(["Old Harbor"]);
	discord.error = undefined;
	expect(await names.refresh()).toBe(true);
	expect(find("harbor")).toEqual(["New Harbor"]);
});

test("names that a slow first reading has already read can be found before it ends", async () => {
	const { names, find, discord, clock } = setup("Harbor", "Hill");
	discord.hangsAfter = 1;
	const refreshed = names.refresh();
	await clock.advance(2_000);
	expect(await refreshed).toBe(false);
	expect(find("h")).toEqual(["Harbor"]);
});
