import { OAuth2Scopes, PermissionFlagsBits, PermissionsBitField } from "discord.js";

/**
 * Answering a command needs no permission at all. These let the bot deliver what takes longer than the fifteen minutes
 * that Discord gives an answer: see the channel, post there, in threads too, with a file.
 */
export const PERMISSIONS = new PermissionsBitField([
	PermissionFlagsBits.ViewChannel,
	PermissionFlagsBits.SendMessages,
	PermissionFlagsBits.SendMessagesInThreads,
	PermissionFlagsBits.AttachFiles,
]);

/** Where a server's owner adds the bot. */
export function inviteLink(applicationId: string): string {
	const query = new URLSearchParams({
		client_id: applicationId,
		permissions: PERMISSIONS.bitfield.toString(),
		scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(" "),
	});
	return `https://discord.com/oauth2/authorize?${query.toString()}`;
}
