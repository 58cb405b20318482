/** Interaction callbacks: one per interaction. */
import {
	type APIApplicationCommandOptionChoice,
	InteractionResponseType as CallbackType,
	MessageFlags,
	MessageType,
} from "discord-api-types/v10";
import type { SchemaName } from "../../schema/schema-patches.ts";
import { flagFaults } from "../../schema/message-validation.ts";
import { type ModalBody, modalFaults } from "../../schema/modal-validation.ts";
import { ApiError, faults } from "../../simulator/api-error.ts";
import { componentsFor } from "../../simulator/components.ts";
import { interactionType } from "../../simulator/interaction-payload.ts";
import { type Interaction, pressedMessageId } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/message-body.ts";
import type { StoredMessage } from "../../simulator/stored-message.ts";
import { booleanIn } from "../query.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";
import { answerTo } from "./interaction-metadata.ts";
import { blankMessage, rewrite, writeNew } from "./write-message.ts";
import type { Modal } from "../../simulator/modal.ts";

const CREATES = [CallbackType.ChannelMessageWithSource, CallbackType.DeferredChannelMessageWithSource] as const;
const UPDATES = [CallbackType.DeferredMessageUpdate, CallbackType.UpdateMessage] as const;

interface CallbackBody {
	/** Types with a schema; others are rejected before. */
	readonly type:
		| (typeof CREATES | typeof UPDATES)[number]
		| CallbackType.ApplicationCommandAutocompleteResult
		| CallbackType.Modal;
	readonly data?: MessageBody & { readonly choices?: readonly (APIApplicationCommandOptionChoice | null)[] | null };
}

/** Returns the schema for a callback's type: a union of all schemas would give useless errors. */
export function callbackSchema(body: unknown): SchemaName {
	switch (typeOf(body)) {
		case CallbackType.ChannelMessageWithSource:
		case CallbackType.DeferredChannelMessageWithSource:
			return "CreateMessageInteractionCallbackRequest";
		case CallbackType.DeferredMessageUpdate:
		case CallbackType.UpdateMessage:
			return "UpdateMessageInteractionCallbackRequest";
		case CallbackType.ApplicationCommandAutocompleteResult:
			return "ApplicationCommandAutocompleteCallbackRequest";
		case CallbackType.Modal:
			return "ModalInteractionCallbackRequest";
		default:
			throw wrongType("Value must be one of {4, 5, 6, 7, 8, 9}.");
	}
}

/** Returns the allowed callback types. A modal cannot open another one, and only a component can update its message. */
function takes(interaction: Interaction): readonly CallbackType[] {
	switch (interaction.kind) {
		case "autocomplete":
			return [CallbackType.ApplicationCommandAutocompleteResult];
		case "command":
			return [...CREATES, CallbackType.Modal];
		case "component":
			return [...CREATES, ...UPDATES, CallbackType.Modal];
		case "modal":
			return pressedMessageId(interaction) === undefined ? CREATES : [...CREATES, ...UPDATES];
	}
}

export async function callback(request: RestRequest, room: RestRoom): Promise<Answer> {
	const body = request.body as CallbackBody;
	const claim = (): Interaction => answerable(request, room);
	const interaction = claim();
	if (!takes(interaction).includes(body.type)) {
		throw wrongType(`An interaction of this type cannot be answered with ${body.type}.`);
	}
	const message = await answer(interaction, body, { request, room, claim });
	if (!booleanIn(request.query, "with_response")) return { status: 204 };
	return { status: 200, body: callbackAnswer(interaction, body.type, message, room) };
}

function answerable(request: RestRequest, { simulator }: RestRoom): Interaction {
	return simulator.interactions.answerable(request.param("interaction"), request.param("token"));
}

interface Doing {
	readonly request: RestRequest;
	readonly room: RestRoom;
	/** Checked again at the end: uploads take time, and another callback or the three seconds may come first. */
	readonly claim: () => Interaction;
}

/** Executes the callback. Returns the message that @original refers to from now on. */
async function answer(interaction: Interaction, body: CallbackBody, doing: Doing): Promise<StoredMessage | undefined> {
	const { room } = doing;
	const { interactions } = room.simulator;
	switch (body.type) {
		case CallbackType.ChannelMessageWithSource:
			return create(await immediate(interaction, body, doing), doing);
		case CallbackType.DeferredChannelMessageWithSource:
			return create(deferred(interaction, body), doing);
		case CallbackType.DeferredMessageUpdate: {
			const originalId = pressedMessageId(interaction) ?? null;
			interactions.answer(interaction, { originalId });
			return originalId === null ? undefined : room.simulator.messages.find(interaction.channelId, originalId);
		}
		case CallbackType.UpdateMessage:
			return update(interaction, body, doing);
		case CallbackType.Modal:
			interactions.answer(interaction, { modal: openedModal(doing.request.body) });
			return undefined;
		case CallbackType.ApplicationCommandAutocompleteResult: {
			const choices = (body.data?.choices ?? []).filter((choice) => choice !== null);
			interactions.answer(interaction, {});
			room.invoke.offer(interaction.id, choices);
			return undefined;
		}
	}
}

