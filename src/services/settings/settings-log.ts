import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createPendingWork } from "@atelier/common/pending-work";
import { formatChange } from "./format-changes.ts";
import type { GuildLanguages } from "./guild-languages.ts";
import type { GuildSettings, SettingsChange } from "./guild-settings.ts";
import type { ChannelPoster } from "../channel-poster.ts";

/**
 * Posts each change of settings to the guild's log channel, in the background: the change and its record are stored
 * before. If the log moves or is switched off, the previous channel gets the last message too.
 */
export interface SettingsLog {
	changed(guildId: string, change: SettingsChange, before: GuildSettings, after: GuildSettings): void;
	/** Waits briefly for pending posts, then aborts them. */
	stop(): Promise<void>;
}

const STOP_MS_MAX = 2_000;

interface SettingsLogDeps {
	readonly channelPoster: ChannelPoster;
	readonly languages: Pick<GuildLanguages, "localeOf">;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createSettingsLog({ channelPoster, languages, clock, logger }: SettingsLogDeps): SettingsLog {
	const pending = createPendingWork({ clock });
	const stopping = new AbortController();

	async function post(guildId: string, channelId: string, revision: number, text: string): Promise<void> {
		try {
			const message = { text, key: `settings:${guildId}:${revision}` };
			const isPosted = await channelPoster.post(channelId, message, stopping.signal);
			if (!isPosted) logger.info({ guildId }, "log channel not writable");
		} catch (error) {
			logger.warn({ err: error, guildId }, "log channel post failed");
		}
	}

	return {
		changed(guildId, change, before, after) {
			const text = formatChange(change, languages.localeOf(guildId, after));
			const channelIds = new Set([before.logChannelId, after.logChannelId].filter((id) => id !== null));
			for (const channelId of channelIds) pending.add(post(guildId, channelId, change.revision, text));
		},
		async stop() {
			await pending.drain(STOP_MS_MAX);
			stopping.abort(new Error("stopping"));
			await pending.drain(STOP_MS_MAX);
		},
	};
}
