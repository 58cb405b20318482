/** Requests with the token of a webhook: one of a channel, or that of an interaction, which lives fifteen minutes. */
import { MessageFlags, MessageType, type RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import type { Nullable } from "../../json.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { StoredMessage, Webhook } from "../../simulator/documents.ts";
import { blankMessage } from "../../simulator/messages.ts";
import { booleanParam } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import { requireAllowedName } from "./webhooks.ts";
import {
	applyEdit,
	applyEditInTurn,
	interactionReference,
	isLoading,
	prepareMessage,
} from "../../actions/write-message.ts";

/** Returns the webhook of a channel; `undefined` if the path names the application, and so an interaction. */
function webhookOf({ simulator, param }: RestRequest): Webhook | undefined {
	const id = param("webhook");
	return id === simulator.seed.application.id ? undefined : simulator.webhooks.authenticate(id, param("token"));
}

/** Returns the channel of the webhook, or a thread in it. */
function channelIdOf({ simulator, query }: RestRequest, webhook: Webhook): string {
	const threadId = query.get("thread_id");
	if (threadId === null) return webhook.channelId;
	const thread = simulator.threads.find(threadId);
	if (thread?.parent_id !== webhook.channelId) throw apiErrors.unknownChannel();
	return thread.id;
}

function interactionOf({ simulator, param }: RestRequest): Interaction {
	const interaction = simulator.interactions.findEditable(param("webhook"), param("token"));
	if (!simulator.channels.find(interaction.channelId)) throw apiErrors.unknownWebhook();
	return interaction;
}

/** Finds a message of the webhook. A token reaches no other messages. */
function messageOf(request: RestRequest): StoredMessage {
	const webhook = webhookOf(request);
	if (!webhook) return messageOfInteraction(request);
	const message = request.simulator.messages.find(channelIdOf(request, webhook), request.param("message"));
	if (message?.authorId !== webhook.id) throw apiErrors.unknownMessage();
	return message;
}

/** Finds @original, which may be the component's message, or a follow-up. */
function messageOfInteraction(request: RestRequest): StoredMessage {
	const interaction = interactionOf(request);
	const messageId = request.param("message");
	const id = messageId === "@original" ? interaction.originalId : messageId;
	const message = request.simulator.messages.find(interaction.channelId, id ?? "");
	const isOwn = message?.interaction?.id === interaction.id || message?.id === interaction.originalId;
	if (!message || !isOwn) throw apiErrors.unknownMessage();
	return message;
}

export function read(request: RestRequest): object {
	return request.simulator.serialize.message(messageOf(request));
}

export async function edit(request: RestRequest): Promise<object> {
	const isOfInteraction = request.param("webhook") === request.simulator.seed.application.id;
	const sender = isOfInteraction ? "interaction" : "webhook";
	const write = { ...request, body: request.body as MessageBody, sender, isEdit: true } as const;
	return request.simulator.serialize.message(await applyEdit(write, messageOf(request)));
}

export function remove(request: RestRequest): void {
	request.simulator.messages.remove(messageOf(request));
}

export function create(request: RestRequest): Promise<object | undefined> {
	const webhook = webhookOf(request);
	return webhook ? execute(request, webhook) : followUp(request);
}

async function execute(request: RestRequest, webhook: Webhook): Promise<object | undefined> {
	const { simulator, query } = request;
	const body = request.body as MessageBody &
		Nullable<Pick<RESTPostAPIWebhookWithTokenJSONBody, "username" | "thread_name">>;
	const channelId = channelIdOf(request, webhook);
	if (body.thread_name) throw apiErrors.forumChannelsOnly();
	if (simulator.threads.find(channelId)?.thread_metadata.locked) throw apiErrors.threadLocked();
	const name = body.username ?? webhook.name;
	requireAllowedName("username", name);
	const draft = await prepareMessage({ ...request, body, sender: "webhook" }, channelId);
	const message = simulator.messages.create({
		...blankMessage(channelId, webhook.guildId, webhook.id),
		...draft,
		webhook: { name },
		tts: body.tts ?? false,
	});
	return booleanParam(query, "wait") ? simulator.serialize.message(message) : undefined;
}

function followUp(request: RestRequest): Promise<object> {
	const interaction = interactionOf(request);
	const { originalId } = interaction;
	if (originalId === null) return followUpInTurn(request, interaction);
	// An earlier follow-up or edit may be about to become the reply.
	return request.simulator.messageMutex(originalId, () => followUpInTurn(request, interaction));
}

async function followUpInTurn(request: RestRequest, interaction: Interaction): Promise<object> {
	const { simulator, actorId } = request;
	const write = { ...request, body: request.body as MessageBody, sender: "interaction" } as const;
	const original = simulator.messages.find(interaction.channelId, interaction.originalId ?? "");
	if (original?.interaction?.id === interaction.id && isLoading(original)) {
		// Discord's legacy behavior: the first follow-up after a deferral becomes the reply, with the deferral's
		// visibility.
		const body = { ...write.body, flags: (write.body.flags ?? 0) & ~MessageFlags.Ephemeral };
		return simulator.serialize.message(await applyEditInTurn({ ...write, body }, original));
	}
	const draft = await prepareMessage(write, interaction.channelId);
	const message = simulator.messages.create({
		...blankMessage(interaction.channelId, interaction.guildId, actorId),
		...draft,
		tts: write.body.tts ?? false,
		type: original ? MessageType.Reply : MessageType.Default,
		repliesTo: original?.id ?? null,
		visibleTo: (draft.flags & MessageFlags.Ephemeral) === 0 ? null : interaction.userId,
		interaction: interactionReference(interaction, { isFollowUp: true }),
	});
	return simulator.serialize.message(message);
}
