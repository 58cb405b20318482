/** Requests with an interaction token, which lives fifteen minutes: the reply and follow-ups. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { StoredMessage } from "../../simulator/documents.ts";
import { blankMessage } from "../../simulator/messages.ts";
import type { RestRequest } from "../route.ts";
import { applyEdit, interactionReference, prepareMessage } from "./write-message.ts";

function interactionOf({ simulator, param }: RestRequest): Interaction {
	const interaction = simulator.interactions.findEditable(param("application"), param("token"));
	if (simulator.overrides.accessTo(interaction.channelId) === "gone") throw apiErrors.unknownWebhook();
	return interaction;
}

/** Finds @original, which may be the component's message, or a follow-up. A token reaches no other messages. */
function messageOf(request: RestRequest): StoredMessage {
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
	const { simulator, body, files } = request;
	const edited = await applyEdit(simulator, messageOf(request), body as MessageBody, files, "interactionEdit");
	return simulator.serialize.message(edited);
}

export function remove(request: RestRequest): void {
	request.simulator.messages.remove(messageOf(request));
}

export async function followUp(request: RestRequest): Promise<object> {
	const { simulator, files } = request;
	const interaction = interactionOf(request);
	const body = request.body as MessageBody;
	const original = simulator.messages.find(interaction.channelId, interaction.originalId ?? "");
	if (original?.interaction?.id === interaction.id && (original.flags & MessageFlags.Loading) !== 0) {
		// Discord's legacy behavior: the first follow-up after a deferral becomes the reply, with the deferral's
		// visibility.
		const changes = { ...body, flags: (body.flags ?? 0) & ~MessageFlags.Ephemeral };
		const edited = await applyEdit(simulator, original, changes, files, "interactionCreate");
		return simulator.serialize.message(edited);
	}
	const draft = await prepareMessage(simulator, interaction.channelId, body, files, "interactionCreate");
	const message = simulator.messages.create({
		...blankMessage(interaction.channelId, interaction.guildId),
		...draft,
		tts: body.tts ?? false,
		type: original ? MessageType.Reply : MessageType.Default,
		repliesTo: original?.id ?? null,
		visibleTo: (draft.flags & MessageFlags.Ephemeral) === 0 ? null : interaction.userId,
		interaction: interactionReference(interaction, true),
	});
	return simulator.serialize.message(message);
}
