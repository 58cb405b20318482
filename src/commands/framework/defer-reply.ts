import { MessageFlags, type RepliableInteraction } from "discord.js";
import { activeBlock } from "../../services/moderation/policy.ts";
import { channelDefaultsIn } from "../../services/settings/channel-defaults.ts";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import type { GuildSettingsStore } from "../../services/settings/guild-settings.ts";

/** Defers the reply as public or ephemeral, which cannot change later. Resolves to the id of the reply message. */
export async function deferReply(
	interaction: RepliableInteraction,
	{ isEphemeral }: { readonly isEphemeral: boolean },
): Promise<string> {
	try {
		const { resource } = await interaction.deferReply({
			withResponse: true,
			...(isEphemeral && { flags: MessageFlags.Ephemeral }),
		});
		if (resource?.message) return resource.message.id;
	} catch (error) {
		// Discord accepted the deferral, but discord.js could not parse the response.
		if (!interaction.deferred) throw error;
	}
	return (await interaction.fetchReply()).id;
}

/** Discord waits three seconds for the first response; the store may take this much of it. */
const READ_MS_MAX = 1_000;

/** True if the member chose a private result; `null` without a choice. */
export type PrivacyChoice = boolean | null | (() => Promise<boolean | null>);

/**
 * Decides whether the result is private: by the member's choice, else by the setting of the channel, else of the server.
 * The reply of a blocked member is private, since it is a denial. If the choice or the settings are not read in time, a result that is
 * not expressly public is private, because a public message cannot be hidden later.
 */
export async function readResultPrivacy(
	{
		guildId,
		userId,
		channelIds,
	}: { readonly guildId: string; readonly userId: string; readonly channelIds: readonly string[] },
	choice: PrivacyChoice,
	{ settings, clock }: { readonly settings: Pick<GuildSettingsStore, "read">; readonly clock: Clock },
): Promise<boolean> {
	if (choice === true) return true;
	const readPrivacy = async (): Promise<boolean> => {
		const [chosen, stored] = await Promise.all([
			typeof choice === "function" ? choice() : choice,
			settings.read(guildId),
		]);
		const isPrivateByDefault = channelDefaultsIn(stored, channelIds).private ?? stored.media.private;
		return activeBlock(stored, userId, clock.nowMs()) !== undefined || (chosen ?? isPrivateByDefault);
	};
	return (await waitAtMost(clock, READ_MS_MAX, readPrivacy())) ?? choice !== false;
}
