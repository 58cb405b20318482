/** The events about messages, with the fields that each session may see. */
import { type APIGuildMember, type APIMessage, type APIUser, GatewayIntentBits } from "discord-api-types/v10";
import type { StoredMessage } from "../simulator/documents.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import { toPartialEmoji } from "../simulator/emojis.ts";
import { withoutContent } from "../simulator/message-content.ts";
import type { SimulatedGuild } from "../simulator/seed-from-fixture.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { SendEvent, Session } from "./session.ts";

/** A channel with messages, and its guild. */
interface MessagePlace {
	readonly channelId: string;
	readonly guildId: string | null;
}

type Intents = { readonly guild: GatewayIntentBits; readonly direct: GatewayIntentBits };

const REACTIONS: Intents = {
	guild: GatewayIntentBits.GuildMessageReactions,
	direct: GatewayIntentBits.DirectMessageReactions,
};
const POLLS: Intents = { guild: GatewayIntentBits.GuildMessagePolls, direct: GatewayIntentBits.DirectMessagePolls };
const MESSAGES: Intents = { guild: GatewayIntentBits.GuildMessages, direct: GatewayIntentBits.DirectMessages };

type ReactionEvent = Extract<SimulatorEvent, { readonly target: StoredMessage }>;
type PollEvent = Extract<SimulatorEvent, { readonly polled: StoredMessage }>;

const EVENT_NAMES = {
	reactionAdd: "MESSAGE_REACTION_ADD",
	reactionRemove: "MESSAGE_REACTION_REMOVE",
	reactionRemoveEmoji: "MESSAGE_REACTION_REMOVE_EMOJI",
	reactionRemoveAll: "MESSAGE_REACTION_REMOVE_ALL",
} as const satisfies { readonly [type in ReactionEvent["type"]]: string };

export function createMessageEvents(simulator: Simulator, sendEvent: SendEvent) {
	const { channels, members, guilds } = simulator;

	function send(place: MessagePlace, intents: Intents, event: string, payloadFor: (session: Session) => object): void {
		const { channelId: channel_id, guildId } = place;
		if (!channels.botCanRead(channel_id)) return;
		const ids = { channel_id, ...(guildId !== null && { guild_id: guildId }) };
		sendEvent(event, { guildId, intents: guildId === null ? intents.direct : intents.guild }, (session) => ({
			...payloadFor(session),
			...ids,
		}));
	}

	/** The member without the user, as in events about messages; `undefined` for those who left. */
	function partialMember(guild: SimulatedGuild, userId: string): Omit<APIGuildMember, "user"> | undefined {
		if (!guild.memberIds.includes(userId) && userId !== members.bot.id) return undefined;
		const { user: _, ...member } = members.memberOf(guild, userId);
		return member;
	}

	/** Adds the members of the author and of the mentioned users, which only events contain. */
	function withMembers(message: APIMessage, guild: SimulatedGuild): object {
		const member = partialMember(guild, message.author.id);
		const mentions = message.mentions.map((user: APIUser) => ({ ...user, member: partialMember(guild, user.id) }));
		return { ...message, mentions, ...(member && { member }) };
	}

	return {
		bulkDelete(removed: readonly StoredMessage[]): void {
			const [first] = removed;
			if (first) send(first, MESSAGES, "MESSAGE_DELETE_BULK", () => ({ ids: removed.map(({ id }) => id) }));
		},
		reaction(event: ReactionEvent): void {
			const { target } = event;
			if (target.visibleTo !== null) return;
			const message_id = target.id;
			const emoji = "emoji" in event && { emoji: toPartialEmoji(event.emoji) };
			if (event.type === "reactionRemoveAll" || event.type === "reactionRemoveEmoji")
				return send(target, REACTIONS, EVENT_NAMES[event.type], () => ({ message_id, ...emoji }));
			const { userId: user_id } = event;
			const payload = { message_id, user_id, ...emoji, type: 0, burst: false };
			if (event.type === "reactionRemove") return send(target, REACTIONS, EVENT_NAMES[event.type], () => payload);
			const guild = target.guildId === null ? undefined : guilds.find(target.guildId);
			const message_author_id = target.authorId ?? members.bot.id;
			send(target, REACTIONS, EVENT_NAMES[event.type], () => ({
				...payload,
				message_author_id,
				...(guild && { member: members.memberOf(guild, user_id) }),
			}));
		},
		pollVote({ type, polled, answerId: answer_id, userId: user_id }: PollEvent): void {
			if (polled.visibleTo !== null) return;
			const event = type === "pollVoteAdd" ? "MESSAGE_POLL_VOTE_ADD" : "MESSAGE_POLL_VOTE_REMOVE";
			send(polled, POLLS, event, () => ({ message_id: polled.id, user_id, answer_id }));
		},
		message(type: "messageCreate" | "messageUpdate" | "messageDelete", stored: StoredMessage): void {
			if (stored.visibleTo !== null) return;
			if (type === "messageDelete") return send(stored, MESSAGES, "MESSAGE_DELETE", () => ({ id: stored.id }));
			const guild = stored.guildId === null ? undefined : guilds.find(stored.guildId);
			const message = simulator.serialize.message(stored);
			send(stored, MESSAGES, type === "messageCreate" ? "MESSAGE_CREATE" : "MESSAGE_UPDATE", ({ intents }) => {
				const hasContent = guild === undefined || (intents & GatewayIntentBits.MessageContent) !== 0;
				const shown = hasContent ? message : withoutContent(message, members.bot.id);
				return guild ? withMembers(shown, guild) : shown;
			});
		},
	};
}
