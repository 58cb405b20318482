/** Interaction callbacks: one per interaction. */
import {
	type APIApplicationCommandOptionChoice,
	ApplicationCommandOptionType as OptionType,
	InteractionResponseType as CallbackType,
	MessageFlags,
	MessageType,
} from "discord-api-types/v10";
import type { SchemaName } from "../../schema/schema-patches.ts";
import { choiceLengthErrors } from "../../schema/command-validation.ts";
import { flagErrors } from "../../schema/message-validation.ts";
import { type ModalBody, modalErrors } from "../../schema/component-validation.ts";
import { ApiError, apiErrors, type FieldError, rejectFields } from "../../simulator/api-error.ts";
import { normalizeComponents } from "../../simulator/components.ts";
import { INTERACTION_TYPES } from "../../simulator/interactions.ts";
import { type Interaction, componentMessageId } from "../../simulator/interactions.ts";
import type { MessageBody } from "../../simulator/build-message.ts";
import type { Modal, StoredMessage } from "../../simulator/documents.ts";
import { booleanParam } from "../read-request.ts";
import { blankMessage } from "../../simulator/messages.ts";
import type { RestRequest } from "../route.ts";
import { applyEdit, interactionReference, prepareMessage } from "../../actions/write-message.ts";

const CREATING_CALLBACKS = [
	CallbackType.ChannelMessageWithSource,
	CallbackType.DeferredChannelMessageWithSource,
] as const;
const UPDATING_CALLBACKS = [CallbackType.DeferredMessageUpdate, CallbackType.UpdateMessage] as const;

interface CallbackBody {
	/** Types with a schema; others are rejected before. */
	readonly type:
		| (typeof CREATING_CALLBACKS | typeof UPDATING_CALLBACKS)[number]
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
			throw invalidTypeError("Value must be one of {4, 5, 6, 7, 8, 9}.");
	}
}

/**
 * Returns the allowed callback types. A modal cannot open another modal. The message of a component can be updated by an interaction
 * with the component, and by a modal that this interaction opened.
 */
function allowedCallbacks(interaction: Interaction): readonly CallbackType[] {
	switch (interaction.origin.kind) {
		case "autocomplete":
			return [CallbackType.ApplicationCommandAutocompleteResult];
		case "command":
			return [...CREATING_CALLBACKS, CallbackType.Modal];
		case "component":
			return [...CREATING_CALLBACKS, ...UPDATING_CALLBACKS, CallbackType.Modal];
		case "modal":
			return componentMessageId(interaction.origin) === undefined
				? CREATING_CALLBACKS
				: [...CREATING_CALLBACKS, ...UPDATING_CALLBACKS];
	}
}

export async function callback(request: RestRequest): Promise<object | undefined> {
	const body = request.body as CallbackBody;
	const interaction = findAnswerable(request);
	if (!allowedCallbacks(interaction).includes(body.type)) {
		throw invalidTypeError(`An interaction of this type cannot be answered with ${body.type}.`);
	}
	const message = await handleCallback(interaction, body, request);
	if (!booleanParam(request.query, "with_response")) return undefined;
	return callbackResponse(interaction, body.type, message, request);
}

/** Finds the interaction of the callback. Called again after uploads: another callback, or the timeout, may come first. */
function findAnswerable({ simulator, param }: RestRequest): Interaction {
	return simulator.interactions.findAnswerable(param("interaction"), param("token"));
}

/** Executes the callback. Returns the message that @original refers to from now on. */
async function handleCallback(
	interaction: Interaction,
	body: CallbackBody,
	request: RestRequest,
): Promise<StoredMessage | undefined> {
	const { interactions } = request.simulator;
	switch (body.type) {
		case CallbackType.ChannelMessageWithSource:
			return createReply(await immediateReply(interaction, body, request), request);
		case CallbackType.DeferredChannelMessageWithSource:
			return createReply(deferredReply(interaction, body, request), request);
		case CallbackType.DeferredMessageUpdate: {
			const originalId = componentMessageId(interaction.origin) ?? null;
			interactions.answer(interaction, { originalId });
			return originalId === null ? undefined : request.simulator.messages.find(interaction.channelId, originalId);
		}
		case CallbackType.UpdateMessage:
			return updateMessage(interaction, body, request);
		case CallbackType.Modal:
			interactions.answer(interaction, { modal: parseModal(request.body) });
			return undefined;
		case CallbackType.ApplicationCommandAutocompleteResult: {
			const choices = (body.data?.choices ?? []).filter((choice) => choice !== null);
			rejectFields(choiceErrors(interaction, choices));
			interactions.answer(interaction);
			request.commandInteractions.deliverChoices(interaction.id, choices);
			return undefined;
		}
	}
}

