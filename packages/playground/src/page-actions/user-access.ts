/** The access of a user of the page. Throws `InvalidInputError` with a message for the user. */
import {
	type APIApplicationCommand,
	ApplicationCommandType,
	InteractionContextType,
	PermissionFlagsBits,
} from "discord-api-types/v10";
import { guildOf, permissionChannelId } from "../simulator/channels.ts";
import type { Channel, StoredMessage, User } from "../simulator/documents.ts";
import { InvalidInputError } from "./invalid-input.ts";
import { isAllowed } from "../simulator/permissions.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** Returns the channel if this user may read it. */
export function channelForUser({ channels }: Simulator, user: User, channelId: string): Channel {
	const channel = channels.find(channelId);
	if (!channel || !channels.canRead(channel, user.id)) throw new InvalidInputError("Unknown channel.");
	return channel;
}

/** Returns a message of the channel if this user sees it. */
export function readableMessage(
	{ channels, messages }: Simulator,
	user: User,
	channelId: string,
	messageId: string,
): StoredMessage {
	const found = messages.find(channelId, messageId);
	if (!found || !channels.canSee(found, user.id)) throw new InvalidInputError("This message was deleted.");
	return found;
}

/** Members in a timeout lack most permissions. Tells them until when, also where Discord needs no permission, such as for a button. */
export function checkNotTimedOut({ members }: Simulator, channel: Channel, user: User): void {
	const guild = guildOf(channel);
	const untilMs = guild && members.timedOutUntilMs(guild, user.id);
	if (untilMs === undefined) return;
	throw new InvalidInputError(`You are timed out until ${new Date(untilMs).toISOString()}.`);
}

/** Returns the name of a command in messages to users. */
export function commandLabel({ type, name }: Pick<APIApplicationCommand, "type" | "name">): string {
	return type === ApplicationCommandType.ChatInput ? `/${name}` : name;
}

/** Returns a check of commands: the reason why this user cannot use one in the channel; `undefined` if they can. */
export function commandProblemIn(
	{ channels, members, commands, installs }: Simulator,
	channel: Channel,
	{ id: userId }: User,
): (command: APIApplicationCommand) => string | undefined {
	const guild = guildOf(channel);
	const context = guild ? InteractionContextType.Guild : InteractionContextType.BotDM;
	const permissions = channels.permissionsIn(channel, userId);
	const mayUseAny = !guild || (permissions & PermissionFlagsBits.UseApplicationCommands) !== 0n;
	const place = guild && { guildId: guild.id, channelId: permissionChannelId(channel) };
	const invoker = guild && { userId, roleIds: members.roleIds(guild, userId), permissions };
	const isForAdults = channel.kind === "direct" || channel.isAgeRestricted;
	return (command) => {
		const { id, nsfw, contexts, dm_permission: inDirect, default_member_permissions: required } = command;
		const label = commandLabel(command);
		if (guild && !installs.isInstalled(guild)) return "The bot is not in this server.";
		if (!mayUseAny) return "You may not use commands in this channel.";
		// Permissions of commands do not apply to direct messages.
		if (place && invoker && !isAllowed(required, commands.permissions(place.guildId, id) ?? [], invoker, place))
			return `Unknown command ${label}, or you may not use it here.`;
		if (contexts ? !contexts.includes(context) : !guild && inDirect === false) return `${label} cannot be used here.`;
		return nsfw && !isForAdults ? `${label} can be used in age-restricted channels only.` : undefined;
	};
}
