import { t } from "../../i18n/messages.ts";
import type { ChannelPoster } from "../../services/channel-poster.ts";
import type { GuildSettings, SettingsUpdate } from "../../services/settings/guild-settings.ts";
import { UserError } from "../../services/user-error.ts";
import { guildLocaleOf, type LocaleDeps } from "./guild-locale.ts";

/** The purposes for which a setting names a channel, and the first post of the bot there. */
const GREETING_KEYS = {
	log: "settings.logChannelHello",
	reports: "settings.reportChannelHello",
	showcase: "settings.showcaseHello",
	warnings: "settings.warnChannelHello",
} as const;
export type GreetingPurpose = keyof typeof GREETING_KEYS;

const CHANNEL_ID_OF = {
	log: ({ logChannelId }: GuildSettings) => logChannelId,
	reports: ({ reportChannelId }: GuildSettings) => reportChannelId,
	showcase: ({ showcase }: GuildSettings) => showcase.channelId,
	warnings: ({ warnChannelId }: GuildSettings) => warnChannelId,
} as const;

/** For settings that name a channel for posts of the bot. */
export interface GreetingDeps extends LocaleDeps {
	readonly channelPoster: ChannelPoster;
}

/**
 * Posts a greeting in the channel that the update chooses, unless the settings name it already. Denies a channel where the bot cannot
 * write, and what the update denies.
 */
export async function greetNewChannel(
	deps: GreetingDeps,
	{ id: interactionId, guildId }: { readonly id: string; readonly guildId: string },
	update: SettingsUpdate,
	purpose: GreetingPurpose,
): Promise<void> {
	const channelIdOf = CHANNEL_ID_OF[purpose];
	const before = await deps.settings.read(guildId);
	const channelId = channelIdOf(update(before));
	if (channelId === null || channelId === channelIdOf(before)) return;
	const key = GREETING_KEYS[purpose];
	const post = { text: t(await guildLocaleOf(guildId, deps), { key }), key: `${key}:${interactionId}` };
	const isPosted = await deps.channelPoster.post(channelId, post);
	if (!isPosted) throw new UserError({ key: "settings.channelNotWritable", params: { channelId } });
}
