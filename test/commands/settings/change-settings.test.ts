import { pino } from "pino";
import { expect, test } from "vitest";
import { changeSettings } from "../../../src/commands/settings/change-settings.ts";
import type { SettingsUpdate } from "../../../src/services/settings/guild-settings.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { setValues } from "../../../src/services/settings/setting-table.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { fakeInteraction } from "../fake-interaction.ts";

/** A channel where the bot cannot post. */
const CLOSED = "70";
/** A channel where posts time out. */
const SLOW = "80";
/** A channel where the first post arrives, but its response is lost. */
const LOSSY = "90";
const STORED = storedSettings.parse({ logChannelId: "40" });
const CHANGED_MEANWHILE = storedSettings.parse({ logChannelId: "40" });

test.each<[string, SettingsUpdate, readonly string[]]>([
	[
		"each new channel is greeted",
		(before) => setValues(before, { logChannelId: "50", reportChannelId: "60" }),
		["50", "60"],
	],
	[
		"no greeting stays if the bot cannot post in one of the new channels",
		(before) => setValues(before, { logChannelId: "50", reportChannelId: CLOSED }),
		[],
	],
	[
		"no greeting stays if a later post times out",
		(before) => setValues(before, { logChannelId: "50", reportChannelId: SLOW }),
		[],
	],
	[
		"no greeting stays, not even one whose response is lost, if a later post fails",
		(before) => setValues(before, { reportChannelId: LOSSY, "showcase.channelId": CLOSED }),
		[],
	],
	[
		"no greeting stays if the change is denied after the posts",
		(before) => {
			if (before === CHANGED_MEANWHILE) throw new UserError({ key: "settings.everyoneRole" });
			return setValues(before, { logChannelId: "50" });
		},
		[],
	],
	["the stored channel is not greeted again", (before) => setValues(before, { logChannelId: "40" }), []],
	["nothing is posted for a removed channel", (before) => setValues(before, { logChannelId: null }), []],
	[
		"nothing is posted for a denied change",
		() => {
			throw new UserError({ key: "settings.everyoneRole" });
		},
		[],
	],
])("%s", async (_title, update, channelIds) => {
	const greeted = new Set<string>();
	const deps = {
		settings: {
			read: async () => STORED,
			readRevision: async () => ({ settings: STORED, revision: 1 }),
			change: async () => update(CHANGED_MEANWHILE),
		},
		languages: { localeOf: async () => "en-US" },
		channelPoster: {
			async post(channelId: string) {
				if (channelId === CLOSED) return undefined;
				if (channelId === SLOW) throw new Error("The post timed out.");
				const isLost = channelId === LOSSY && !greeted.has(channelId);
				greeted.add(channelId);
				if (isLost) throw new Error("The response was lost.");
				return `in ${channelId}`;
			},
			remove: async (channelId: string) => void greeted.delete(channelId),
		},
	};
	await Promise.allSettled([changeSettings(fakeInteraction([], {}), update, deps, pino({ level: "silent" }))]);
	expect([...greeted]).toStrictEqual(channelIds);
});
