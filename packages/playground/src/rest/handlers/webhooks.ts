/** Requests with an interaction token, which lives fifteen minutes: the reply and follow-ups. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { StoredMessage } from "../../simulator/documents.ts";
import type { RestRequest, RestContext } from "../route.ts";
import { applyEdit, blankMessage, interactionReference, prepareMessage } from "./write-message.ts";

function interactionOf(request: RestRequest, { simulator }: RestContext): Interaction {
	const interaction = simulator.interactions.findEditable(request.param("application"), request.param("token"));
	if (simulator.overrides.accessTo(interaction.channelId) === "gone") throw apiErrors.unknownWebhook();
	return interaction;
}

/** Finds @original, which may be the component's message, or a follow-up. A token reaches no other messages. */
function messageOf(request: RestRequest, context: RestContext): StoredMessage {
	const interaction = interactionOf(request, context);
	const messageId = request.param("message");
	const id = messageId === "@original" ? interaction.originalId : messageId;
	const message = id === null ? undefined : context.simulator.messages.find(interaction.channelId, id);
	const isOwn = message?.interaction?.id === interaction.id || message?.id === interaction.originalId;
	if (!message || !isOwn) throw apiErrors.unknownMessage();
	return message;
}

export function read(request: RestRequest, context: RestContext): object {
	return context.simulator.serialize.message(messageOf(request, context));
}

export async function edit(request: RestRequest, context: RestContext): Promise<object | undefined> {
	const message = messageOf(request, context);
	const edited = await applyEdit(
		context.simulator,
		message,
		request.body as MessageBody,
		request.files,
		"interactionEdit",
	);
	return context.simulator.serialize.message(edited);
}

export function remove(request: RestRequest, context: RestContext): void {
	context.simulator.messages.remove(messageOf(request, context));
}

export async function followUp(request: RestRequest, context: RestContext): Promise<object | undefined> {
	const { simulator } = context;
	const interaction = interactionOf(request, context);
	const body = request.body as MessageBody;
	const original =
		interaction.originalId === null
			? undefined
			: simulator.messages.find(interaction.channelId, interaction.originalId);
	if (original?.interaction?.id === interaction.id && (original.flags & MessageFlags.Loading) !== 0) {
		// Discord's legacy behavior: the first follow-up after a deferral becomes the reply, with the deferral's
		// visibility.
		const { flags, ...rest } = body;
		const editFlags = (flags ?? 0) & ~MessageFlags.Ephemeral;
		const edited = await applyEdit(
			simulator,
			original,
			{ ...rest, flags: editFlags },
			request.files,
			"interactionCreate",
		);
		return simulator.serialize.message(edited);
	}
	const draft = await prepareMessage(simulator, interaction.channelId, body, request.files, "interactionCreate");
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
