import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { customIdsIn, textsIn } from "../../../src/discord/message-contents.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import type { SettingsUpdate } from "../../../src/services/settings/settings-store.ts";
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
				settings = update(settings);
				return { settings, changes: [] };
			},
		},
	});
	/** Presses a button as a manager, and returns the last list and the private reply to the press. */
	async function press(customId: string) {
		let list: unknown = undefined;
		const told: string[] = [];
		const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
			customId,
			permissions: PermissionFlagsBits.ManageGuild,
			deferred: true,
			ephemeral: null,
			editReply: async ({ components }: { components: unknown }) => void (list = components),
			followUp: async ({ components }: { components: unknown }) => void told.push(...textsIn(components)),
		});
		await dispatch(interaction);
		const entries = textsIn(list).map(plainText).slice(1);
		return { entries, customIds: customIdsIn(list), told };
	}
	return { press };
}

const GONE = t("en-US", { key: "list.entryGone" });

test("a button removes its entry, and shows the same page, or the last one", async () => {
	const { press } = setup();
	const [removeOlder = "", removeOldest = ""] = (await press("1:filter:0:0:1")).customIds;
	expect((await press(removeOlder)).entries).toStrictEqual(["- word 0"]);
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
