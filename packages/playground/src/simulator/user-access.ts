/** The access of a user of the page. Throws `InvalidInputError` with a message for the user. */
import { type APIApplicationCommand, InteractionContextType, PermissionFlagsBits } from "discord-api-types/v10";
import { type Channel, guildOf, permissionChannelId } from "./channels.ts";
import type { StoredMessage } from "./documents.ts";
import { InvalidInputError } from "./id-resolver.ts";
import { ALL_PERMISSIONS } from "./permissions.ts";
import type { SeedUser } from "./seed-from-fixture.ts";
import type { Simulator } from "./simulator.ts";

/** Returns the channel if this user may read it. */
export function readableChannel({ channels }: Simulator, user: SeedUser, channelId: string): Channel {
	const channel = channels.find(channelId);
	if (!channel || !channels.canRead(channel, user.id)) throw new InvalidInputError("Unknown channel.");
	return channel;
}

/** Returns a message of the channel if this user sees it. */
export function readableMessage(
	{ channels, messages }: Simulator,
	user: SeedUser,
	channelId: string,
	messageId: string,
): StoredMessage {
	const found = messages.find(channelId, messageId);
	if (!found || !channels.canSee(found, user.id)) throw new InvalidInputError("This message was deleted.");
	return found;
}

/** Messages in an archived thread cannot be changed, and commands cannot be used there. A new message unarchives it. */
export function checkNotArchived(channel: Channel): void {
	if (channel.kind === "guild" && channel.thread?.isArchived) throw new InvalidInputError("This thread is archived.");
}

/** Members in a timeout, on the playground's clock, read, but neither write nor react nor use commands. */
export function checkNotTimedOut({ members, clock }: Simulator, channel: Channel, user: SeedUser): void {
	const guild = guildOf(channel);
	const untilMs = guild && members.timedOutUntilMs(guild, user.id);
	if (untilMs === undefined || untilMs <= clock.nowMs()) return;
	throw new InvalidInputError(`You are timed out until ${new Date(untilMs).toISOString()}.`);
}

/** Returns whether this user may use commands of the bot in the channel at all. */
export function mayUseCommands({ channels }: Simulator, channel: Channel, user: SeedUser): boolean {
	const permissions = channels.permissionsIn(channel, user.id);
	return channel.kind === "direct" || (permissions & PermissionFlagsBits.UseApplicationCommands) !== 0n;
}

/** Returns the commands that this user is permitted to use in the channel, also those that `placeProblem` excludes there. */
export function permittedCommands(
	{ channels, members, commands }: Simulator,
	channel: Channel,
	user: SeedUser,
): APIApplicationCommand[] {
	const guild = guildOf(channel);
	// Permissions of commands do not apply to direct messages.
	const permissions = guild ? channels.interactionPermissionsIn(channel, user.id) : ALL_PERMISSIONS;
	const roleIds = guild ? members.roleIds(guild, user.id) : [];
	return commands.usable(channel.guildId, { userId: user.id, roleIds, permissions }, permissionChannelId(channel));
}

/** Returns why the command cannot be used in a channel of this kind, as the end of a sentence; `undefined` if it can. */
export function placeProblem(command: APIApplicationCommand, channel: Channel): string | undefined {
	const isDirect = channel.kind === "direct";
	const context = isDirect ? InteractionContextType.BotDM : InteractionContextType.Guild;
	const isInContext = command.contexts
		? command.contexts.includes(context)
		: !isDirect || command.dm_permission !== false;
	if (!isInContext) return "cannot be used here.";
	const isForAdults = isDirect || channel.seed.isAgeRestricted;
	return command.nsfw && !isForAdults ? "can be used in age-restricted channels only." : undefined;
}

/** Returns the commands that the page offers to this user in the channel. */
export function offeredCommands(simulator: Simulator, channel: Channel, user: SeedUser): APIApplicationCommand[] {
	const guild = guildOf(channel);
	const isInstalled = guild === undefined || simulator.installs.isInstalled(guild);
	if (!isInstalled || !mayUseCommands(simulator, channel, user)) return [];
	return permittedCommands(simulator, channel, user).filter((command) => placeProblem(command, channel) === undefined);
}
