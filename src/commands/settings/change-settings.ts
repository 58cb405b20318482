/** Changes of the settings that members make in Discord. */
import type { BaseInteraction } from "discord.js";
import type { Logger } from "pino";
import type { PlainKey } from "../../i18n/message-params.ts";
import { t } from "../../i18n/messages.ts";
import { memberAuthor } from "../../services/access/change-author.ts";
import type { ChannelPoster } from "../../services/channel-poster.ts";
import {
	diffSettings,
	type GuildSettings,
	type GuildSettingsStore,
	type SettingsUpdate,
} from "../../services/settings/guild-settings.ts";
import { POST_CHANNEL_PATHS, valueAt, type PostChannelPath } from "../../services/settings/setting-table.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../framework/command.ts";
import { guildLocaleOf, type LocaleDeps } from "../framework/guild-locale.ts";

export interface ChangeSettingsDeps extends LocaleDeps {
	readonly settings: Pick<GuildSettingsStore, "read" | "readRevision" | "change">;
	readonly channelPoster: ChannelPoster;
}

/** The first post in a channel that is chosen for posts of the bot. */
const GREETINGS = {
	logChannelId: "settings.logChannelHello",
	reportChannelId: "settings.reportChannelHello",
	"showcase.channelId": "settings.showcaseHello",
	warnChannelId: "settings.warnChannelHello",
} as const satisfies Record<PostChannelPath, PlainKey>;

/**
 * Changes the settings of the server in the name of the member, and resolves to the new ones. Before that, it posts a greeting in each
 * channel that the change chooses for posts of the bot. Throws a `UserError` if the bot cannot write in one of them.
 */
export async function changeSettings(
	interaction: BaseInteraction<InGuild>,
	update: SettingsUpdate,
	deps: ChangeSettingsDeps,
	logger: Logger,
): Promise<GuildSettings> {
	const { id: interactionId, guildId, user } = interaction;
	const { settings: before } = await deps.settings.readRevision(guildId);
	const greetings: { readonly channelId: string; readonly messageId: string }[] = [];
	try {
		for (const { key, channelId } of findNewChannels(before, update(before))) {
			const post = { text: t(await guildLocaleOf(guildId, deps), { key }), key: `${key}:${interactionId}` };
			// After a lost response, a second post of the same key shows no second message, and returns the id of the first.
			const messageId = await deps.channelPoster
				.post(channelId, post)
				.catch(async () => await deps.channelPoster.post(channelId, post));
			if (messageId === undefined) throw new UserError({ key: "settings.channelNotWritable", params: { channelId } });
			greetings.push({ channelId, messageId });
		}
		const after = await deps.settings.change(guildId, update, memberAuthor(user.id, "discord"));
		// Only the first part of a path: others are ids and names.
		const sections = new Set(diffSettings(before, after).map(({ path }) => path.split(".")[0]));
		logger.info({ userId: user.id, settings: [...sections] }, "settings changed");
		return after;
	} catch (error) {
		// The greetings are untrue now. The failure does not depend on whether they are removed.
		await Promise.allSettled(greetings.map((each) => deps.channelPoster.remove(each.channelId, each.messageId)));
		throw error;
	}
}

/** Returns the channels that a change chooses for posts of the bot. */
function findNewChannels(before: GuildSettings, after: GuildSettings) {
	return POST_CHANNEL_PATHS.flatMap((path) => {
		const channelId = valueAt(after, path);
		return channelId === null || channelId === valueAt(before, path) ? [] : [{ key: GREETINGS[path], channelId }];
	});
}
