import { pino } from "pino";
import { expect, test } from "vitest";
import { ServerSettings } from "@atelier/dashboard/settings-schema";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import type { Reader } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { settingsHandlers } from "../../../src/http/dashboard/handlers/settings.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";

const OWN = "50";
const DELETED = "51";

test("a channel that was deleted since blocks no other changes, and cannot be chosen", async () => {
	const settings = createGuildSettings(openMemoryStore(), { clock: createManualClock(0) });
	await settings.change(
		"1",
		(before) => ({ ...before, logChannelId: DELETED, showcase: { ...before.showcase, channelId: DELETED } }),
		{ by: "member:7", via: "discord" },
	);
	const channels = { isInGuild: async (_guildId: string, channelId: string) => channelId === OWN };
	const services = { settings, channels, catalog: { known: () => [] } } as unknown as DashboardServices;
	const reader = { actor: "member:7", logger: pino({ level: "silent" }) } as unknown as Reader;
	const save = async (change: Partial<ServerSettings>) => {
		const { revision, settings: stored } = await settings.readRevision("1");
		const body = { revision, settings: { ...ServerSettings.parse(stored), ...change } };
		return (await settingsHandlers.saveSettings({ params: { server: "1" }, body, reader }, services)).settings;
	};
	const showcase = { channelId: DELETED, stars: 9 };
	expect(await save({ reportChannelId: OWN, showcase })).toMatchObject({ reportChannelId: OWN, showcase });
	await expect(save({ warnChannelId: DELETED })).rejects.toMatchObject({
		messageDescriptor: {
			key: "web.invalid",
			params: { problems: expect.stringMatching(/^warnChannelId: the channel 51/) },
		},
	});
	expect(await save({ logChannelId: null })).toMatchObject({ logChannelId: null });
});
