/** Messages of the bot with its own token, and those of members on the page. */
import { type APIMessage, MessageType, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { type ApiError, apiErrors } from "../simulator/api-error.ts";
import { isVoiceMessage, type MessageBody, type UploadedFile } from "../simulator/build-message.ts";
import type { Channel, StoredMessage } from "../simulator/documents.ts";
import { blankMessage } from "../simulator/messages.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type Actor, hasPermission, requireChannelPermission, requireMayPost } from "./channel-permissions.ts";
import { applyEdit, changesOnlyFlags, type MessageWrite, prepareMessage } from "./write-message.ts";

/** Discord remembers nonces for "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;
const FREE_OF_SLOW_MODE = Permission.ManageMessages | Permission.ManageChannels | Permission.BypassSlowmode;

/** Creates a message of the bot or of a member. */
export async function postMessage(write: MessageWrite, channel: Channel): Promise<APIMessage> {
	const { simulator, actorId, body, uploads = [] } = write;
	requireMayWrite(write, channel);
	const replied = referencedMessage(body, channel, simulator);
	const draft = await prepareMessage({ ...write, replied }, channel.id);
	const nonce = body.nonce ?? null;
	const duplicate =
		nonce !== null && body.enforce_nonce
			? simulator.messages.withNonce(actorId, nonce, simulator.clock.nowMs() - NONCE_LIFE_MS)
			: undefined;
	if (duplicate) {
		simulator.attachments.remove(draft.attachments.map(({ id }) => id));
		return simulator.serialize.message(duplicate, actorId);
	}
	const message = simulator.atomically(() => {
		for (const { id } of uploads) simulator.attachments.claim(id, actorId);
		return simulator.messages.create({
			...blankMessage(channel.id, channel.guildId, actorId),
			...draft,
			...(replied && { type: MessageType.Reply, repliesTo: replied.id }),
			tts: body.tts ?? false,
			nonce,
		});
	});
	return simulator.serialize.message(message, actorId);
}

/** Checks that the actor may post this message, not only read and edit earlier ones. */
function requireMayWrite(write: MessageWrite, channel: Channel): void {
	const { simulator, actorId, files, uploads = [], body } = write;
	const { content, embeds, poll, message_reference: reference } = body;
	const hasFiles = files.length + uploads.length > 0;
	const hasOnlyEmbeds = (embeds?.length ?? 0) > 0 && !content && !hasFiles;
	const isVoice = isVoiceMessage({ flags: body.flags ?? 0 });
	const parts = { write: true, embeds: hasOnlyEmbeds, poll: Boolean(poll), files: hasFiles && !isVoice };
	requireMayPost(write, channel, parts);
	if (isVoice && !hasPermission(write, channel, Permission.SendVoiceMessages)) throw apiErrors.noVoiceMessages();
	if (reference && !hasPermission(write, channel, Permission.ReadMessageHistory)) throw apiErrors.replyNeedsHistory();
	requireSlowModeOver(write, channel);
	if (channel.kind === "direct" && actorId === simulator.members.bot.id) requireMayMessage(simulator, channel.userId);
}

/** Bots and members with one of the permissions need not wait. */
function requireSlowModeOver({ simulator, actorId }: MessageWrite, channel: Channel): void {
	const { channels, members, messages, clock } = simulator;
	if (channel.kind === "direct" || actorId === members.bot.id) return;
	const permissions = channels.permissionsIn(channel, actorId);
	if ((permissions & (channel.thread ? FREE_OF_SLOW_MODE | Permission.ManageThreads : FREE_OF_SLOW_MODE)) !== 0n)
		return;
	const { rate_limit_per_user: slowModeS = 0 } = channels.toGuildChannel(channel);
	const isOwn = ({ channelId, authorId }: StoredMessage) => channelId === channel.id && authorId === actorId;
	const [last] = messages.newest(1, isOwn);
	const waitMs = last ? last.createdMs + slowModeS * 1_000 - clock.nowMs() : 0;
	if (waitMs > 0) throw apiErrors.slowMode(`Slow mode: you can write again in ${Math.ceil(waitMs / 1_000)} seconds.`);
}

/** A bot needs a server in common with the user. */
function requireMayMessage({ guilds, installs, adminSettings }: Simulator, userId: string): void {
	if (!guilds.ofUser(userId).some((guild) => installs.isMember(guild))) throw apiErrors.noMutualGuilds();
	if (adminSettings.closedDirectUserIds.has(userId)) throw apiErrors.cannotMessageUser();
}

function referencedMessage(
	{ message_reference: reference }: MessageBody,
	channel: Channel,
	{ messages }: Simulator,
): StoredMessage | undefined {
	if (!reference) return undefined;
	if ((reference.channel_id ?? channel.id) !== channel.id)
		throw referenceError("REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL", "Cannot reply to a message in a different channel");
	const found = messages.find(channel.id, reference.message_id);
	if (found?.visibleTo === null) return found;
	if (reference.fail_if_not_exists === false) return undefined;
	throw referenceError("MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message");
}

const referenceError = (code: string, message: string): ApiError =>
	apiErrors.invalidField(["message_reference"], code, message);

/** Edits a message of the bot or of a member. */
export async function editMessage(
	{ simulator, actorId }: Actor,
	channel: Channel,
	message: StoredMessage,
	body: MessageBody,
	files: readonly UploadedFile[] = [],
): Promise<APIMessage> {
	const write = { simulator, actorId, body, files, sender: "user", isEdit: true } as const;
	if (message.authorId !== actorId) {
		const mayManage = hasPermission(write, channel, Permission.ManageMessages);
		if (!mayManage || !changesOnlyFlags(write)) throw apiErrors.notTheAuthor();
	}
	requireMayPost(write, channel, { files: files.length > 0 });
	return simulator.serialize.message(await applyEdit(write, message), actorId);
}

/** Deletes a message for the bot or for a member. */
export function deleteMessage(actor: Actor, channel: Channel, message: StoredMessage): void {
	if (message.authorId !== actor.actorId)
		requireChannelPermission(actor, channel, Permission.ManageMessages, "You can delete your own messages only.");
	actor.simulator.messages.remove(message);
}
