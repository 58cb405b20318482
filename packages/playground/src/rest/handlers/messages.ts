/** Messages in channels: requests with the bot's own token. */
import { type APIMessage, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { hasPermission, requireHistory, requireMayPost } from "../../actions/channel-permissions.ts";
import { deleteMessage, editMessage, postMessage } from "../../actions/messages.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { Channel, StoredMessage } from "../../simulator/documents.ts";
import { withoutContent } from "../../simulator/serialize.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { RestRequest } from "../route.ts";
import { pageById } from "../read-request.ts";

const LISTED_MAX = 100;
const LISTED_DEFAULT = 50;
const BULK_DELETE_AGE_MS_MAX = 14 * 24 * 60 * 60_000;

/** Ephemeral messages are not in the channel: a bot does not even find its own ones with its token. */
export function messageOf({ simulator, param }: RestRequest, channel: Channel): StoredMessage {
	const message = simulator.messages.find(channel.id, param("message"));
	if (!message || message.visibleTo !== null) throw apiErrors.unknownMessage();
	return message;
}

/** The page does not show it. */
export function startTyping(request: RestRequest, channel: Channel): void {
	requireMayPost(request, channel, { write: true });
}

/** Lists the newest first. */
export function list(request: RestRequest, channel: Channel): object {
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

/** Finds a message for a request that needs the history of the channel: to read it, and for reactions. */
export function historyMessageOf(request: RestRequest, channel: Channel): StoredMessage {
	requireHistory(request, channel);
	return messageOf(request, channel);
}

export function read(request: RestRequest, channel: Channel): object {
	return readable(request.simulator, request.simulator.serialize.message(historyMessageOf(request, channel)));
}

/** Hides the content of messages in guilds from an application without the message content intent. */
export function readable({ seed, members, channels }: Simulator, message: APIMessage): APIMessage {
	const isOpen = seed.application.privilegedIntents.includes("MessageContent");
	const isDirect = channels.find(message.channel_id)?.kind === "direct";
	return isOpen || isDirect ? message : withoutContent(message, members.bot.id);
}

export async function create(request: RestRequest, channel: Channel): Promise<APIMessage> {
	const write = { ...request, body: request.body as MessageBody, sender: "user" } as const;
	return readable(request.simulator, await postMessage(write, channel));
}

export async function edit(request: RestRequest, channel: Channel): Promise<APIMessage> {
	const { simulator, body, files } = request;
	const message = messageOf(request, channel);
	return readable(simulator, await editMessage(request, channel, message, body as MessageBody, files));
}

/** Ignores unknown ids; messages older than two weeks cancel the request. */
export function bulkDelete({ simulator, body }: RestRequest, channel: Channel): void {
	const ids = new Set((body as { messages: readonly string[] }).messages);
	const found = [...ids].flatMap((id) => simulator.messages.find(channel.id, id) ?? []);
	const oldestMs = simulator.clock.nowMs() - BULK_DELETE_AGE_MS_MAX;
	if (found.some(({ createdMs }) => createdMs < oldestMs)) throw apiErrors.tooOldToDelete();
	simulator.atomically(() => simulator.messages.removeAll(found.filter(({ visibleTo }) => visibleTo === null)));
}

export function remove(request: RestRequest, channel: Channel): void {
	deleteMessage(request, channel, messageOf(request, channel));
}
