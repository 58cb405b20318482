/** Converts the events of the simulator to those of the gateway: which sessions receive them, and what each may see. */
import { type APIGuildMember, type APIMessage, GatewayIntentBits as Intent } from "discord-api-types/v10";
import type { Guild, StoredMessage } from "../simulator/documents.ts";
import { toPartialEmoji } from "../simulator/emojis.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import { withoutContent } from "../simulator/serialize.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { isPrivate } from "../simulator/threads.ts";
import { guildCreate } from "./ready.ts";
import type { Session } from "./session.ts";

export interface GatewayEvent {
	readonly name: string;
	/** `null` for events outside of guilds, which the first shard receives. */
	readonly guildId: string | null;
	/** Bits that a session needs. */
	readonly intents: number;
	/** Returns `undefined` for a session that does not receive the event. */
	readonly payloadFor: (session: Session) => object | undefined;
}

type Intents = { readonly guild: number; readonly direct: number };
const MESSAGES: Intents = { guild: Intent.GuildMessages, direct: Intent.DirectMessages };
const REACTIONS: Intents = { guild: Intent.GuildMessageReactions, direct: Intent.DirectMessageReactions };
const POLLS: Intents = { guild: Intent.GuildMessagePolls, direct: Intent.DirectMessagePolls };