/** Choices have the type of the option that the user is filling in. */
function choiceErrors({ origin }: Interaction, choices: readonly APIApplicationCommandOptionChoice[]): FieldError[] {
	const optionType = origin.kind === "autocomplete" ? origin.optionType : undefined;
	return choices.flatMap(({ value }, index) => {
		const path = ["data", "choices", index, "value"];
		if (optionType === OptionType.String)
			return typeof value === "string"
				? choiceLengthErrors(value, path)
				: { path, code: "STRING_TYPE_CONVERT", message: `Could not interpret "${value}" as string.` };
		const isInteger = optionType === OptionType.Integer;
		return typeof value === "number" && (!isInteger || Number.isInteger(value))
			? []
			: { path, code: "NUMBER_TYPE_COERCE", message: `Value "${value}" is not ${isInteger ? "int" : "float"}.` };
	});
}

function createReply(draft: Draft, request: RestRequest): StoredMessage {
	const { simulator } = request;
	try {
		return simulator.atomically(() => {
			const interaction = findAnswerable(request);
			const created = simulator.messages.create(draft);
			simulator.interactions.answer(interaction, { originalId: created.id });
			return created;
		});
	} catch (error) {
		simulator.attachments.remove(draft.attachments.map(({ id }) => id));
		throw error;
	}
}

/** Updates the component's message for everyone who sees it. */
async function updateMessage(
	interaction: Interaction,
	{ data }: CallbackBody,
	request: RestRequest,
): Promise<StoredMessage> {
	const { simulator } = request;
	const source = simulator.messages.find(interaction.channelId, componentMessageId(interaction.origin) ?? "");
	if (!source) throw apiErrors.unknownMessage();
	const answerInteraction = (): void =>
		simulator.interactions.answer(findAnswerable(request), { originalId: source.id });
	const write = { ...request, body: data ?? {}, sender: "interaction", isEdit: true } as const;
	return applyEdit(write, source, answerInteraction).catch(rethrowUnderData);
}

function parseModal(body: unknown): Modal {
	const { data } = body as { data: ModalBody };
	const errors = modalErrors(data);
	if (errors.length > 0) throw apiErrors.invalidForm(errors).under("data");
	return { customId: data.custom_id, title: data.title, components: normalizeComponents(data.components) };
}

type Draft = Omit<StoredMessage, "id" | "createdMs" | "editedMs">;

/** A response to a component replies to its message; a response to a command names the command. */
function replyTo(interaction: Interaction, botId: string, flags: number): Draft {
	const { userId, channelId, guildId } = interaction;
	const isEphemeral = (flags & MessageFlags.Ephemeral) !== 0;
	const messageId = componentMessageId(interaction.origin);
	return {
		...blankMessage(channelId, guildId, botId),
		...(messageId === undefined ? commandReply(interaction) : { type: MessageType.Reply, repliesTo: messageId }),
		flags,
		visibleTo: isEphemeral ? userId : null,
		interaction: interactionReference(interaction, { isFollowUp: false }),
	};
}

/** A response to a command of a message's context menu refers to the message. */
function commandReply({ origin }: Interaction): Pick<StoredMessage, "type" | "repliesTo"> {
	const firstOrigin = origin.kind === "modal" ? origin.opener : origin;
	const target = firstOrigin.kind === "command" ? firstOrigin.target : undefined;
	return {
		type: target ? MessageType.ContextMenuCommand : MessageType.ChatInputCommand,
		repliesTo: target?.kind === "message" ? target.id : null,
	};
}

/** "… is thinking": a message with the loading flag. */
function deferredReply(interaction: Interaction, { data }: CallbackBody, { actorId }: RestRequest): Draft {
	const flags = data?.flags ?? 0;
	const errors = flagErrors(flags, MessageFlags.Ephemeral);
	if (errors.length > 0) throw apiErrors.invalidForm(errors).under("data");
	return replyTo(interaction, actorId, flags | MessageFlags.Loading);
}

async function immediateReply(interaction: Interaction, { data }: CallbackBody, request: RestRequest): Promise<Draft> {
	const write = { ...request, body: data ?? {}, sender: "interaction" } as const;
	const draft = await prepareMessage(write, interaction.channelId).catch(rethrowUnderData);
	return { ...replyTo(interaction, request.actorId, draft.flags), ...draft, tts: data?.tts ?? false };
}

function rethrowUnderData(error: unknown): never {
	throw error instanceof ApiError ? error.under("data") : error;
}

function callbackResponse(
	interaction: Interaction,
	callbackType: CallbackType,
	message: StoredMessage | undefined,
	{ simulator }: RestRequest,
): object {
	const type = INTERACTION_TYPES[interaction.origin.kind];
	if (!message) return { interaction: { id: interaction.id, type } };
	const isUpdate = callbackType === CallbackType.UpdateMessage;
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
		...(callbackType === CallbackType.DeferredMessageUpdate
			? {}
			: {
					resource: {
						// The schema has one type for both ways to create a message.
						type: isUpdate ? CallbackType.UpdateMessage : CallbackType.ChannelMessageWithSource,
						message: simulator.serialize.message(message),
					},
				}),
	};
}

function typeOf(body: unknown): unknown {
	return typeof body === "object" && body !== null && "type" in body ? body.type : undefined;
}

function invalidTypeError(message: string) {
	return apiErrors.invalidField(["type"], "BASE_TYPE_CHOICES", message);
}