function create(draft: Draft, { room, claim }: Doing): StoredMessage {
	const { simulator } = room;
	return simulator.atomically(() => {
		const still = claim();
		const created = simulator.messages.create(draft);
		simulator.interactions.answer(still, { originalId: created.id });
		return created;
	});
}

/** Updates the component's message for everyone who sees it. */
async function update(interaction: Interaction, { data }: CallbackBody, doing: Doing): Promise<StoredMessage> {
	const { request, room, claim } = doing;
	const { simulator } = room;
	const pressed = simulator.messages.find(interaction.channelId, pressedMessageId(interaction) ?? "");
	if (!pressed) throw faults.unknownMessage();
	const answered = (): void => void simulator.interactions.answer(claim(), { originalId: pressed.id });
	return rewrite(simulator, pressed, data ?? {}, request.files, "interactionEdit", answered).catch(underData);
}

function openedModal(body: unknown): Modal {
	const { data } = body as { data: ModalBody };
	const found = modalFaults(data);
	if (found.length > 0) throw faults.invalidForm(found).under("data");
	return { customId: data.custom_id, title: data.title, components: componentsFor(data.components) };
}

type Draft = Omit<StoredMessage, "id" | "createdMs" | "editedMs">;

/** A response to a component replies to its message; a response to a command names the command. */
function replyTo(interaction: Interaction, flags: number): Draft {
	const { userId, channelId, guildId } = interaction;
	const isEphemeral = (flags & MessageFlags.Ephemeral) !== 0;
	const pressed = pressedMessageId(interaction);
	return {
		...blankMessage(channelId, guildId),
		type: pressed === undefined ? commandMessageType(interaction) : MessageType.Reply,
		repliesTo: pressed ?? null,
		flags,
		visibleTo: isEphemeral ? userId : null,
		interaction: answerTo(interaction, false),
	};
}

function commandMessageType(interaction: Interaction): MessageType {
	const began = interaction.kind === "modal" ? interaction.opener : interaction;
	const isFromMenu = began.kind === "command" && began.target !== undefined;
	return isFromMenu ? MessageType.ContextMenuCommand : MessageType.ChatInputCommand;
}

/** "… is thinking": a message with the loading flag. */
function deferred(interaction: Interaction, { data }: CallbackBody): Draft {
	const flags = data?.flags ?? 0;
	const found = flagFaults(flags, MessageFlags.Ephemeral);
	if (found.length > 0) throw faults.invalidForm(found).under("data");
	return replyTo(interaction, flags | MessageFlags.Loading);
}

async function immediate(interaction: Interaction, { data }: CallbackBody, { request, room }: Doing): Promise<Draft> {
	const { simulator } = room;
	const { channelId } = interaction;
	const written = await writeNew(simulator, channelId, data ?? {}, request.files, "interactionCreate").catch(underData);
	return { ...replyTo(interaction, written.flags), ...written, tts: data?.tts ?? false };
}

function underData(error: unknown): never {
	throw error instanceof ApiError ? error.under("data") : error;
}

function callbackAnswer(
	interaction: Interaction,
	answeredWith: CallbackType,
	message: StoredMessage | undefined,
	{ simulator }: RestRoom,
): object {
	const type = interactionType(interaction);
	if (!message) return { interaction: { id: interaction.id, type } };
	const isUpdate = answeredWith === CallbackType.UpdateMessage;
	return {
		interaction: {
			id: interaction.id,
			type,
			response_message_id: message.id,
			response_message_loading: (message.flags & MessageFlags.Loading) !== 0,
			response_message_ephemeral: message.visibleTo !== null,
			channel_id: interaction.channelId,
			...(interaction.guildId === null ? {} : { guild_id: interaction.guildId }),
		},
		...(answeredWith === CallbackType.DeferredMessageUpdate
			? {}
			: {
					resource: {
						// The schema has one type for both ways to create a message.
						type: isUpdate ? CallbackType.UpdateMessage : CallbackType.ChannelMessageWithSource,
						message: simulator.show.message(message),
					},
				}),
	};
}

function typeOf(body: unknown): unknown {
	return typeof body === "object" && body !== null && "type" in body ? body.type : undefined;
}

function wrongType(message: string) {
	return faults.invalidForm([{ path: ["type"], code: "BASE_TYPE_CHOICES", message }]);
}
