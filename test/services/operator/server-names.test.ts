import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createServerNames, type NamedServer } from "../../../src/services/operator/server-names.ts";

const HOUR_MS = 60 * 60 * 1000;

async function setup(servers: readonly NamedServer[]) {
	const store = openMemoryStore();
	const clock = createManualClock(0);
	const counts = { listed: 0 };
	const discord = { servers, error: undefined as Error | undefined };
	const open = () =>
		createServerNames({
			store,
			async *listServers() {
				counts.listed++;
				yield* discord.servers;
				if (discord.error) throw discord.error;
			},
			clock,
			logger: pino({ level: "silent" }),
		});
	const names = open();
	expect(await names.refresh()).toBe(true);
	const find = async (typed: string, serversMax = 20) =>
		(await names.search({ typed, serversMax })).servers.map(({ name }) => name);
	return { names, find, discord, counts, clock, open };
}

test.each([
	["art", ["The Art Club", "artful dodgers"]],
	["Art Cl", ["The Art Club"]],
	["ÉCOLE", ["L’école d’été"]],
	["東京", ["東京のアート"]],
	["アート", ["東京のアート"]],
	["club art", []],
	["lub", []],
	["🎨", []],
	["", []],
])(
	"%j finds the servers whose name contains these words in a row; the last one may be incomplete",
	async (typed, expected) => {
		const named = ["The Art Club", "artful dodgers", "L’école d’été", "東京のアート", "🎨"];
		const { find } = await setup(named.map((name, index) => ({ id: String(100 + index), name })));
		expect((await find(typed)).toSorted()).toEqual([...expected].toSorted());
	},
);

test("names are found in pages", async () => {
	const servers = Array.from({ length: 1_000 }, (_, index) => ({ id: String(1_000 + index), name: "Pixel Pub" }));
	const { names } = await setup(servers);
	const pages = [];
	let after: string | null | undefined;
	for (let n = 0; n < 3; n++) {
		const page = await names.search({ typed: "pix", after: after ?? undefined, serversMax: 20 });
		pages.push(...page.servers.map(({ id }) => id));
		after = page.nextAfter;
	}
	expect(pages).toEqual(servers.slice(0, 60).map(({ id }) => id));
});

test("a renamed server is found by its new name only, and names are read once an hour", async () => {
	const { find, names, discord, counts, clock } = await setup([{ id: "100", name: "Old Harbor" }]);
	discord.servers = [{ id: "100", name: "New Harbor" }];
	expect(await names.refresh()).toBe(true);
	expect(counts.listed).toBe(1);
	await clock.advance(HOUR_MS);
	await names.refresh();
	expect(await find("old")).toEqual([]);
	expect(await find("harbor")).toEqual(["New Harbor"]);
	expect(await names.read("100")).toBe("New Harbor");
});

test("after a failed reading of the names, the next refresh reads again, without waiting an hour", async () => {
	const { names, discord, clock, open, counts } = await setup([{ id: "100", name: "Harbor" }]);
	await clock.advance(HOUR_MS);
	discord.error = new Error("no answer");
	expect(await names.refresh()).toBe(false);
	discord.error = undefined;
	expect(await open().refresh()).toBe(true);
	expect(counts.listed).toBe(3);
});

test("names that a slow refresh has already read can be found before it ends", async () => {
	const clock = createManualClock(0);
	const never = new Promise<never>(() => {});
	const names = createServerNames({
		store: openMemoryStore(),
		async *listServers() {
			yield { id: "100", name: "Harbor" };
			await never;
		},
		clock,
		logger: pino({ level: "silent" }),
	});
	const refreshed = names.refresh();
	await clock.advance(2_000);
	expect(await refreshed).toBe(false);
	expect((await names.search({ typed: "harbor", serversMax: 20 })).servers).toHaveLength(1);
});
