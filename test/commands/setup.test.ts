import { textsIn } from "../../src/discord/message-contents.ts";
import { PermissionFlagsBits, PermissionsBitField } from "discord.js";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { describe, expect, test } from "vitest";
import { setupView } from "../../src/commands/setup-view.ts";
import { budgetOf, changeBudget } from "../../src/services/settings/setup-steps.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { t } from "../../src/i18n/messages.ts";
import { UserError } from "../../src/services/user-error.ts";
import { bindAll } from "./bind-all.ts";
import { fakeInteraction } from "./fake-interaction.ts";

const defaults = storedSettings.parse({});

/** Opens the menus of /setup in a server with these lists of allowed channels and roles. */
function setupMenus(allowed: { readonly channels?: readonly string[]; readonly roles?: readonly string[] }) {
	let now = storedSettings.parse({
		access: { channels: { allowed: allowed.channels ?? [] }, roles: { allowed: allowed.roles ?? [] } },
	});
	const replies: string[] = [];
	const services = {
		settings: { change: async (_guildId: string, change: (before: typeof now) => typeof now) => (now = change(now)) },
		clock: systemClock,
	};
	const choose = async (kind: string, what: string, values: readonly string[]): Promise<void> => {
		const component = bindAll(services).components.find((each) => each.kind === kind && each.name === "setup-pick");
		const interaction = fakeInteraction(["isMessageComponent"], {
			customId: `1:setup-pick:${what}`,
			guildId: "1",
			values,
			memberPermissions: new PermissionsBitField(PermissionFlagsBits.ManageGuild),
			editReply: async ({ components }: ReturnType<typeof setupView>) =>
				void replies.push(textsIn(components).join("\n")),
		});
		await component?.execute(interaction, pino({ level: "silent" }));
	};
	return { choose, replies, access: () => now.access };
}

test("channels that do not fit in the menu stay allowed, with a note", async () => {
	const ids = Array.from({ length: 30 }, (_, n) => String(10n ** 18n + BigInt(n)));
	const { choose, replies, access } = setupMenus({ channels: ids });
	// The menu shows the first 25 of the 30 channels, so ids[25] to ids[29] stay allowed. The member chooses ids[27] too.
	await choose("channelSelect", "channels", ["50", ...ids.slice(0, 22), ids[27] ?? ""]);
	const kept = [25, 26, 28, 29].map((n) => ids[n]);
	expect(access().channels.allowed).toStrictEqual(["50", ...ids.slice(0, 22), ids[27], ...kept]);
	// Of these 28 channels, the menu shows 25.
	expect(replies.at(-1)).toContain("-# 3 more are allowed but don't fit in this menu; they stay allowed.");
	await choose("channelSelect", "channels", []);
	expect(access().channels.allowed).toStrictEqual(kept.slice(1));
});

test("choosing @everyone removes the restriction to roles", async () => {
	const { choose, access } = setupMenus({ roles: ["60"] });
	// The id of @everyone is the id of its server.
	await choose("roleSelect", "roles", ["1"]);
	expect(access().roles.allowed).toStrictEqual([]);
});

test("the summary of /setup counts no expired blocks", () => {
	const block = { reason: "spam", byUserId: "1", atMs: 0 };
	const blocks = { "7": { ...block, untilMs: 1_000 }, "8": { ...block, untilMs: null } };
	const { components } = setupView("summary", storedSettings.parse({ blocks }), { locale: "en-US", nowMs: 1_000 });
	const counts = t("en-US", { key: "settings.counts", params: { patterns: 0, blocked: 1, styles: 0 } });
	expect(textsIn(components).join("\n")).toContain(counts);
});

/** Selects a log channel in which the bot may post or not. Resolves to the step as it is shown then. */
async function chooseLog(mayPost: boolean) {
	let now = storedSettings.parse({ reportChannelId: "40" });
	const shown: ReturnType<typeof setupView>[] = [];
	const services = {
		settings: {
			read: async () => now,
			change: async (_guildId: string, change: (before: typeof now) => typeof now) => (now = change(now)),
		},
		languages: { localeOf: () => "en-US" },
		channelPoster: { post: async () => mayPost },
		clock: systemClock,
	};
	const interaction = fakeInteraction(["isMessageComponent"], {
		customId: "1:setup-pick:log",
		values: ["50"],
		memberPermissions: new PermissionsBitField(PermissionFlagsBits.ManageGuild),
		editReply: async (view: ReturnType<typeof setupView>) => void shown.push(view),
	});
	const component = bindAll(services).components.find(
		(each) => each.kind === "channelSelect" && each.name === "setup-pick",
	);
	await component?.execute(interaction, pino({ level: "silent" }));
	const [step] = shown;
	const menus = JSON.stringify(step?.components);
	const chosen = [...menus.matchAll(/"default_values":\[\{"id":"(\d+)"/g)].map(([, id]) => id);
	return { content: textsIn(step?.components).join("\n"), chosen, now };
}

describe("a choice of a channel in /setup", () => {
	test("that is rejected is reported in the step, whose menus show the stored values", async () => {
		const { content, chosen, now } = await chooseLog(false);
		expect(content).toContain(t("en-US", { key: "settings.channelNotWritable", params: { channelId: "50" } }));
		expect(chosen).toStrictEqual(["40"]);
		expect(now.logChannelId).toBeNull();
	});

	test("that is saved is reported as saved, and shown in the menu", async () => {
		const { content, chosen } = await chooseLog(true);
		expect(content).toContain("Saved.");
		expect(chosen).toStrictEqual(["50", "40"]);
	});
});

describe("a budget in /setup", () => {
	test("is parsed with separators, and empty as unlimited", () => {
		const after = changeBudget(defaults, { everyone: " 1 000 ", server: "2.500", confirmAbove: "" });
		expect(after).toMatchObject({
			allowance: { everyone: 1000 },
			serverLimit: { credits: 2500, per: "month" },
			confirmAbove: null,
		});
		expect(budgetOf(after)).toStrictEqual({ everyone: "1000", server: "2500", confirmAbove: "" });
		expect(changeBudget(after, { everyone: "", server: "", confirmAbove: "0" })).toMatchObject({
			allowance: { everyone: null },
			serverLimit: null,
			confirmAbove: 0,
		});
	});

	test.each(["-5", "1e3", "many", "٣", "1000000001", "0x10", "2.5", "1,00", "10,0000"])(
		"of %s is rejected with the field's name",
		(typed) => {
			const params = { field: { key: "form.setupServerLimit" }, max: 1_000_000_000 } as const;
			expect(() => changeBudget(defaults, { everyone: "1", server: typed, confirmAbove: "" })).toThrow(
				new UserError({ key: "setup.notNumber", params }),
			);
		},
	);
});
