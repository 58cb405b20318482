import type { Announcer } from "../guilds/low-credits.ts";
import type { GuildLanguages } from "../guilds/guild-languages.ts";
import type { GuildSettingsStore } from "../guilds/guild-settings.ts";
import { say } from "../messages/messages.ts";
import type { Granted } from "./top-up-desk.ts";

const ANNOUNCE_TIMEOUT_MS = 10_000;

/** Tells the admins where they hear of their credits, or else of their settings; nobody where they chose neither. */
export function createTopUpAnnouncement({
	settings,
	announcer,
	languages,
}: {
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly announcer: Announcer;
	readonly languages: Pick<GuildLanguages, "localeOf">;
}) {
	return async ({ entitlementId, guildId, userId, credits, balance }: Granted, signal: AbortSignal): Promise<void> => {
		const decided = await settings.read(guildId);
		const channelId = decided.warnChannelId ?? decided.logChannelId;
		if (channelId === null) return;
		const params = { buyerId: userId, addedCredits: credits, leftCredits: balance.availableCredits };
		const text = say(languages.localeOf(guildId, decided), { key: "topUpAnnounced", params });
		const bounded = AbortSignal.any([signal, AbortSignal.timeout(ANNOUNCE_TIMEOUT_MS)]);
		await announcer.announce(channelId, { text, key: `top-up:${entitlementId}` }, bounded);
	};
}
