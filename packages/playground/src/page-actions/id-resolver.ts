/** Resolves the ids that a user enters in options, menus and modals to the objects that the bot receives. */
import type { APIAttachment, APIInteractionDataResolved, ChannelType } from "discord-api-types/v10";
import { guildOf } from "../simulator/channels.ts";
import type { Channel, User } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";

export type IdResolver = ReturnType<typeof createIdResolver>;

/** Each lookup adds the object to the interaction's data. It returns false for objects that the user cannot choose. */
export function createIdResolver(
	{ members, channels, attachments, serialize }: Simulator,
	user: User,
	channel: Channel,
) {
	const guild = guildOf(channel);
	const resolved: { [kind: string]: { [id: string]: unknown } } = {};
	const add = (kind: keyof APIInteractionDataResolved, id: string, value: unknown): true => {
		resolved[kind] = { ...resolved[kind], [id]: value };
		return true;
	};

	const isInChannel = (id: string): boolean =>
		id === members.bot.id || (guild ? guild.memberIds.includes(id) : id === user.id);

	/** Only a member has an entry in `members`. */
	function resolveUser(id: string): boolean {
		const found = members.userOf(id);
		if (!found) return false;
		if (guild && isInChannel(id)) {
			const { user: _, deaf: _deaf, mute: _mute, ...rest } = members.memberOf(guild, id);
			const permissions = channels.permissionsIn(channel, id).toString();
			add("members", id, { ...rest, permissions });
		}
		return add("users", id, found);
	}

	function resolveRole(id: string): boolean {
		const role = guild && channels.roles(guild).find((each) => each.id === id);
		return role !== undefined && add("roles", id, role);
	}

	return {
		/** Any user, whose id a user may type. */
		user: resolveUser,
		/** A user whom menus list. */
		member: (id: string): boolean => isInChannel(id) && resolveUser(id),
		role: resolveRole,
		/** Any type is accepted without `types`. */
		channel(id: string, types?: readonly ChannelType[] | null): boolean {
			const found = channels.find(id);
			if (found?.kind !== "guild" || found.guildId !== guild?.id || !channels.canRead(found, user.id)) return false;
			const shown = channels.toGuildChannel(found);
			if (types?.length && !types.includes(shown.type)) return false;
			const permissions = channels.permissionsIn(found, user.id).toString();
			return add("channels", id, { ...shown, permissions });
		},
		/** Finds an upload of this user. `check` throws for a file that cannot be chosen. */
		attachment(id: string, check?: (attachment: APIAttachment) => void): boolean {
			const found = attachments.find(id);
			if (found?.uploadedBy !== user.id) return false;
			const attachment = serialize.attachment(found.attachment, channel.id, true);
			check?.(attachment);
			return add("attachments", id, attachment);
		},
		/** Returns the `resolved` field of the data; none without objects. */
		data: (): { resolved?: APIInteractionDataResolved } => (Object.keys(resolved).length === 0 ? {} : { resolved }),
	};
}
