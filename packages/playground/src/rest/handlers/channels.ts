/** Channels, and their changes by the bot: overwrites, for example to lock a channel, and slow mode. */
import { isDeepStrictEqual } from "node:util";
import {
	OverwriteType,
	PermissionFlagsBits as Permission,
	type RESTPutAPIChannelPermissionJSONBody,
} from "discord-api-types/v10";
import { readableChannel, requireChannelPermission } from "../../actions/channel-permissions.ts";
import { validateRequest } from "../../schema/validator.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, GuildChannel } from "../../simulator/documents.ts";
import type { RestRequest } from "../route.ts";
import * as threads from "./threads.ts";

/** Returns the channel of the path if the actor sees it. Checks that the actor has `permission` there, if any. */
export function channelInPath(request: RestRequest, permission?: bigint): Channel {
	const channel = readableChannel(request, request.param("channel"));
	if (permission !== undefined) requireChannelPermission(request, channel, permission);
	return channel;
}

export function read({ simulator }: RestRequest, channel: Channel): object {
	return simulator.channels.serialize(channel);
}

export function openDirect({ simulator, body }: RestRequest): object {
	const { recipient_id: userId } = body as { recipient_id?: string | null };
	const user = simulator.members.find(userId ?? "");
	if (!user) throw apiErrors.invalidRecipient();
	return simulator.channels.serialize(simulator.channels.openDirect(user.id));
}

function requireOwnPermissions(channel: Channel): GuildChannel {
	if (channel.kind !== "guild" || channel.thread) throw apiErrors.notInThisChannelType();
	return channel;
}

/** The bot grants and denies only permissions that it has itself. */
export function setOverwrite(request: RestRequest, place: Channel): void {
	const channel = requireOwnPermissions(place);
	const { channels, members } = request.simulator;
	const id = request.param("overwrite");
	const { type, allow, deny } = request.body as RESTPutAPIChannelPermissionJSONBody;
	if (type === OverwriteType.Role && !channels.roles(channel.guild).some((role) => role.id === id))
		throw apiErrors.unknownRole();
	if (type === OverwriteType.Member && !members.userOf(id)) throw apiErrors.unknownUser();
	const overwrite = { id, type, allow: String(allow ?? 0), deny: String(deny ?? 0) };
	const before = channels.overwritesOf(channel.id).find((each) => each.id === id);
	const changed =
		(BigInt(overwrite.allow) ^ BigInt(before?.allow ?? 0)) | (BigInt(overwrite.deny) ^ BigInt(before?.deny ?? 0));
	const held = members.permissions(channel.guild, request.actorId) | channels.permissionsIn(channel, request.actorId);
	if ((changed & ~held) !== 0n) throw apiErrors.missingPermissions();
	channels.storeOverwrites(channel, (all) => [...all.filter((each) => each.id !== id), overwrite]);
}

export function removeOverwrite(request: RestRequest, place: Channel): void {
	const channel = requireOwnPermissions(place);
	const { channels } = request.simulator;
	const removedId = request.param("overwrite");
	if (!channels.overwritesOf(channel.id).some(({ id }) => id === removedId)) throw apiErrors.unknownOverwrite();
	channels.storeOverwrites(channel, (all) => all.filter(({ id }) => id !== removedId));
}

/** Changes a thread, or the slow mode of another channel, of which the rest cannot be changed. */
export function edit(request: RestRequest, channel: Channel): object {
	if (channel.kind !== "guild") throw apiErrors.notInThisChannelType();
	if (channel.thread) return threads.edit(request, channel);
	const { channels } = request.simulator;
	requireChannelPermission(request, channel, Permission.ManageChannels);
	const body = validateRequest("UpdateGuildChannelRequestPartial", request.body) as {
		readonly rate_limit_per_user?: number | null;
		readonly [field: string]: unknown;
	};
	const { rate_limit_per_user: slowModeS, ...others } = body;
	// Some libraries also send fields that stay as they are.
	const shown = new Map<string, unknown>(Object.entries(channels.toGuildChannel(channel)));
	const unsupported = Object.keys(others).find((field) => !isDeepStrictEqual(shown.get(field), others[field]));
	if (unsupported !== undefined)
		throw apiErrors.invalidField([unsupported], "UNSUPPORTED", "The playground cannot change this.");
	if (slowModeS !== undefined) channels.storeSlowMode(channel, slowModeS ?? 0);
	return channels.toGuildChannel(channel);
}
