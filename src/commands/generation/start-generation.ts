/**
 * Turns a command, button, form or menu into a task: defers the reply, applies the settings of the server, builds the
 * request, and submits it or asks for confirmation.
 */
import {
	ApplicationIntegrationType,
	PermissionFlagsBits,
	type ButtonInteraction,
	type ChatInputCommandInteraction,
	type MessageContextMenuCommandInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { cardReply, text } from "../../discord/card.ts";
import { taskButtonRows } from "../../discord/task-buttons.ts";
import type { ReplyTarget } from "../../services/delivery/reply-target.ts";
import type { TaskAction } from "../../services/delivery/task-buttons.ts";
import { assertDeliverable } from "../../services/delivery/delivery-routes.ts";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import {
	makesNew,
	buildRequest,
	type GenerationInput,
	type GenerationRequest,
} from "../../services/generation/request.ts";
import { channelIdsOf, type ChannelContext } from "../../services/moderation/authorization.ts";
import { isModelEnabled } from "../../services/moderation/policy.ts";
import {
	styleModelGoneError,
	applyStyleText,
	isModelCompatible,
	applyStyle,
} from "../../services/settings/apply-style.ts";
import { channelDefaultsIn, NO_DEFAULTS } from "../../services/settings/channel-defaults.ts";
import { findStyle, requireStyle, type NamedStyle } from "../../services/settings/styles.ts";
import { t } from "../../i18n/messages.ts";
import { renderConfirmation } from "../../services/tasks/unconfirmed-requests.ts";
import { UserError } from "../../services/user-error.ts";
import { answerPrivately } from "../framework/answer-privately.ts";
import type { Clock } from "@atelier/common/clock";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import type { UnconfirmedRequests } from "../../services/tasks/unconfirmed-requests.ts";
import type { JobService } from "../../services/tasks/job-service.ts";
import { SOURCE_ACTIONS, type Task, type TaskSource } from "../../services/tasks/task.ts";
import type { TaskRequest, TaskService } from "../../services/tasks/task-service.ts";
import type { FirstResponseBarrier } from "../framework/first-response-barrier.ts";
import type { InGuild } from "../framework/command.ts";
import type { LocaleDeps } from "../framework/guild-locale.ts";
import { deferReply, isResultPrivate, tokenExpiresAtMsOf } from "../framework/defer-reply.ts";
import { withDraft } from "../framework/denied-prompt.ts";
import { offerImprovedPrompt } from "./offer-improved-prompt.ts";
import { roleIdsOf } from "../framework/invoking-member.ts";
import { channelContextOf } from "../framework/channel-context.ts";

/** Discord sometimes reports a higher limit than it accepts; larger files are never uploaded. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;

export interface GenerationDeps extends LocaleDeps {
	readonly catalog: ModelCatalog;
	readonly taskService: TaskService;
	readonly unconfirmedRequests: UnconfirmedRequests;
	readonly firstResponseBarrier: FirstResponseBarrier;
	readonly clock: Clock;
	/** `undefined` if the operator has not configured a text model. */
	readonly promptImprover: PromptImprover | undefined;
}

export type ConfirmationDeps = LocaleDeps & Pick<GenerationDeps, "clock" | "unconfirmedRequests" | "taskService">;

/** For components and menus that start a generation from an earlier result. */
export interface ResultDeps extends GenerationDeps {
	readonly jobs: JobService;
}

type GenerationRequester =
	| ChatInputCommandInteraction<InGuild>
	| ButtonInteraction<InGuild>
	| ModalSubmitInteraction<InGuild>
	| MessageContextMenuCommandInteraction<InGuild>;

export interface GenerationSpec {
	readonly mediaType: MediaType;
	/** `null` selects the first suitable model. */
	readonly model: string | null;
	/** Restricts the models that `null` can select. */
	readonly isSuitable?: (model: Model) => boolean;
	readonly inputFor: (model: Model) => GenerationInput;
	readonly style: string | null;
	/** True for slash commands: the defaults of the channel replace a model or style that the member did not choose. */
	readonly usesChannelDefaults?: boolean;
}

/** Starts a generation. `isPrivate`: the member's choice; `null` uses the server's setting. `spec` is called after the reply is deferred. */
export async function startGeneration(
	interaction: GenerationRequester,
	deps: GenerationDeps,
	logger: Logger,
	choice: {
		readonly isPrivate: boolean | null;
		readonly spec: () => GenerationSpec | Promise<GenerationSpec>;
		readonly source?: TaskSource | undefined;
		/** The member sees an improved prompt first. */
		readonly offersImprovedPrompt?: boolean;
	},
): Promise<void> {
	const { id, guildId, locale: userLocale, user } = interaction;
	const { offersImprovedPrompt = false, source } = choice;
	const channel = channelContextOf(interaction);
	const channelIds = channelIdsOf(channel);
	const { messageId, isEphemeral } = await deps.firstResponseBarrier.respond(async () => {
		const isPrivate = await isResultPrivate({ guildId, userId: user.id, channelIds }, choice.isPrivate, deps);
		return {
			messageId: await deferReply(interaction, { isEphemeral: isPrivate || offersImprovedPrompt }),
			isEphemeral: isPrivate,
		};
	});
	const spec = await choice.spec();
	const settings = await deps.settings.read(guildId);
	const request = await buildRequestOf(spec, settings, channel, deps);
	const isInThread = channel.parentId !== null;
	const opensThread =
		!isEphemeral &&
		!isInThread &&
		channelDefaultsIn(settings, channelIds).threads &&
		// Without one of them, the result would leave an empty thread.
		interaction.appPermissions.has([
			PermissionFlagsBits.CreatePublicThreads,
			PermissionFlagsBits.SendMessagesInThreads,
		]);
	const reply = {
		...replyTargetOf(interaction, messageId, isEphemeral),
		isSpoiler: settings.media.spoiler,
		...(opensThread && { opensThread }),
	};
	assertDeliverable(reply, spec.mediaType);
	const ping = PING_OF_SETTING[settings.pings];
	const task = {
		id,
		request,
		guildId,
		userId: user.id,
		roleIds: roleIdsOf(interaction),
		locale: isEphemeral ? userLocale : await deps.languages.localeOf(guildId, settings),
		userLocale,
		reply,
		channel,
		...(source && { source }),
		...(ping && { ping }),
	};
	try {
		if (offersImprovedPrompt) await offerImprovedPrompt(interaction, task, deps, logger);
		else if (needsConfirmation(request, settings)) await askForConfirmation(interaction, task, deps, logger);
		else await deps.taskService.submit(task, logger);
	} catch (error) {
		throw await withDraft(error, interaction, task, deps);
	}
}

