/** Serializes stored messages as Discord does: full users, and file URLs below the playground's origin. */
import {
	type APIAttachment,
	type APIEmbed,
	type APIMessage,
	type APIMessageInteractionMetadata,
	type APIReaction,
	type APIUser,
	EmbedType,
	InteractionType,
	MessageFlags,
	MessageReferenceType,
	MessageType,
} from "discord-api-types/v10";
import { isJsonObject, mapJson } from "../json.ts";
import { mediaTypeOf } from "../media/media-metadata.ts";
import { attachmentName, attachmentReferences } from "./build-message.ts";
import { mediaUrl, withMedia } from "./components.ts";
import { discordTime, flagsOf } from "./discord-formats.ts";
import { commandNameOf, componentMessageId } from "./interactions.ts";
import { toPartialEmoji } from "./emojis.ts";
import type { Members } from "./members.ts";
import type { Messages } from "./messages.ts";
import { serializePoll } from "./polls.ts";
import type { Threads } from "./threads.ts";
import type { MessageOrigin, StoredAttachment, StoredMessage, StoredReaction } from "./documents.ts";

/** The path of files. Names in it are for readers; the attachment's id finds the file. */
export const MEDIA_PATH = "/playground/media";

type Owners = { readonly "0": string };

export function createSerializer(deps: {
	members: Members;
	messages: Messages;
	threads: Threads;
	origin: () => string;
}) {
	const { members, messages, threads, origin } = deps;

	function attachment(stored: StoredAttachment, channelId: string, isEphemeral: boolean): APIAttachment {
		const url = `${origin()}${MEDIA_PATH}/${channelId}/${stored.id}/${encodeURIComponent(stored.filename)}`;
		return { ...stored, url, proxy_url: url, ...(isEphemeral && { ephemeral: true }) };
	}

	/** Only replies to commands also have the older field; for a component, its message is named. */
	function interactionOf(stored: StoredMessage): Partial<APIMessage> {
		const { interaction } = stored;
		const invoker = interaction && members.find(interaction.userId);
		if (!invoker) return {};
		const { id, isFollowUp, origin: messageOrigin } = interaction;
		const user = members.toUser(invoker);
		const owners: Owners = { "0": stored.guildId ?? "0" };
		const followUpFields =
			isFollowUp && stored.repliesTo !== null ? { original_response_message_id: stored.repliesTo } : {};
		const isReplyToCommand = !isFollowUp && componentMessageId(messageOrigin) === undefined;
		const type = messageOrigin.kind === "modal" ? InteractionType.ModalSubmit : InteractionType.ApplicationCommand;
		return {
			interaction_metadata: {
				...metadataOf(id, messageOrigin, user, owners),
				...followUpFields,
			} as APIMessageInteractionMetadata,
			...(isReplyToCommand ? { interaction: { id, type, name: commandNameOf(messageOrigin), user } } : {}),
			webhook_id: members.bot.id,
		};
	}

	function metadataOf(id: string, messageOrigin: MessageOrigin, user: APIUser, owners: Owners): object {
		const base = { id, user, authorizing_integration_owners: owners };
		switch (messageOrigin.kind) {
			case "command":
				return { ...base, type: InteractionType.ApplicationCommand, ...targetOf(messageOrigin.target) };
			case "component":
				return { ...base, type: InteractionType.MessageComponent, interacted_message_id: messageOrigin.messageId };
			case "modal": {
				const { id: openerId, ...opener } = messageOrigin.opener;
				const trigger = metadataOf(openerId, opener, user, owners);
				return { ...base, type: InteractionType.ModalSubmit, triggering_interaction_metadata: trigger };
			}
		}
	}

	function targetOf(target: { readonly kind: "user" | "message"; readonly id: string } | undefined): object {
		if (!target) return {};
		if (target.kind === "message") return { target_message_id: target.id };
		const member = members.find(target.id);
		return { target_user: member ? members.toUser(member) : members.bot };
	}

	/** Only the bot and its webhooks have an application. */
	function authorOf({ authorId, webhook }: StoredMessage): Partial<APIMessage> & Pick<APIMessage, "author"> {
		const application_id = members.bot.id;
		if (authorId === members.bot.id) return { author: members.bot, application_id };
		if (webhook) return { author: members.webhookUser(authorId, webhook.name), webhook_id: authorId, application_id };
		return { author: members.userOf(authorId) ?? members.deletedUser(authorId) };
	}

	/**
	 * A reply contains the message that it refers to, without the reference of that one; `null` after its deletion. An ephemeral message
	 * is only shown to its user.
	 */
	function replyOf(stored: StoredMessage, viewerId: string): Partial<APIMessage> {
		if (stored.repliesTo === null) return {};
		const referenced = messages.find(stored.channelId, stored.repliesTo);
		const isShown = !referenced || [null, viewerId, stored.visibleTo].includes(referenced.visibleTo);
		return {
			message_reference: {
				type: MessageReferenceType.Default,
				channel_id: stored.channelId,
				message_id: stored.repliesTo,
				...(stored.guildId === null ? {} : { guild_id: stored.guildId }),
			},
			...((stored.type === MessageType.Reply || stored.type === MessageType.ContextMenuCommand) &&
				isShown && {
					referenced_message: referenced ? basicMessage(referenced, viewerId) : null,
				}),
		};
	}

	/** A message as a reply contains it: without reactions, and without the message that it replies to. */
	function basicMessage(stored: StoredMessage, viewerId: string): APIMessage {
		const isEphemeral = stored.visibleTo !== null;
		const attachments = stored.attachments.map((file) => attachment(file, stored.channelId, isEphemeral));
		const embeds = (stored.flags & MessageFlags.SuppressEmbeds) === 0 ? stored.embeds : [];
		// Discord lists a file either in `attachments` or where it is shown: discord-api-docs#1340 and #8277.
		const shownNames = new Set(attachmentReferences({ embeds, components: stored.components }).map(({ name }) => name));
		const thread = threads.find(stored.id);
		return {
			id: stored.id,
			channel_id: stored.channelId,
			type: stored.type,
			content: stored.content,
			...authorOf(stored),
			timestamp: discordTime(stored.createdMs),
			edited_timestamp: stored.editedMs === null ? null : discordTime(stored.editedMs),
			tts: stored.tts,
			pinned: false,
			flags: flagsOf(stored.flags | (thread ? MessageFlags.HasThread : 0)),
			mention_everyone: stored.mentionsEveryone,
			mentions: stored.mentionedUserIds.flatMap((id) => members.userOf(id) ?? []),
			mention_roles: [...stored.mentionedRoleIds],
			attachments: attachments.filter(({ filename }) => !shownNames.has(filename)),
			embeds: embeds.map((each) => ({
				...embed(each, attachments),
				type: stored.type === MessageType.PollResult ? EmbedType.PollResult : EmbedType.Rich,
			})),
			components: withMedia(stored.components, (url) => mediaItem(url, stored, attachments)),
			...(thread && { thread: threads.serialize(thread) }),
			...(stored.poll && { poll: serializePoll(stored.poll, viewerId) }),
			...interactionOf(stored),
			...(stored.nonce === null ? {} : { nonce: stored.nonce }),
		};
	}

	return {
		attachment,
		/** Returns a message as the bot or another viewer sees it: `me` of a reaction is true if the viewer has added it. */
		message: (stored: StoredMessage, viewerId = members.bot.id): APIMessage => ({
			...basicMessage(stored, viewerId),
			...(stored.reactions.length > 0 && {
				reactions: stored.reactions.map((each) => reaction(each, viewerId)),
			}),
			...replyOf(stored, viewerId),
		}),
	};
}

