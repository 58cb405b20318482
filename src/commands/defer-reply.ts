import { MessageFlags, type BaseInteraction, type RepliableInteraction } from "discord.js";
import { activeBlock } from "../services/moderation/policy.ts";
import { channelDefaultsIn } from "../services/settings/channel-defaults.ts";
import type { Clock } from "@atelier/common/clock";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";

/** Defers the reply, public or ephemeral for good. Resolves to the id of the message that becomes the reply. */
export async function deferReply(
	interaction: RepliableInteraction,
	{ isPrivate }: { readonly isPrivate: boolean },
): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({
			withResponse: true,
			...(isPrivate && { flags: MessageFlags.Ephemeral }),
		});
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// Discord accepted the deferral, but discord.js could not parse the response.
		if (!interaction.deferred) throw error;
	}
	return (await interaction.fetchReply()).id;
}

/** Discord waits three seconds for the first answer; the store may take this much of it. */
const READ_MS_MAX = 1_000;

/**
 * Decides whether the reply is ephemeral: the member's choice, else the setting of the channel, else that of the server. It is ephemeral if the settings
 * are not read in time, because a public message cannot be hidden later, and for blocked members, who alone see the denial.
 */
export async function isResultPrivate(
	{
		guildId,
		userId,
		channelIds,
	}: { readonly guildId: string; readonly userId: string; readonly channelIds: readonly string[] },
	choice: boolean | null,
	{ settings, clock }: { readonly settings: Pick<GuildSettingsStore, "read">; readonly clock: Clock },
): Promise<boolean> {
	if (choice === true) return true;
	const decision = new AbortController();
	const timeout = clock.sleep(READ_MS_MAX, decision.signal).then(
		() => choice ?? true,
		() => choice ?? true,
	);
	const isPrivate = settings.read(guildId).then((stored) => {
		const isPrivateByDefault = channelDefaultsIn(stored, channelIds).private ?? stored.media.private;
		return activeBlock(stored, userId, clock.nowMs()) !== undefined || (choice ?? isPrivateByDefault);
	});
	try {
		return await Promise.race([isPrivate, timeout]);
	} finally {
		decision.abort();
	}
}

const TOKEN_LIFE_MS = 15 * 60_000;

/** Returns when the token of an interaction stops editing its reply. */
export function tokenExpiresAtMsOf({ createdTimestamp }: Pick<BaseInteraction, "createdTimestamp">): number {
	return createdTimestamp + TOKEN_LIFE_MS;
}
