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
	type StringSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { taskButtonRows } from "../discord/task-buttons.ts";
import type { ReplyTarget } from "../services/delivery/reply-client.ts";
import { assertDeliverable } from "../services/delivery/assert-deliverable.ts";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { makesNew, buildRequest, type GenerationInput } from "../services/generation/request.ts";
import { isModelEnabled } from "../services/moderation/policy.ts";
import {
	styleModelGoneError,
	applyStyleText,
	isModelCompatible,
	applyStyle,
} from "../services/settings/apply-style.ts";
import { requireStyle, type NamedStyle } from "../services/settings/styles.ts";
import { say } from "../i18n/messages.ts";
import { renderConfirmation } from "../services/tasks/confirmations.ts";
import { UserError } from "../services/user-error.ts";
import { answerPrivately } from "./answer-privately.ts";
import type { InGuild, Services } from "./command.ts";
import { deferReply } from "./defer-reply.ts";
import { roleIdsOf } from "./member.ts";
import { channelContextOf } from "./channel-context.ts";
import { isResultPrivate } from "./result-visibility.ts";
import { tokenExpiresAtMsOf } from "./interaction-token.ts";

/** Discord sometimes reports a limit that it does not keep: try nothing larger. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;

export type GenerationRequester =
	| ChatInputCommandInteraction<InGuild>
	| ButtonInteraction<InGuild>
	| ModalSubmitInteraction<InGuild>
	| StringSelectMenuInteraction<InGuild>
	| MessageContextMenuCommandInteraction<InGuild>;

export interface GenerationSpec {
	readonly mediaType: MediaType;
	/** `null` selects the first suitable model. */
	readonly model: string | null;
	/** Restricts the models that `null` can select. */
	readonly mayBe?: (model: Model) => boolean;
	readonly wishes: (model: Model) => GenerationInput;
	readonly style: string | null;
}

/** `wanted`: the member's choice of visibility; `null` means the server's setting. */
export async function startGeneration(
	interaction: GenerationRequester,
	services: Services,
	logger: Logger,
	{ wanted, wish }: { readonly wanted: boolean | null; readonly wish: () => GenerationSpec | Promise<GenerationSpec> },
): Promise<void> {
	const { id, guildId, locale: userLocale, user } = interaction;
	const { messageId, isPrivate } = await services.answersFirst.give(async () => {
		const ephemeral = await isResultPrivate({ guildId, userId: user.id }, wanted, services);
		return { messageId: await deferReply(interaction, { isPrivate: ephemeral }), isPrivate: ephemeral };
	});
	const { mediaType, model: wantedModel, mayBe = makesNew, wishes, style } = await wish();
	const place = channelContextOf(interaction);
	const decided = await services.settings.read(guildId);
	const used = style === null ? undefined : requireStyle(decided, mediaType, style);
	const model = await chooseModel(services, mediaType, { typed: wantedModel, used }, (each) => {
		return (
			mayBe(each) &&
			isModelEnabled(decided, each, place.isAgeRestricted ?? false) &&
			isModelCompatible(used, each, wishes(each))
		);
	});
	const plain = buildRequest(model, applyStyle(used, model, wishes(model)));
	const order = { ...plain, prompt: applyStyleText(used, plain.prompt) };
	const roleIds = roleIdsOf(interaction);
	const reply = { ...replyTargetOf(interaction, messageId, isPrivate), spoiler: decided.media.spoiler };
	assertDeliverable(reply, mediaType);
	const locale = isPrivate ? userLocale : services.languages.localeOf(guildId, decided);
	const request = { id, order, guildId, userId: user.id, roleIds, locale, userLocale, reply, place };
	if (decided.confirmAbove === null || order.costCredits <= decided.confirmAbove) {
		await services.tasks.submit(request, logger);
		return;
	}
	await services.tasks.admit(request, logger);
	await services.confirmations.keep(request);
	const { saying, buttons } = renderConfirmation(order, userLocale);
	const question = { content: say(userLocale, saying), components: [...taskButtonRows(id, buttons)] };
	await answerPrivately(interaction, question, services, logger);
}

/** The member's choice precedes the style's; without either, the first suitable model is used. */
async function chooseModel(
	{ catalogue }: Services,
	mediaType: MediaType,
	{ typed, used }: { readonly typed: string | null; readonly used: NamedStyle | undefined },
	mayBe: (model: Model) => boolean,
): Promise<Model> {
	try {
		return await catalogue.choose(mediaType, typed ?? used?.model ?? null, mayBe);
	} catch (error) {
		const isGone = used && typed === null && error instanceof UserError && error.saying.key === "modelUnknown";
		throw isGone ? styleModelGoneError(used) : error;
	}
}

/** Returns the reply target of an interaction. */
export function replyTargetOf(interaction: GenerationRequester, messageId: string, isPrivate: boolean): ReplyTarget {
	return {
		applicationId: interaction.applicationId,
		token: interaction.token,
		tokenExpiresAtMs: tokenExpiresAtMsOf(interaction),
		channelId: interaction.channelId ?? "",
		messageId,
		ephemeral: isPrivate,
		botInGuild:
			ApplicationIntegrationType.GuildInstall in interaction.authorizingIntegrationOwners &&
			// Without the bot in the server, these permissions cover only its replies.
			interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
		attachmentBytesMax: Math.min(interaction.attachmentSizeLimit, ATTACHMENT_BYTES_CEILING),
	};
}
