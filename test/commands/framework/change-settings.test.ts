import { pino } from "pino";
import { expect, test } from "vitest";
import { changeSettings } from "../../../src/commands/framework/change-settings.ts";
import type { SettingsUpdate } from "../../../src/services/settings/guild-settings.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { changeGeneral } from "../../../src/services/settings/settings-updates.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { fakeInteraction } from "../fake-interaction.ts";

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
		settings: {
			read: async () => STORED,
			readRevision: async () => ({ settings: STORED, revision: 1 }),
			change: async () => update(STORED),
		},
		languages: { localeOf: async () => "en-US" },
		channelPoster: {
			async post(channelId: string) {
				posted.push(channelId);
				return true;
			},
		},
	};
	await Promise.allSettled([changeSettings(fakeInteraction([], {}), update, deps, pino({ level: "silent" }))]);
	expect(posted).toStrictEqual(channelIds);
});
