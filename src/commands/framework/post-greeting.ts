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

/** Posts a greeting in the channel if the change chooses it. Denies the change if the bot cannot write there. */
export async function greetNewChannel(
	deps: GreetingDeps,
	interaction: { readonly id: string; readonly guildId: string },
	change: SettingsUpdate,
	purpose: keyof typeof GREETING_KEYS,
): Promise<void> {
	const channelIdOf = CHANNEL_ID_OF[purpose];
	const before = await deps.settings.read(interaction.guildId);
	const channelId = channelIdOf(change(before));
	if (channelId !== channelIdOf(before)) await postGreeting(deps, interaction, channelId, purpose);
}

/** Posts a greeting in the channel. Denies the channel if the bot cannot write there. */
export async function postGreeting(
	deps: GreetingDeps,
	{ id: interactionId, guildId }: { readonly id: string; readonly guildId: string },
	channelId: string | null | undefined,
	purpose: keyof typeof GREETING_KEYS,
): Promise<void> {
	if (channelId === null || channelId === undefined) return;
	const key = GREETING_KEYS[purpose];
	const post = { text: t(await guildLocaleOf(guildId, deps), { key }), key: `${key}:${interactionId}` };
	const isPosted = await deps.channelPoster.post(channelId, post);
	if (!isPosted) throw new UserError({ key: "settings.channelNotWritable", params: { channelId } });
}
