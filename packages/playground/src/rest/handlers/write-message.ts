/** Creates and edits messages: the same rules for replies and for the bot's own messages. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { messageErrors, type MessageRequest } from "../../schema/message-validation.ts";
import { apiErrors, rejectFields } from "../../simulator/api-error.ts";
import {
	buildMessage,
	type MessageContents,
	type MessageBody,
	type UploadedFile,
} from "../../simulator/build-message.ts";
import { guildOf } from "../../simulator/channels.ts";
import { textsOf } from "../../simulator/components.ts";
import type { StoredMessage } from "../../simulator/documents.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import { DEFAULT_MENTIONS, findMentions, type PingedIds } from "../../simulator/mentions.ts";
import { EVERYONE_PERMISSIONS } from "../../simulator/permissions.ts";
import type { Simulator } from "../../simulator/simulator.ts";

/** The fields of a message that a request sets. */
type MessageDraft = MessageContents & PingedIds;

type Edit = [
	simulator: Simulator,
	target: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	claim?: () => void,
];

/** Edits `target` after its other edits: each builds on the previous one. */
export function applyEdit(...edit: Edit): Promise<StoredMessage> {
	const [simulator, target] = edit;
	return simulator.messageMutex(target.id, () => applyEditInTurn(...edit));
}

/**
 * Edits `target`, whose mutex the caller holds. An edit without `allowed_mentions` uses the default again. `claim` is
 * called last, together with the edit: its error cancels the edit.
 */
export async function applyEditInTurn(...edit: Edit): Promise<StoredMessage> {
	const [simulator, target, body, files, kind, claim = () => undefined] = edit;
	const { messages, attachments, threads, clock } = simulator;
	if (threads.find(target.channelId)?.isArchived) throw apiErrors.threadArchived();
	function requireCurrent(): StoredMessage {
		const message = messages.find(target.channelId, target.id);
		if (!message) throw apiErrors.unknownMessage();
		return message;
	}
	const before = requireCurrent();
	// A deferred reply can become a poll; nothing else can, and a poll stays as it is.
	if (before.type === MessageType.PollResult) throw apiErrors.systemMessage();
	if (before.poll || (body.poll && !isLoading(before))) throw apiErrors.pollNotEditable();
	const draft = await prepareMessage(simulator, target.channelId, body, files, kind, before);
	let after;
	try {
		after = simulator.atomically(() => {
			// The message may have been deleted during the upload.
			const current = requireCurrent();
			claim();
			const editedMs = changesOnlyFlags(body, files) ? current.editedMs : clock.nowMs();
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
export function changesOnlyFlags(body: MessageBody, files: readonly UploadedFile[]): boolean {
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
	simulator: Simulator,
	channelId: string,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	previous: StoredMessage | null = null,
): Promise<MessageDraft> {
	rejectFields(messageErrors(body, kind));
	const { attachments, adminSettings, channels, clock } = simulator;
	const channel = channels.find(channelId);
	const limits = adminSettings.fileLimitsIn(channel && guildOf(channel));
	const contents = await buildMessage({ attachments, limits, nowMs: clock.nowMs() }, body, files, previous);
	const allowed = body.allowed_mentions ?? DEFAULT_MENTIONS[kind.isFromBot ? "bot" : "webhook"];
	const isV2 = (contents.flags & MessageFlags.IsComponentsV2) !== 0;
	// Only an edit of the text pings again.
	if (previous && body[isV2 ? "components" : "content"] === undefined) {
		const { mentionedUserIds, mentionedRoleIds, mentionsEveryone } = previous;
		return { ...contents, mentionedUserIds, mentionedRoleIds, mentionsEveryone };
	}
	const text = [contents.content, ...textsOf(contents.components)].join("\n");
	// Webhooks mention with the permissions of @everyone.
	const isFromWebhook = previous ? previous.webhook !== null : !kind.isFromBot && !kind.isInteraction;
	const permissions = isFromWebhook || !channel ? EVERYONE_PERMISSIONS : channels.appPermissionsIn(channel);
	return { ...contents, ...findMentions(simulator, channel, text, { allowed, permissions }) };
}

export function interactionReference(
	{ id, userId, origin }: Interaction,
	{ isFollowUp }: { readonly isFollowUp: boolean },
): NonNullable<StoredMessage["interaction"]> {
	if (origin.kind === "autocomplete") throw new Error("no message responds to an autocomplete interaction");
	return { id, userId, isFollowUp, origin };
}