/**
 * Empties the fields that need the intent, also in the message that is replied to. The bot's own messages and those that
 * mention it stay complete. Only for messages in guilds. https://docs.discord.com/developers/events/gateway#message-content-intent
 */
export function withoutContent(message: APIMessage, botId: string): APIMessage {
	const { referenced_message: referenced } = message;
	const reply = referenced ? { ...message, referenced_message: withoutContent(referenced, botId) } : message;
	if (message.author.id === botId || message.mentions.some(({ id }) => id === botId)) return reply;
	const { poll: _, ...rest } = reply;
	return { ...rest, content: "", embeds: [], attachments: [], components: [] };
}

/** There are no super reactions. */
function reaction({ emoji, userIds }: StoredReaction, viewerId: string): APIReaction {
	return {
		emoji: toPartialEmoji(emoji),
		count: userIds.length,
		count_details: { burst: 0, normal: userIds.length },
		burst_colors: [],
		me: userIds.includes(viewerId),
		me_burst: false,
	};
}

/** Media objects of components in responses; external URLs use the message's id. */
function mediaItem(address: string, stored: StoredMessage, attachments: readonly APIAttachment[]) {
	const file = fileOf(address, attachments);
	if (!file) {
		// Discord loads the file to know its type; here its name tells.
		const { contentType } = mediaTypeOf(URL.parse(address)?.pathname ?? "");
		const media = { id: stored.id, url: address, proxy_url: address, content_type: contentType };
		return { media, name: null, size: null };
	}
	const { id, url, proxy_url, content_type, filename: name, size } = file;
	const media = { id, url, proxy_url, ...sizeOf(file), ...(content_type ? { content_type } : {}), attachment_id: id };
	return { media, name, size };
}

/** Completes an embed: with the URLs of its files, the format of its time, and the default of its fields. */
function embed(stored: APIEmbed, attachments: readonly APIAttachment[]): APIEmbed {
	return mapJson(stored, (value, path) => {
		const name = path.at(-1);
		if (name === "timestamp") return discordTime(Date.parse(String(value)));
		if (!isJsonObject(value)) return value;
		if (path.at(-2) === "fields") return { inline: false, ...value };
		const url = mediaUrl(value, name);
		const file = fileOf(url ?? String(value["icon_url"]), attachments);
		if (!file) return value;
		return url === undefined
			? { ...value, icon_url: file.url, proxy_icon_url: file.proxy_url }
			: { ...value, url: file.url, proxy_url: file.proxy_url, ...sizeOf(file) };
	}) as APIEmbed;
}

/** The size of an image or video, if it is known. */
function sizeOf({ width, height }: Pick<APIAttachment, "width" | "height">): { width?: number; height?: number } {
	return width && height ? { width, height } : {};
}

function fileOf(address: string, attachments: readonly APIAttachment[]): APIAttachment | undefined {
	const name = attachmentName(address);
	return name === undefined ? undefined : attachments.find(({ filename }) => filename === name);
}