/** Returns the gateway's name of an event of the simulator: messageCreate -> MESSAGE_CREATE. */
function nameOf(type: string): string {
	return type.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

export function createGatewayEvents(simulator: Simulator): (event: SimulatorEvent) => readonly GatewayEvent[] {
	const { channels, members, guilds, threads, installs, commands, serialize } = simulator;

	/** An event for the sessions of a guild that has the bot. */
	function inGuild(
		name: string,
		guild: Guild | undefined,
		intents: number,
		payloadFor: GatewayEvent["payloadFor"],
	): GatewayEvent[] {
		return guild && installs.isMember(guild) ? [{ name, guildId: guild.id, intents, payloadFor }] : [];
	}

	/** An event about a message in a channel that the bot sees. */
	function aboutMessage(
		{ channelId: channel_id, guildId, visibleTo }: StoredMessage,
		name: string,
		intents: Intents,
		payloadFor: (session: Session) => object,
	): GatewayEvent[] {
		if (visibleTo !== null || !channels.botCanRead(channel_id)) return [];
		const ids = { channel_id, ...(guildId !== null && { guild_id: guildId }) };
		return [
			{
				name,
				guildId,
				intents: guildId === null ? intents.direct : intents.guild,
				payloadFor: (session) => ({ ...payloadFor(session), ...ids }),
			},
		];
	}

	/** The member without the user, as in events about messages; `undefined` for those who left. */
	function partialMember(guild: Guild, userId: string): Omit<APIGuildMember, "user"> | undefined {
		if (!guild.memberIds.includes(userId) && userId !== members.bot.id) return undefined;
		const { user: _, ...member } = members.memberOf(guild, userId);
		return member;
	}

	/** Adds the members of the author and of the mentioned users, which only events contain. */
	function withMembers(message: APIMessage, guild: Guild): object {
		const member = partialMember(guild, message.author.id);
		const mentions = message.mentions.map((user) => ({ ...user, member: partialMember(guild, user.id) }));
		return { ...message, mentions, ...(member && { member }) };
	}

	function messageEvent(name: string, stored: StoredMessage): GatewayEvent[] {
		const guild = guilds.find(stored.guildId ?? "");
		const message = serialize.message(stored);
		const channel_type = channels.typeOf(stored.channelId);
		return aboutMessage(stored, name, MESSAGES, ({ intents }) => {
			const hasContent = guild === undefined || (intents & Intent.MessageContent) !== 0;
			const shown = hasContent ? message : withoutContent(message, members.bot.id);
			return { ...(guild ? withMembers(shown, guild) : shown), channel_type };
		});
	}

	/** Without the members intent, a session sees only the bot join and leave. */
	function threadMembers({
		thread,
		isNew,
		addedIds,
		removedIds,
	}: Extract<SimulatorEvent, { readonly type: "threadMembers" }>): GatewayEvent[] {
		const guild = guilds.find(thread.guild_id);
		const isRemoved = removedIds.includes(members.bot.id);
		const isSeen = isRemoved ? channels.botCanRead(thread.parent_id) : channels.canReadThread(thread, members.bot.id);
		if (!guild || !isSeen) return [];
		const update = inGuild("THREAD_MEMBERS_UPDATE", guild, Intent.Guilds, (session) => {
			const seesAll = (session.intents & Intent.GuildMembers) !== 0;
			const sees = (id: string): boolean => seesAll || id === members.bot.id;
			const added = thread.members.filter(({ user_id: id }) => addedIds.includes(id) && sees(id));
			const removed = removedIds.filter(sees);
			if (added.length + removed.length === 0) return undefined;
			return {
				id: thread.id,
				guild_id: thread.guild_id,
				member_count: threads.serialize(thread).member_count,
				...(added.length > 0 && {
					added_members: added.map((each) => ({
						...each,
						member: members.memberOf(guild, each.user_id),
						presence: null,
					})),
				}),
				...(removed.length > 0 && { removed_member_ids: removed }),
			};
		});
		// The bot may not know a private thread yet.
		const isUnknown = isPrivate(thread) && !isNew && addedIds.includes(members.bot.id);
		return isUnknown
			? [...inGuild("THREAD_CREATE", guild, Intent.Guilds, () => threads.serialize(thread)), ...update]
			: update;
	}

	/** A guild that the bot has left has no `unavailable`, which distinguishes it from an outage. */
	function botMembership(guild: Guild, wasMember: boolean, isMember: boolean): GatewayEvent[] {
		if (wasMember === isMember) return [];
		const target = { guildId: guild.id, intents: Intent.Guilds };
		return isMember
			? [{ ...target, name: "GUILD_CREATE", payloadFor: (session) => guildCreate(simulator, guild, session) }]
			: [{ ...target, name: "GUILD_DELETE", payloadFor: () => ({ id: guild.id }) }];
	}

	return (event) => {
		const name = nameOf(event.type);
		switch (event.type) {
			case "messageCreate":
			case "messageUpdate":
				return messageEvent(name, event.message);
			case "messageDelete":
				return aboutMessage(event.message, name, MESSAGES, () => ({ id: event.message.id }));
			case "messageDeleteBulk": {
				const [first] = event.removed;
				const ids = event.removed.map(({ id }) => id);
				return first ? aboutMessage(first, name, MESSAGES, () => ({ ids })) : [];
			}
			case "reactionAdd":
			case "reactionRemove": {
				const { target, userId: user_id } = event;
				const guild = guilds.find(target.guildId ?? "");
				const isAdded = event.type === "reactionAdd";
				return aboutMessage(target, `MESSAGE_${name}`, REACTIONS, () => ({
					message_id: target.id,
					user_id,
					emoji: toPartialEmoji(event.emoji),
					type: 0,
					burst: false,
					...(isAdded && { message_author_id: target.authorId }),
					...(isAdded && guild && { member: members.memberOf(guild, user_id) }),
				}));
			}
			case "reactionRemoveEmoji":
			case "reactionRemoveAll":
				return aboutMessage(event.target, `MESSAGE_${name}`, REACTIONS, () => ({
					message_id: event.target.id,
					...("emoji" in event && { emoji: toPartialEmoji(event.emoji) }),
				}));
			case "pollVoteAdd":
			case "pollVoteRemove": {
				const { polled, userId: user_id, answerId: answer_id } = event;
				return aboutMessage(polled, `MESSAGE_${name}`, POLLS, () => ({ message_id: polled.id, user_id, answer_id }));
			}
			case "threadCreate":
			case "threadUpdate":
			case "threadDelete": {
				const { id, type, guild_id, parent_id } = event.thread;
				const guild = channels.canReadThread(event.thread, members.bot.id) ? guilds.find(guild_id) : undefined;
				const shown = threads.serialize(event.thread);
				const created = event.type === "threadCreate" && { newly_created: true };
				const payload = event.type === "threadDelete" ? { id, guild_id, parent_id, type } : { ...shown, ...created };
				return inGuild(name, guild, Intent.Guilds, () => payload);
			}
			case "threadMembers":
				return threadMembers(event);
			case "threadSync": {
				const active = channels.activeThreads(event.channelId, members.bot.id);
				return inGuild("THREAD_LIST_SYNC", guilds.find(event.guildId), Intent.Guilds, () => ({
					guild_id: event.guildId,
					channel_ids: [event.channelId],
					threads: active.map((thread) => threads.serialize(thread)),
					members: active.flatMap((thread) => threads.ownMember(thread) ?? []),
				}));
			}
			case "channelUpdate":
			case "channelDelete":
				return inGuild(name, event.channel.guild, Intent.Guilds, () => channels.toGuildChannel(event.channel));
			case "webhooks": {
				const { guildId: guild_id, channelId: channel_id } = event;
				const guild = channels.botCanRead(channel_id) ? guilds.find(guild_id) : undefined;
				return inGuild("WEBHOOKS_UPDATE", guild, Intent.GuildWebhooks, () => ({ guild_id, channel_id }));
			}
			case "commandPermissions": {
				const payload = commands.serializePermissions(event.guildId, event.commandId);
				return inGuild("APPLICATION_COMMAND_PERMISSIONS_UPDATE", guilds.find(event.guildId), 0, () => payload);
			}
			case "memberAdd":
			case "memberUpdate":
			case "memberRemove": {
				const { guild, userId } = event;
				const member =
					event.type === "memberRemove" ? { user: members.userOf(userId) } : members.memberOf(guild, userId);
				// A bot receives the changes of its own member without the intent.
				const intents = userId === members.bot.id ? 0 : Intent.GuildMembers;
				return inGuild(`GUILD_${name}`, guild, intents, () => ({ guild_id: guild.id, ...member }));
			}
			case "banAdd":
			case "banRemove": {
				const { guild, userId } = event;
				const payload = { guild_id: guild.id, user: members.userOf(userId) };
				return inGuild(`GUILD_${name}`, guild, Intent.GuildModeration, () => payload);
			}
			case "entitlementCreate":
			case "entitlementUpdate":
			case "entitlementDelete":
				// Entitlements belong to no guild and need no intent.
				return [{ name, guildId: null, intents: 0, payloadFor: () => event.entitlement }];
			case "guild":
				return inGuild("GUILD_UPDATE", event.guild, Intent.Guilds, () => channels.toGuild(event.guild));
			case "role": {
				const role = channels.roles(event.guild).find(({ id }) => id === event.roleId);
				return inGuild("GUILD_ROLE_UPDATE", event.guild, Intent.Guilds, () => ({ guild_id: event.guild.id, role }));
			}
			case "guilds":
				return [
					...event.added.flatMap((guild) => botMembership(guild, false, installs.isMember(guild))),
					...event.removed.flatMap((guild) => botMembership(guild, installs.isMember(guild), false)),
				];
			case "bot":
				return botMembership(event.guild, event.wasMember, event.isMember);
			case "directChannel":
			case "view":
			case "presence":
			case "interactionAnswered":
			case "interactionFailed":
				return [];
		}
	};
}
