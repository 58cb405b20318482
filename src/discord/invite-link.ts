import { OAuth2Scopes, PermissionFlagsBits, PermissionsBitField } from "discord.js";

/**
 * The permissions that the bot asks for. Replies need none for the fifteen minutes of a token. After that the bot has to see the
 * channel, post files in it and in threads, and start threads. For the gallery it reads its own messages.
 */
export const BOT_PERMISSIONS = new PermissionsBitField([
	PermissionFlagsBits.ViewChannel,
	PermissionFlagsBits.SendMessages,
	PermissionFlagsBits.SendMessagesInThreads,
	PermissionFlagsBits.CreatePublicThreads,
	PermissionFlagsBits.AttachFiles,
	PermissionFlagsBits.ReadMessageHistory,
]);

/** Returns the link that adds the bot to a server. */
export function inviteLink(applicationId: string): string {
	const query = new URLSearchParams({
		client_id: applicationId,
		permissions: BOT_PERMISSIONS.bitfield.toString(),
		scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "),
	});
	return `https://discord.com/oauth2/authorize?${query.toString()}`;
}
