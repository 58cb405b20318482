import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { customIdsIn, textsIn } from "../../../src/discord/message-contents.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { diffSettings, type SettingsUpdate } from "../../../src/services/settings/settings-store.ts";
import { t } from "../../../src/i18n/messages.ts";
import { fakeInteraction } from "../fake-interaction.ts";
import { dispatchWith } from "../fake-services.ts";
import { plainText } from "../../e2e/replies.ts";

/** A server with thirteen filtered words: the second page of the list has the two oldest. */
function setup() {
	const patterns = Array.from({ length: 13 }, (_, n) => `word ${n}`);
	let settings = storedSettingsSchema.parse({ filter: { patterns } });
	const dispatch = dispatchWith({
		settings: { read: async () => settings },
		settingsService: {
			async change({ update }: { readonly update: SettingsUpdate }) {
				const before = settings;
				settings = update(before);
				return { settings, changes: diffSettings(before, settings) };
			},
		},
	});
	/** Presses a button as a manager, and returns the last list, what is above it, and the private reply to the press. */
	async function press(customId: string, isListLost = false) {
		let list: unknown = undefined;
		const told: string[] = [];
		const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
			customId,
			permissions: PermissionFlagsBits.ManageGuild,
			deferred: true,
			ephemeral: null,
			editReply: async ({ components }: { components: unknown }) => {
				if (isListLost) throw new Error("Discord is away");
				list = components;
			},
			followUp: async ({ components }: { components: unknown }) => void told.push(...textsIn(components)),
		});
		await dispatch(interaction);
		const texts = textsIn(list).map(plainText);
		const start = texts.findIndex((each) => each.startsWith("- "));
		return { lead: texts.slice(0, start - 1), entries: texts.slice(start), customIds: customIdsIn(list), told };
	}
	return { press };
}

const GONE = t("en-US", { key: "list.entryGone" });

test("a button removes its entry, and shows the same page, or the last one, below the change", async () => {
	const { press } = setup();
	const listed = await press("1:filter:0:0:1");
	expect(listed.lead).toStrictEqual([]);
	const [removeOlder = "", removeOldest = ""] = listed.customIds;
	const { lead, entries } = await press(removeOlder);
	expect(lead).toStrictEqual([expect.stringMatching(/^Saved\..*word 1/)]);
	expect(entries).toStrictEqual(["- word 0"]);
	expect((await press(removeOldest)).entries).toHaveLength(11);
});

test("an entry that is gone is told, with the list as it is, also for a forged custom id", async () => {
	const { press } = setup();
	const [removeNewest = ""] = (await press("1:filter:0:0:0")).customIds;
	await press(removeNewest);
	for (const customId of [removeNewest, "1:filter-remove:0:4294967295"]) {
		const { entries, told } = await press(customId);
		expect([told, entries[0], entries.length]).toStrictEqual([[GONE], "- word 11", 11]);
	}
});

test("a list that cannot be shown after the press neither fails the change nor hides its denial", async () => {
	const { press } = setup();
	const [removeNewest = ""] = (await press("1:filter:0:0:0")).customIds;
	expect((await press(removeNewest, true)).told).toStrictEqual([]);
	expect((await press(removeNewest, true)).told).toStrictEqual([GONE]);
});
