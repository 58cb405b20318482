/** The reply of an interaction, as a task addresses it. */
import { ApplicationIntegrationType, PermissionFlagsBits, type BaseInteraction } from "discord.js";
import type { ReplyTarget } from "../../services/delivery/reply-target.ts";

/** Discord sometimes reports a higher limit than it accepts; larger files are never uploaded. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;
/** Discord's lifetime of an interaction token. */
const TOKEN_LIFE_MS = 15 * 60_000;

export function replyTargetOf(interaction: BaseInteraction, messageId: string, isEphemeral: boolean): ReplyTarget {
	return {
		applicationId: interaction.applicationId,
		token: interaction.token,
		tokenExpiresAtMs: tokenExpiresAtMsOf(interaction),
		channelId: interaction.channelId ?? "",
		messageId,
		isEphemeral,
		isBotInGuild:
			ApplicationIntegrationType.GuildInstall in interaction.authorizingIntegrationOwners &&
			// Without the bot in the server, these permissions cover only its replies.
			interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
		attachmentBytesMax: Math.min(interaction.attachmentSizeLimit, ATTACHMENT_BYTES_CEILING),
	};
}

/** Returns when the token of an interaction stops editing its reply. */
export function tokenExpiresAtMsOf({ createdTimestamp }: Pick<BaseInteraction, "createdTimestamp">): number {
	return createdTimestamp + TOKEN_LIFE_MS;
}
