import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createServerNames } from "../../../src/services/operator/server-names.ts";

function setup(...servers: readonly string[]) {
	const clock = createManualClock(0);
	/** `hangsAfter`: servers after which Discord does not respond. */
	const discord = { servers, lists: 0, error: undefined as Error | undefined, hangsAfter: Number.POSITIVE_INFINITY };
	const names = createServerNames({
		async *listServers() {
			discord.lists++;
			for (const [index, name] of discord.servers.entries()) {
				if (index === discord.hangsAfter) await new Promise(() => {});
				yield { id: String(100 + index), name };
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
	expect([find("art"), find("école")]).toEqual([["The Art Club"], ["L’ÉCOLE"]]);
	const first = names.search({ typed: "アート", serversMax: 20 });
	expect(first.guildIds).toHaveLength(20);
	const second = names.search({ typed: "アート", after: first.nextAfter ?? "", serversMax: 20 });
	expect(second).toMatchObject({ guildIds: { length: 10, 0: "122" }, nextAfter: null });
});

test("names are read once an hour, and again after a failure", async () => {
	const { names, find, discord, clock } = setup("Old Harbor");
	await names.refresh();
	discord.servers = ["New Harbor"];
	expect([await names.refresh(), discord.lists]).toEqual([true, 1]);
	await clock.advance(60 * 60_000);
	discord.error = new Error("no answer");
	expect([await names.refresh(), find("harbor")]).toEqual([false, ["Old Harbor"]]);
	discord.error = undefined;
	expect([await names.refresh(), find("harbor")]).toEqual([true, ["New Harbor"]]);
});

test("names that a slow first reading has already read can be found before it ends", async () => {
	const { names, find, discord, clock } = setup("Harbor", "Hill");
	discord.hangsAfter = 1;
	const refreshed = names.refresh();
	await clock.advance(2_000);
	expect([await refreshed, find("h")]).toEqual([false, ["Harbor"]]);
});