export function needsConfirmation({ costCredits }: GenerationRequest, { confirmAbove }: GuildSettings): boolean {
	return confirmAbove !== null && costCredits > confirmAbove;
}

/** Shows the price of a request that would be accepted, to its member alone. Expects a deferred reply. */
export async function askForConfirmation(
	interaction: GenerationRequester,
	task: TaskRequest,
	deps: ConfirmationDeps,
	logger: Logger,
): Promise<void> {
	await deps.taskService.authorize(task, logger);
	await deps.unconfirmedRequests.add(task);
	const { question, buttons } = renderConfirmation(task.request, task.userLocale);
	const card = cardReply([text(t(task.userLocale, question)), ...taskButtonRows(task.id, buttons)]);
	await answerPrivately(interaction, card, deps, logger);
}

/** Builds the request with the settings and styles of the server, and with the defaults of the channel. */
async function buildRequestOf(
	{ mediaType, model: modelId, isSuitable = makesNew, inputFor, style: styleName, usesChannelDefaults }: GenerationSpec,
	settings: GuildSettings,
	channel: ChannelContext,
	{ catalog, promptImprover }: Pick<GenerationDeps, "catalog" | "promptImprover">,
): Promise<GenerationRequest> {
	const defaults = usesChannelDefaults === true ? channelDefaultsIn(settings, channelIdsOf(channel)) : NO_DEFAULTS;
	const ownStyle = styleName === null ? undefined : requireStyle(settings, mediaType, styleName);
	// The style of a channel may be gone, or not fit the model that the member chose.
	const channelStyle = defaults.style === null ? undefined : findStyle(settings, mediaType, defaults.style);
	const preferredStyle = ownStyle ?? channelStyle;
	const preferred = { model: modelId, style: preferredStyle, channelModel: defaults.models[mediaType] };
	const model = await chooseModel(catalog, mediaType, preferred, (each) => {
		return (
			isSuitable(each) &&
			isModelEnabled(settings, each, channel.isAgeRestricted ?? false) &&
			isModelCompatible(preferredStyle, each, inputFor(each))
		);
	});
	const input = inputFor(model);
	const style = ownStyle || isModelCompatible(channelStyle, model, input) ? preferredStyle : undefined;
	const request = buildRequest(model, applyStyle(style, model, input));
	const { creditPrice } = catalog;
	return {
		...request,
		prompt: applyStyleText(style, request.prompt),
		...(creditPrice && { creditPrice }),
		...(settings.media.promptInFiles && { isPromptInFiles: true }),
		...(settings.media.improvePrompts && promptImprover && { isImprovable: true }),
	};
}

/** Chooses the member's model, else that of the style, else that of the channel, else the first suitable one. */
async function chooseModel(
	catalog: ModelCatalog,
	mediaType: MediaType,
	choice: {
		readonly model: string | null;
		readonly style: NamedStyle | undefined;
		/** The default model of the channel; ignored if it is not suitable. */
		readonly channelModel: string | undefined;
	},
	isSuitable: (model: Model) => boolean,
): Promise<Model> {
	const chosenModelId = choice.model ?? choice.style?.model;
	const channelModel = catalog.known(mediaType).find((model) => model.id === choice.channelModel && isSuitable(model));
	try {
		return await catalog.choose(mediaType, chosenModelId ?? channelModel?.id ?? null, isSuitable);
	} catch (error) {
		const isUnknown = error instanceof UserError && error.messageDescriptor.key === "request.modelUnknown";
		throw isUnknown && choice.style && choice.model === null ? styleModelGoneError(choice.style) : error;
	}
}

const PING_OF_SETTING = { ask: undefined, always: "requested", never: "off" } as const;

/** Names the member whose result is used, and how; `undefined` if it is the member's own result. */
export function sourceOf(task: Task, { user }: GenerationRequester, action: TaskAction): TaskSource | undefined {
	if (task.userId === user.id) return undefined;
	return { userId: task.userId, action: SOURCE_ACTIONS.find((each) => each === action) ?? "other" };
}

export function replyTargetOf(interaction: GenerationRequester, messageId: string, isEphemeral: boolean): ReplyTarget {
	return {
		applicationId: interaction.applicationId,
		token: interaction.token,
		tokenExpiresAtMs: tokenExpiresAtMsOf(interaction),
		channelId: interaction.channelId ?? "",
		messageId,
		isEphemeral,
		isBotInGuild:
			ApplicationIntegrationType.GuildInstall in interaction.authorizingIntegrationOwners &&
			// Without the bot in the server, these permissions cover only its replies.
			interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
		attachmentBytesMax: Math.min(interaction.attachmentSizeLimit, ATTACHMENT_BYTES_CEILING),
	};
}
