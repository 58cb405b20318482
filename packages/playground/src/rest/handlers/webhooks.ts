/** Requests with an interaction token, which lives fifteen minutes: the reply and follow-ups. */
import { MessageFlags, MessageType } from "discord-api-types/v10";
import { faults } from "../../simulator/api-error.ts";
import type { Interaction } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/message-body.ts";
import type { StoredMessage } from "../../simulator/stored-message.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";
import { answerTo } from "./interaction-metadata.ts";
import { blankMessage, rewrite, writeNew } from "./write-message.ts";

function interactionOf(request: RestRequest, { simulator }: RestRoom): Interaction {
	const interaction = simulator.interactions.editable(request.param("application"), request.param("token"));
	if (simulator.switches.accessTo(interaction.channelId) === "gone") throw faults.unknownWebhook();
	return interaction;
}

/** Finds @original, which may be the component's message, or a follow-up. A token reaches no other messages. */
function messageOf(request: RestRequest, room: RestRoom): StoredMessage {
	const interaction = interactionOf(request, room);
	const asked = request.param("message");
	const id = asked === "@original" ? interaction.originalId : asked;
	const message = id === null ? undefined : room.simulator.messages.find(interaction.channelId, id);
	const isOwn = message?.interaction?.id === interaction.id || message?.id === interaction.originalId;
	if (!message || !isOwn) throw faults.unknownMessage();
	return message;
}

export function read(request: RestRequest, room: RestRoom): Answer {
	return { status: 200, body: room.simulator.show.message(messageOf(request, room)) };
}

export async function edit(request: RestRequest, room: RestRoom): Promise<Answer> {
	const message = messageOf(request, room);
	const edited = await rewrite(room.simulator, message, request.body as MessageBody, request.files, "interactionEdit");
	return { status: 200, body: room.simulator.show.message(edited) };
}

export function remove(request: RestRequest, room: RestRoom): Answer {
	room.simulator.messages.remove(messageOf(request, room));
	return { status: 204 };
}

export async function followUp(request: RestRequest, room: RestRoom): Promise<Answer> {
	const { simulator } = room;
	const interaction = interactionOf(request, room);
	const body = request.body as MessageBody;
	const original =
		interaction.originalId === null
			? undefined
			: simulator.messages.find(interaction.channelId, interaction.originalId);
	if (original?.interaction?.id === interaction.id && (original.flags & MessageFlags.Loading) !== 0) {
		// Discord's legacy behavior: the first follow-up after a deferral becomes the reply, with the deferral's
		// visibility.
		const { flags, ...said } = body;
		const kept = (flags ?? 0) & ~MessageFlags.Ephemeral;
		const edited = await rewrite(simulator, original, { ...said, flags: kept }, request.files, "interactionCreate");
		return { status: 200, body: simulator.show.message(edited) };
	}
	const written = await writeNew(simulator, interaction.channelId, body, request.files, "interactionCreate");
	const message = simulator.messages.create({
		...blankMessage(interaction.channelId, interaction.guildId),
		...written,
		tts: body.tts ?? false,
		type: original ? MessageType.Reply : MessageType.Default,
		repliesTo: original?.id ?? null,
		visibleTo: (written.flags & MessageFlags.Ephemeral) === 0 ? null : interaction.userId,
		interaction: answerTo(interaction, true),
	});
	return { status: 200, body: simulator.show.message(message) };
}
