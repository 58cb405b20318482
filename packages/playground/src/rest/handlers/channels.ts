/** Requests with the bot's own token: no time limit. */
import { type APIMessage, MessageType, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { Channel, StoredMessage } from "../../simulator/documents.ts";
import { withoutContent } from "../../simulator/message-content.ts";
import { type PingedIds, withRepliedAuthor } from "../../simulator/mentions.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { blankMessage } from "../../simulator/messages.ts";
import { type PostingParts, postingProblem } from "../../simulator/posting.ts";
import type { RestRequest } from "../route.ts";
import { pageById } from "../read-request.ts";
import { applyEdit, changesOnlyFlags, prepareMessage } from "./write-message.ts";

/** Discord remembers nonces for "the past few minutes". */
const NONCE_LIFE_MS = 5 * 60_000;
const LISTED_MAX = 100;
const LISTED_DEFAULT = 50;
const BULK_DELETE_AGE_MS_MAX = 14 * 24 * 60 * 60_000;

export function channelOf({ simulator, param }: RestRequest): Channel {
	const { channels, members } = simulator;
	const channel = channels.find(param("channel"));
	if (!channel) throw apiErrors.unknownChannel();
	if (!channels.canRead(channel, members.bot.id)) throw apiErrors.missingAccess();
	return channel;
}

/** Returns the channel if the bot may post this message there, not only read and edit its own messages. */
function writableChannelOf(request: RestRequest): Channel {
	const channel = channelOf(request);
	const { content, embeds, poll, message_reference: reference } = request.body as MessageBody;
	const hasOnlyEmbeds = (embeds?.length ?? 0) > 0 && !content && request.files.length === 0;
	const parts = { write: true, embeds: hasOnlyEmbeds, poll: Boolean(poll), history: Boolean(reference) };
	requireMayPost(request, channel, { ...parts, files: request.files.length > 0 });
	if (channel.kind === "direct") requireMayMessage(request, channel.userId);
	return channel;
}

/** A bot needs a server in common with the user. */
function requireMayMessage({ simulator }: RestRequest, userId: string): void {
	const { guilds, installs, adminSettings } = simulator;
	if (!guilds.ofUser(userId).some((guild) => installs.isMember(guild))) throw apiErrors.noMutualGuilds();
	if (adminSettings.closedDirectUserIds.has(userId)) throw apiErrors.cannotMessageUser();
}

export function requireMayPost(request: RestRequest, channel: Channel, parts: PostingParts): void {
	const problem = postingProblem(channel, botPermissionsIn(request, channel), parts);
	if (problem === "history") throw apiErrors.replyNeedsHistory();
	if (problem === "locked") throw apiErrors.threadLocked();
	if (problem) throw apiErrors.missingPermissions();
}

export function botPermissionsIn({ simulator: { channels, members } }: RestRequest, channel: Channel): bigint {
	return channels.permissionsIn(channel, members.bot.id);
}

/** Checks a permission of the bot in the channel. Direct messages have no moderation. */
export function requireChannelPermission(request: RestRequest, permission: bigint): void {
	const channel = channelOf(request);
	if ((botPermissionsIn(request, channel) & permission) !== 0n) return;
	throw channel.kind === "direct" ? apiErrors.notInDirectMessages() : apiErrors.missingPermissions();
}

/** Messages in an archived thread cannot be changed; a new one unarchives it. */
export function requireNotArchived(channel: Channel): void {
	if (channel.kind === "guild" && channel.thread?.isArchived) throw apiErrors.threadArchived();
}

/** Ephemeral messages are not in the channel: a bot does not even find its own ones with its token. */
export function messageOf(request: RestRequest): StoredMessage {
	const message = request.simulator.messages.find(channelOf(request).id, request.param("message"));
	if (!message || message.visibleTo !== null) throw apiErrors.unknownMessage();
	return message;
}

export function read(request: RestRequest): object {
	const channel = channelOf(request);
	const { channels } = request.simulator;
	const [schema, body] =
		channel.kind === "guild"
			? ([channel.thread ? "ThreadResponse" : "GuildChannelResponse", channels.toGuildChannel(channel)] as const)
			: (["PrivateChannelResponse", channels.toDirectChannel(channel)] as const);
	request.responseValidator.validate("GET /channels/:channel", schema, body);
	return body;
}

export function openDirect({ simulator, body }: RestRequest): object {
	const { recipient_id: userId } = body as { recipient_id?: string | null };
	const user = simulator.members.find(userId ?? "");
	if (!user) throw apiErrors.invalidRecipient();
	return simulator.channels.toDirectChannel(simulator.channels.openDirect(user.id));
}

/** The page does not show it. */
export function startTyping(request: RestRequest): void {
	requireMayPost(request, channelOf(request), { write: true });
}

/** Lists the newest first. */
export function listMessages(request: RestRequest): object {
	const channel = channelOf(request);
	const { messages, serialize } = request.simulator;
	if ((botPermissionsIn(request, channel) & Permission.ReadMessageHistory) === 0n) return [];
	const inChannel = messages.newest(
		Number.POSITIVE_INFINITY,
		({ channelId, visibleTo }) => channelId === channel.id && visibleTo === null,
	);
	const limits = { limitMax: LISTED_MAX, limitDefault: LISTED_DEFAULT, isNewestByDefault: true };
	const page = pageById(request.query, inChannel, ({ id }) => id, limits);
	return page.toReversed().map((message) => readable(request.simulator, serialize.message(message)));
}

/** Finds a message for a request that needs the history of the channel: to read it, and for reactions. */
export function historyMessageOf(request: RestRequest): StoredMessage {
	// Unlike for other permissions, Discord hides the message.
	if ((botPermissionsIn(request, channelOf(request)) & Permission.ReadMessageHistory) === 0n)
		throw apiErrors.missingAccess();
	return messageOf(request);
}

export function readMessage(request: RestRequest): object {
	return readable(request.simulator, request.simulator.serialize.message(historyMessageOf(request)));
}

/** Hides the content of messages in guilds from an application without the message content intent. */
function readable({ seed, members, channels }: Simulator, message: APIMessage): APIMessage {
	const isOpen = seed.application.privilegedIntents.includes("MessageContent");
	const isDirect = channels.find(message.channel_id)?.kind === "direct";
	return isOpen || isDirect ? message : withoutContent(message, members.bot.id);
}

export async function createMessage(request: RestRequest): Promise<object> {
	const { simulator, files } = request;
	const channel = writableChannelOf(request);
	const body = request.body as MessageBody;
	const replied = referencedMessage(body, channel, simulator);
	const draft = await prepareMessage(simulator, channel.id, body, files, { isFromBot: true });
	const nonce = body.nonce ?? null;
	const duplicate =
		nonce !== null && body.enforce_nonce
			? simulator.messages.withNonce(channel.id, nonce, simulator.clock.nowMs() - NONCE_LIFE_MS)
			: undefined;
	if (duplicate) {
		simulator.attachments.remove(draft.attachments.map(({ id }) => id));
		return simulator.serialize.message(duplicate);
	}
	const message = simulator.messages.create({
		...blankMessage(channel.id, channel.guildId),
		...draft,
		...(replied && replyFields(replied, draft, body, simulator)),
		tts: body.tts ?? false,
		nonce,
	});
	return simulator.serialize.message(message);
}

/** Without `allowed_mentions`, a reply pings the author of the other message. */
function replyFields(
	replied: StoredMessage,
	{ mentionedUserIds }: PingedIds,
	{ allowed_mentions: allowed }: MessageBody,
	{ members }: Simulator,
): Pick<StoredMessage, "type" | "repliesTo" | "mentionedUserIds"> {
	const pingsAuthor = allowed ? allowed.replied_user === true : true;
	return {
		type: MessageType.Reply,
		repliesTo: replied.id,
		mentionedUserIds: pingsAuthor
			? withRepliedAuthor(mentionedUserIds, replied, { authorId: null, botId: members.bot.id })
			: mentionedUserIds,
	};
}

function referencedMessage(
	{ message_reference: reference }: MessageBody,
	channel: Channel,
	{ messages }: Simulator,
): StoredMessage | undefined {
	if (!reference) return undefined;
	const found = messages.find(channel.id, reference.message_id);
	if (found?.visibleTo === null) return found;
	if (reference.fail_if_not_exists === false) return undefined;
	throw apiErrors.invalidField(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
}

export async function editMessage(request: RestRequest): Promise<object> {
	const { simulator, body, files } = request;
	const message = messageOf(request);
	const channel = channelOf(request);
	if (message.authorId !== null) {
		const mayManage = (botPermissionsIn(request, channel) & Permission.ManageMessages) !== 0n;
		if (!mayManage || !changesOnlyFlags(body as MessageBody, files)) throw apiErrors.notTheAuthor();
	}
	requireMayPost(request, channel, { files: files.length > 0 });
	const edited = await applyEdit(simulator, message, body as MessageBody, files, { isFromBot: true, isEdit: true });
	return simulator.serialize.message(edited);
}

/** Ignores unknown ids; messages older than two weeks cancel the request. */
export function bulkDelete(request: RestRequest): void {
	const { simulator, body } = request;
	const channel = channelOf(request);
	requireChannelPermission(request, Permission.ManageMessages);
	const ids = new Set((body as { messages: readonly string[] }).messages);
	const found = [...ids].flatMap((id) => simulator.messages.find(channel.id, id) ?? []);
	const oldestMs = simulator.clock.nowMs() - BULK_DELETE_AGE_MS_MAX;
	if (found.some(({ createdMs }) => createdMs < oldestMs)) throw apiErrors.tooOldToDelete();
	simulator.atomically(() => simulator.messages.removeAll(found.filter(({ visibleTo }) => visibleTo === null)));
}

export function deleteMessage(request: RestRequest): void {
	const message = messageOf(request);
	if (message.authorId !== null) requireChannelPermission(request, Permission.ManageMessages);
	request.simulator.messages.remove(message);
}
