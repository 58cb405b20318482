import { OAuth2Scopes, PermissionFlagsBits, PermissionsBitField } from "discord.js";

/**
 * Replies to commands need no permission. These permissions let the bot deliver after the fifteen minutes of a token:
 * see the channel, post in it and in threads, start threads, attach files, and read its own messages for the gallery for their images.
 */
export const PERMISSIONS = new PermissionsBitField([
	PermissionFlagsBits.ViewChannel,
	PermissionFlagsBits.SendMessages,
	PermissionFlagsBits.SendMessagesInThreads,
	PermissionFlagsBits.CreatePublicThreads,
	PermissionFlagsBits.AttachFiles,
	PermissionFlagsBits.ReadMessageHistory,
]);

/** The link that adds the bot to a guild. */
export function inviteLink(applicationId: string): string {
	const query = new URLSearchParams({
		client_id: applicationId,
		permissions: PERMISSIONS.bitfield.toString(),
		scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "),
	});
	return `https://discord.com/oauth2/authorize?${query.toString()}`;
}
