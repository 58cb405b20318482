/** The reply of an interaction, as a task addresses it. */
import {
	ApplicationIntegrationType,
	PermissionFlagsBits,
	type BaseInteraction,
	type RepliableInteraction,
} from "discord.js";
import type { ReplyTarget, TokenReply } from "../../services/delivery/reply-target.ts";
import type { ResendTarget } from "../../services/tasks/member-tasks.ts";

/** Discord sometimes reports a higher limit than it accepts; larger files are never uploaded. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;
/** Discord's lifetime of an interaction token. */
const TOKEN_LIFE_MS = 15 * 60_000;

export function replyTargetOf(interaction: BaseInteraction, messageId: string, isEphemeral: boolean): ReplyTarget {
	return {
		...tokenReplyOf(interaction),
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

/** Returns the deferred reply as the target of files that are sent again. */
export function resendTargetOf(interaction: RepliableInteraction): ResendTarget {
	const { attachmentSizeLimit: bytesMax, locale } = interaction;
	return { reply: tokenReplyOf(interaction), bytesMax, locale };
}

function tokenReplyOf({ applicationId, token, createdTimestamp }: BaseInteraction): TokenReply {
	return { applicationId, token, tokenExpiresAtMs: createdTimestamp + TOKEN_LIFE_MS };
}
