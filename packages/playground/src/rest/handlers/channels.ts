/** Channels and their messages: requests with the bot's own token, and those of members on the page. */
import { type APIMessage, MessageType, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { type ApiError, apiErrors } from "../../simulator/api-error.ts";
import { isVoiceMessage, type MessageBody, type UploadedFile } from "../../simulator/build-message.ts";
import type { Channel, StoredMessage } from "../../simulator/documents.ts";
import { withoutContent } from "../../simulator/serialize.ts";
import { type PingedIds, withRepliedAuthor } from "../../simulator/mentions.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { blankMessage } from "../../simulator/messages.ts";
import { requireMayPost } from "./posting.ts";
import type { Actor, RestRequest } from "../route.ts";
import { pageById } from "../read-request.ts";
import { applyEdit, changesOnlyFlags, type MessageWrite, prepareMessage } from "./write-message.ts";

/** Discord remembers nonces for "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;
const LISTED_MAX = 100;
const LISTED_DEFAULT = 50;
const FREE_OF_SLOW_MODE = Permission.ManageMessages | Permission.ManageChannels | Permission.BypassSlowmode;
const BULK_DELETE_AGE_MS_MAX = 14 * 24 * 60 * 60_000;

/** Returns the channel of the path if the actor sees it. Checks that the actor has `permission` there, if any. */
export function channelInPath(request: RestRequest, permission?: bigint): Channel {
	const channel = readableChannel(request, request.param("channel"));
	if (permission !== undefined) requireChannelPermission(request, channel, permission);
	return channel;
}

/** Returns the channel if the actor sees it. */
export function readableChannel({ simulator: { channels }, actorId }: Actor, channelId: string): Channel {
	const channel = channels.find(channelId);
	if (!channel) throw apiErrors.unknownChannel();
	if (!channels.canRead(channel, actorId)) throw apiErrors.missingAccess();
	return channel;
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

export function hasPermission({ simulator, actorId }: Actor, channel: Channel, permission: bigint): boolean {
	return (simulator.channels.permissionsIn(channel, actorId) & permission) !== 0n;
}

/** Direct messages have no moderation. `text` tells people what they lack. */
export function requireChannelPermission(actor: Actor, channel: Channel, permission: bigint, text?: string): void {
	if (hasPermission(actor, channel, permission)) return;
	throw channel.kind === "direct" ? apiErrors.notInDirectMessages(text) : apiErrors.missingPermissions(text);
}

/** Ephemeral messages are not in the channel: a bot does not even find its own ones with its token. */
export function messageOf({ simulator, param }: RestRequest, channel: Channel): StoredMessage {
	const message = simulator.messages.find(channel.id, param("message"));
	if (!message || message.visibleTo !== null) throw apiErrors.unknownMessage();
	return message;
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

/** The page does not show it. */
export function startTyping(request: RestRequest, channel: Channel): void {
	requireMayPost(request, channel, { write: true });
}

/** Lists the newest first. */
export function listMessages(request: RestRequest, channel: Channel): object {
	const { messages, serialize } = request.simulator;
	if (!hasPermission(request, channel, Permission.ReadMessageHistory)) return [];
	const inChannel = messages.newest(
		Number.POSITIVE_INFINITY,
		({ channelId, visibleTo }) => channelId === channel.id && visibleTo === null,
	);
	const limits = { limitMax: LISTED_MAX, limitDefault: LISTED_DEFAULT, isNewestByDefault: true };
	const page = pageById(request.query, inChannel, ({ id }) => id, limits);
	return page.toReversed().map((message) => readable(request.simulator, serialize.message(message)));
}

/** Unlike for other permissions, Discord hides the messages. */
export function requireHistory(actor: Actor, channel: Channel): void {
	if (!hasPermission(actor, channel, Permission.ReadMessageHistory))
		throw apiErrors.missingAccess("You may not read the history of this channel.");
}

/** Finds a message for a request that needs the history of the channel: to read it, and for reactions. */
export function historyMessageOf(request: RestRequest, channel: Channel): StoredMessage {
	requireHistory(request, channel);
	return messageOf(request, channel);
}

export function readMessage(request: RestRequest, channel: Channel): object {
	return readable(request.simulator, request.simulator.serialize.message(historyMessageOf(request, channel)));
}

/** Hides the content of messages in guilds from an application without the message content intent. */
export function readable({ seed, members, channels }: Simulator, message: APIMessage): APIMessage {
	const isOpen = seed.application.privilegedIntents.includes("MessageContent");
	const isDirect = channels.find(message.channel_id)?.kind === "direct";
	return isOpen || isDirect ? message : withoutContent(message, members.bot.id);
}

export async function createMessage(request: RestRequest, channel: Channel): Promise<APIMessage> {
	const write = { ...request, body: request.body as MessageBody, sender: "user" } as const;
	return readable(request.simulator, await postMessage(write, channel));
}

export async function updateMessage(request: RestRequest, channel: Channel): Promise<APIMessage> {
	const { simulator, body, files } = request;
	const message = messageOf(request, channel);
	return readable(simulator, await editMessage(request, channel, message, body as MessageBody, files));
}

/** Creates a message of the bot or of a member. */
export async function postMessage(write: MessageWrite, channel: Channel): Promise<APIMessage> {
	const { simulator, actorId, body, uploads = [] } = write;
	requireMayWrite(write, channel);
	const replied = referencedMessage(body, channel, simulator);
	const draft = await prepareMessage(write, channel.id);
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
			...(replied && replyFields(replied, draft, write)),
			tts: body.tts ?? false,
			nonce,
		});
	});
	return simulator.serialize.message(message, actorId);
}

/** Without `allowed_mentions`, a reply pings the author of the other message. */
function replyFields(
	replied: StoredMessage,
	{ mentionedUserIds }: PingedIds,
	{ actorId, body: { allowed_mentions: allowed } }: MessageWrite,
): Pick<StoredMessage, "type" | "repliesTo" | "mentionedUserIds"> {
	const pingsAuthor = allowed ? allowed.replied_user === true : true;
	return {
		type: MessageType.Reply,
		repliesTo: replied.id,
		mentionedUserIds: pingsAuthor ? withRepliedAuthor(mentionedUserIds, replied, actorId) : mentionedUserIds,
	};
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

/** Ignores unknown ids; messages older than two weeks cancel the request. */
export function bulkDelete({ simulator, body }: RestRequest, channel: Channel): void {
	const ids = new Set((body as { messages: readonly string[] }).messages);
	const found = [...ids].flatMap((id) => simulator.messages.find(channel.id, id) ?? []);
	const oldestMs = simulator.clock.nowMs() - BULK_DELETE_AGE_MS_MAX;
	if (found.some(({ createdMs }) => createdMs < oldestMs)) throw apiErrors.tooOldToDelete();
	simulator.atomically(() => simulator.messages.removeAll(found.filter(({ visibleTo }) => visibleTo === null)));
}

export function removeMessage(request: RestRequest, channel: Channel): void {
	deleteMessage(request, channel, messageOf(request, channel));
}

/** Deletes a message for the bot or for a member. */
export function deleteMessage(actor: Actor, channel: Channel, message: StoredMessage): void {
	if (message.authorId !== actor.actorId)
		requireChannelPermission(actor, channel, Permission.ManageMessages, "You can delete your own messages only.");
	actor.simulator.messages.remove(message);
}
