import { textsIn } from "../../src/discord/message-contents.ts";
import { PermissionFlagsBits, PermissionsBitField } from "discord.js";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { expect, test } from "vitest";
import { setupView } from "../../src/commands/setup-view.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { createSetupProgress } from "../../src/services/settings/setup-steps.ts";
import { t } from "../../src/i18n/messages.ts";
import { bindAll } from "./bind-all.ts";
import { fakeInteraction } from "./fake-interaction.ts";

const defaults = storedSettings.parse({});

/** Opens the menus of /setup in a server with these settings, whose channels accept posts of the bot or not. */
function setupMenus(stored: object, { mayPost = true } = {}) {
	let now = storedSettings.parse(stored);
	const shown: ReturnType<typeof setupView>["components"][] = [];
	const services = {
		settings: {
			// Cached before another process stored the settings.
			read: async () => defaults,
			readRevision: async () => ({ settings: now, revision: 1 }),
			change: async (_guildId: string, change: (before: typeof now) => typeof now) => (now = change(now)),
		},
		languages: { localeOf: () => "en-US" },
		channelPoster: { post: async () => mayPost },
		clock: systemClock,
	};
	const choose = async (
		kind: string,
		target: string,
		values: readonly string[],
		shownIds: readonly string[] = [],
	): Promise<string> => {
		const component = bindAll(services).components.find((each) => each.kind === kind && each.name === "setup-pick");
		const interaction = fakeInteraction(["isMessageComponent"], {
			customId: `1:setup-pick:${target}`,
			guildId: "1",
			values,
			component: { default_values: shownIds.map((id) => ({ id })) },
			memberPermissions: new PermissionsBitField(PermissionFlagsBits.ManageGuild),
			editReply: async ({ components }: ReturnType<typeof setupView>) => void shown.push(components),
		});
		await component?.execute(interaction, pino({ level: "silent" }));
		return textsIn(shown.at(-1)).join("\n");
	};
	const selectedIds = () =>
		[...JSON.stringify(shown.at(-1)).matchAll(/"default_values":\[\{"id":"(\d+)"/g)].map(([, id]) => id);
	return { choose, selectedIds, settings: () => now };
}

test("channels that do not fit in the menu stay allowed, with a note", async () => {
	const ids = Array.from({ length: 30 }, (_, n) => String(10n ** 18n + BigInt(n)));
	const { choose, settings } = setupMenus({ access: { channels: { allowed: ids } } });
	// The menu shows the first 25 of the 30 channels, so ids[25] to ids[29] stay allowed. The member chooses ids[27] too.
	const chosen = ["50", ...ids.slice(0, 22), ids[27] ?? ""];
	const reply = await choose("channelSelect", "channels", chosen, ids.slice(0, 25));
	const kept = [25, 26, 28, 29].map((n) => ids[n]);
	expect(settings().access.channels.allowed).toStrictEqual(["50", ...ids.slice(0, 22), ids[27], ...kept]);
	// Of these 28 channels, the menu shows 25.
	expect(reply).toContain("-# 3 more are allowed but don't fit in this menu; they stay allowed.");
	await choose("channelSelect", "channels", [], settings().access.channels.allowed.slice(0, 25));
	expect(settings().access.channels.allowed).toStrictEqual(kept.slice(1));
});

test("a menu that shows an earlier state adds and removes what its member changed, and nothing else", async () => {
	const { choose, settings } = setupMenus({ access: { channels: { allowed: ["50", "60"], denied: ["70"] } } });
	// When the menu was shown, 50, 70 and 80 were allowed. The member adds 90 and removes 50.
	await choose("channelSelect", "channels", ["70", "80", "90"], ["50", "70", "80"]);
	expect(settings().access.channels).toStrictEqual({ allowed: ["90", "60"], denied: ["70"] });
});

test("choosing @everyone removes the restriction to roles", async () => {
	const { choose, settings } = setupMenus({ access: { roles: { allowed: ["60"] } } });
	// The id of @everyone is the id of its server.
	await choose("roleSelect", "roles", ["1"]);
	expect(settings().access.roles.allowed).toStrictEqual([]);
});

test("the summary of /setup counts no expired blocks", () => {
	const block = { reason: "spam", byUserId: "1", atMs: 0 };
	const blocks = { "7": { ...block, untilMs: 1_000 }, "8": { ...block, untilMs: null } };
	const { components } = setupView("summary", storedSettings.parse({ blocks }), { locale: "en-US", nowMs: 1_000 });
	const counts = t("en-US", { key: "settings.counts", params: { patterns: 0, blocked: 1, styles: 0 } });
	expect(textsIn(components).join("\n")).toContain(counts);
});

test.each([
	[true, ["50", "40"], "Saved."],
	[false, ["40"], t("en-US", { key: "settings.channelNotWritable", params: { channelId: "50" } })],
])(
	"a channel in which the bot may post (%s) is saved, another one denied, and the menus show the stored ones",
	async (mayPost, selected, text) => {
		const { choose, selectedIds, settings } = setupMenus({ reportChannelId: "40" }, { mayPost });
		expect(await choose("channelSelect", "log", ["50"])).toContain(text);
		expect(selectedIds()).toStrictEqual(selected);
		expect(settings().logChannelId).toBe(mayPost ? "50" : null);
	},
);

test("/setup begins again after a step that this version does not have", async () => {
	const store = openMemoryStore();
	await store.set("setup:1", { step: "budget" });
	expect(await createSetupProgress(store).read("1")).toStrictEqual({ step: "channels" });
});
