/** The same rules for replies, webhooks, the bot and members: contents, mentions, edits. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { messageErrors, type MessageKind } from "../schema/message-validation.ts";
import { apiErrors, rejectFields } from "../simulator/api-error.ts";
import {
	buildMessage,
	isVoiceMessage,
	type MessageContents,
	type MessageBody,
	type UploadedFile,
} from "../simulator/build-message.ts";
import { guildOf } from "../simulator/channels.ts";
import { textsOf } from "../simulator/components.ts";
import type { Channel, StoredAttachment, StoredMessage } from "../simulator/documents.ts";
import type { Interaction } from "../simulator/interactions.ts";
import { PING_ALL_KINDS, findMentions, type PingedIds, PING_USERS_ONLY } from "../simulator/mentions.ts";
import { EVERYONE_PERMISSIONS } from "../simulator/permissions.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type Actor, requireNotArchived } from "./channel-permissions.ts";

/** A message that its author sends or edits. */
export interface MessageWrite extends Actor, MessageKind {
	readonly body: MessageBody;
	readonly files: readonly UploadedFile[];
	/** Files that the page has uploaded before. */
	readonly uploads?: readonly StoredAttachment[];
	/** The message that it replies to. */
	readonly replied?: StoredMessage | undefined;
}

/** The fields of a message that a request sets. */
type MessageDraft = MessageContents & PingedIds;

/** Edits `target` after its other edits: each builds on the previous one. */
export function applyEdit(
	write: MessageWrite,
	target: StoredMessage,
	answerInteraction?: () => void,
): Promise<StoredMessage> {
	return write.simulator.messageMutex(target.id, () => applyEditInTurn(write, target, answerInteraction));
}

/**
 * Edits `target`, whose mutex the caller holds. An edit without `allowed_mentions` uses the default again. `answerInteraction` is
 * called last, together with the edit: its error cancels the edit.
 */
export async function applyEditInTurn(
	write: MessageWrite,
	target: StoredMessage,
	answerInteraction: () => void = () => undefined,
): Promise<StoredMessage> {
	const { simulator, body } = write;
	const { messages, attachments, channels, clock } = simulator;
	requireNotArchived(channels.find(target.channelId));
	function requireCurrent(): StoredMessage {
		const message = messages.find(target.channelId, target.id);
		if (!message) throw apiErrors.unknownMessage();
		return message;
	}
	const before = requireCurrent();
	// A deferred reply can become a poll; nothing else can, and a poll stays as it is.
	if (before.type === MessageType.PollResult) throw apiErrors.systemMessage();
	if (before.poll || (body.poll && !isLoading(before))) throw apiErrors.pollNotEditable();
	if (isVoiceMessage(before)) throw apiErrors.voiceMessageNotEditable();
	const isReply = before.type === MessageType.Reply;
	const replied = isReply ? messages.find(before.channelId, before.repliesTo ?? "") : undefined;
	const draft = await prepareMessage({ ...write, replied }, before.channelId, before);
	let after;
	try {
		after = simulator.atomically(() => {
			// The message may have been deleted during the upload.
			const current = requireCurrent();
			answerInteraction();
			const editedMs = changesOnlyFlags(write) ? current.editedMs : clock.nowMs();
			return messages.edit(current, { ...draft, editedMs: isLoading(before) ? null : editedMs });
		});
	} catch (error) {
		attachments.remove(attachmentIdsOnlyIn(draft, before));
		throw error;
	}
	attachments.remove(attachmentIdsOnlyIn(before, after));
	return after;
}

const CONTENT_FIELDS = ["content", "embeds", "components", "attachments", "poll"] as const;

/** Returns whether an edit changes flags, and nothing that counts as an edit. */
export function changesOnlyFlags({ body, files }: Pick<MessageWrite, "body" | "files">): boolean {
	return files.length === 0 && CONTENT_FIELDS.every((field) => body[field] === undefined) && body.flags !== undefined;
}

export function isLoading({ flags }: StoredMessage): boolean {
	return (flags & MessageFlags.Loading) !== 0;
}

type WithAttachments = Pick<StoredMessage, "attachments">;

function attachmentIdsOnlyIn({ attachments }: WithAttachments, other: WithAttachments): string[] {
	const ids = new Set(other.attachments.map(({ id }) => id));
	return attachments.map(({ id }) => id).filter((id) => !ids.has(id));
}

/** Builds a message for the channel, or an edit of `previous`. Throws Discord's error. */
export async function prepareMessage(
	{ simulator, actorId, body, files, uploads = [], replied, ...kind }: MessageWrite,
	channelId: string,
	previous: StoredMessage | null = null,
): Promise<MessageDraft> {
	rejectFields(messageErrors(body, kind));
	const { attachments, adminSettings, channels, clock } = simulator;
	const channel = channels.find(channelId);
	const limits = adminSettings.fileLimitsIn(channel && guildOf(channel));
	const contents = await buildMessage({ attachments, uploads, limits, nowMs: clock.nowMs() }, body, files, previous);
	const isV2 = (contents.flags & MessageFlags.IsComponentsV2) !== 0;
	// Only an edit of the text pings again.
	if (previous && body[isV2 ? "components" : "content"] === undefined) {
		const { mentionedUserIds, mentionedRoleIds, mentionsEveryone } = previous;
		return { ...contents, mentionedUserIds, mentionedRoleIds, mentionsEveryone };
	}
	const text = [contents.content, ...textsOf(contents.components)].join("\n");
	const allowed = body.allowed_mentions ?? (kind.sender === "user" ? PING_ALL_KINDS : PING_USERS_ONLY);
	const permissions = channel ? permissionsOf(kind.sender, actorId, channel, simulator) : EVERYONE_PERMISSIONS;
	const repliedUserId = replied?.authorId === actorId ? undefined : replied?.authorId;
	return { ...contents, ...findMentions(simulator, channel, text, { allowed, permissions, repliedUserId }) };
}

function permissionsOf(
	sender: MessageKind["sender"],
	actorId: string,
	channel: Channel,
	{ channels }: Simulator,
): bigint {
	switch (sender) {
		case "user":
			return channels.permissionsIn(channel, actorId);
		case "interaction":
			return channels.appPermissionsIn(channel);
		case "webhook":
			return EVERYONE_PERMISSIONS;
	}
}

export function interactionReference(
	{ id, userId, origin }: Interaction,
	{ isFollowUp }: { readonly isFollowUp: boolean },
): NonNullable<StoredMessage["interaction"]> {
	if (origin.kind === "autocomplete") throw new Error("no message responds to an autocomplete interaction");
	return { id, userId, isFollowUp, origin };
}
