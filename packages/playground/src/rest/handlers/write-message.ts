/** Creates and edits messages: the same rules for replies and for the bot's own messages. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { messageErrors, type MessageRequest } from "../../schema/message-validation.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import {
	buildMessage,
	DEFAULT_MENTIONS,
	mentionsIn,
	type MessageBody,
	type UploadedFile,
} from "../../simulator/build-message.ts";
import { type Channel, guildOf } from "../../simulator/channels.ts";
import type { StoredMessage } from "../../simulator/documents.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import { EVERYONE_PERMISSIONS } from "../../simulator/permissions.ts";
import type { Simulator } from "../../simulator/simulator.ts";

type Written = Pick<
	StoredMessage,
	| "content"
	| "embeds"
	| "components"
	| "attachments"
	| "flags"
	| "mentionedUserIds"
	| "mentionedRoleIds"
	| "mentionsEveryone"
>;

/** Builds a new message for the channel. Throws Discord's error. */
export function prepareMessage(
	simulator: Simulator,
	channelId: string,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
): Promise<Written> {
	return write(simulator, channelId, body, files, kind, null);
}

/**
 * Edits `message`; an edit without `allowed_mentions` uses the default again. `claim` is called last, together with the
 * edit: its error cancels the edit.
 */
export function applyEdit(
	simulator: Simulator,
	{ id, channelId }: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	claim: () => void = () => undefined,
): Promise<StoredMessage> {
	// Serializes the edits of a message: each builds on the previous one.
	return simulator.messageMutex(id, async () => {
		const message = simulator.messages.find(channelId, id);
		if (!message) throw apiErrors.unknownMessage();
		return apply(simulator, message, body, files, kind, claim);
	});
}

async function apply(
	simulator: Simulator,
	message: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	claim: () => void,
): Promise<StoredMessage> {
	const written = await write(simulator, message.channelId, body, files, kind, message);
	const wasLoading = (message.flags & MessageFlags.Loading) !== 0;
	let edited;
	try {
		edited = simulator.atomically(() => {
			// The message may have been deleted during the upload.
			if (!simulator.messages.find(message.channelId, message.id)) throw apiErrors.unknownMessage();
			claim();
			return simulator.messages.edit(message, { ...written, editedMs: wasLoading ? null : simulator.clock.nowMs() });
		});
	} catch (error) {
		simulator.attachments.remove(newIn(written, message));
		throw error;
	}
	const remaining = new Set(edited.attachments.map(({ id }) => id));
	simulator.attachments.remove(message.attachments.map(({ id }) => id).filter((id) => !remaining.has(id)));
	return edited;
}

async function write(
	simulator: Simulator,
	channelId: string,
	body: MessageBody,
	files: readonly UploadedFile[],
	kind: MessageRequest,
	previous: StoredMessage | null,
): Promise<Written> {
	const found = messageErrors(body, kind);
	if (found.length > 0) throw apiErrors.invalidForm(found);
	const channel = simulator.channels.find(channelId);
	const guild = channel && guildOf(channel);
	const { attachments, overrides } = simulator;
	const contents = await buildMessage(
		{ attachments, limits: overrides.fileLimitsIn(guild ?? null) },
		body,
		files,
		previous,
	);
	const isInteraction = kind === "interactionCreate" || kind === "interactionEdit";
	const mentions = mentionsIn(
		contents.content,
		body.allowed_mentions ?? DEFAULT_MENTIONS[isInteraction ? "interaction" : "bot"],
		{
			userIds: new Set([...idsOf(channel), simulator.members.bot.id]),
			roles: new Map((guild ? simulator.channels.roles(guild) : []).map(({ id, mentionable }) => [id, mentionable])),
			permissions: EVERYONE_PERMISSIONS,
		},
	);
	return {
		...contents,
		mentionedUserIds: mentions.userIds,
		mentionedRoleIds: mentions.roleIds,
		mentionsEveryone: mentions.everyone,
	};
}

/** Returns who may be pinged: only members who see the channel. */
function idsOf(channel: Channel | undefined): readonly string[] {
	if (!channel) return [];
	return channel.kind === "guild" ? channel.guild.memberIds : [channel.userId];
}

function newIn(written: Written, previous: StoredMessage): string[] {
	const old = new Set(previous.attachments.map(({ id }) => id));
	return written.attachments.map(({ id }) => id).filter((id) => !old.has(id));
}

/** Returns the fields of a message that a request does not set. */
export function blankMessage(
	channelId: string,
	guildId: string | null,
): Omit<StoredMessage, "id" | "createdMs" | "editedMs"> {
	return {
		channelId,
		guildId,
		type: MessageType.Default,
		content: "",
		flags: 0,
		tts: false,
		attachments: [],
		embeds: [],
		components: [],
		mentionedUserIds: [],
		mentionedRoleIds: [],
		mentionsEveryone: false,
		visibleTo: null,
		interaction: null,
		nonce: null,
		repliesTo: null,
	};
}

/** The interaction that a message responds to. */
export function interactionReference(
	{ id, userId, origin }: Interaction,
	isFollowUp: boolean,
): NonNullable<StoredMessage["interaction"]> {
	if (origin.kind === "autocomplete") throw new Error("no message responds to an autocomplete interaction");
	return { id, userId, isFollowUp, origin };
}
