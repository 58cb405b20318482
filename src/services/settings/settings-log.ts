import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { formatLogEntry } from "./format-changes.ts";
import type { GuildLanguages } from "./guild-languages.ts";
import type { ChangeRecord } from "./settings-store.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { createBackgroundWork } from "../background-work.ts";
import type { TextPoster } from "../text-poster.ts";

interface SettingsLogDeps {
	readonly textPoster: TextPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
	readonly logger: Logger;
}

/**
 * Posts each change of settings to the server's log channel, in the background: the change and its record are stored
 * before. If the log moves or is switched off, the previous channel gets the last message too.
 */
export function createSettingsLog({ textPoster, languages, clock, logger }: SettingsLogDeps) {
	const background = createBackgroundWork({ clock });

	async function post(guildId: string, channelId: string, record: ChangeRecord, after: GuildSettings): Promise<void> {
		try {
			const { revision } = record;
			const text = formatLogEntry(record, await languages.localeOf(guildId, after));
			const message = { text, key: `settings:${guildId}:${revision}` };
			const messageId = await textPoster.post(channelId, message, background.signal);
			if (messageId === undefined) logger.info({ guildId }, "log channel not writable");
		} catch (error) {
			logger.warn({ err: error, guildId }, "log channel post failed");
		}
	}

	return {
		changed(guildId: string, record: ChangeRecord, before: GuildSettings, after: GuildSettings): void {
			const channelIds = new Set([before.logChannelId, after.logChannelId].filter((id) => id !== null));
			for (const channelId of channelIds) background.add(post(guildId, channelId, record, after));
		},
		stop: () => background.stop(),
	};
}
