import { expect, test } from "vitest";
import { greetNewChannel } from "../../../src/commands/framework/post-greeting.ts";
import type { SettingsUpdate } from "../../../src/services/settings/guild-settings.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { changeGeneral } from "../../../src/services/settings/settings-updates.ts";
import { UserError } from "../../../src/services/user-error.ts";

const STORED = storedSettings.parse({ logChannelId: "40" });

test.each<[string, SettingsUpdate, readonly string[]]>([
	["a new channel is greeted", (before) => changeGeneral(before, { logChannelId: "50" }), ["50"]],
	["the stored channel is not greeted again", (before) => changeGeneral(before, { logChannelId: "40" }), []],
	["nothing is posted for a removed channel", (before) => changeGeneral(before, { logChannelId: null }), []],
	[
		"nothing is posted for a denied change",
		() => {
			throw new UserError({ key: "settings.everyoneRole" });
		},
		[],
	],
])("%s", async (_title, update, channelIds) => {
	const posted: string[] = [];
	const deps = {
		settings: { read: async () => STORED },
		languages: { localeOf: async () => "en-US" },
		channelPoster: {
			async post(channelId: string) {
				posted.push(channelId);
				return true;
			},
		},
	};
	await Promise.allSettled([greetNewChannel(deps, { id: "1", guildId: "2" }, update, "log")]);
	expect(posted).toStrictEqual(channelIds);
});
