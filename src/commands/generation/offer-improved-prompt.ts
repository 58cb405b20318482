/** Shows an improved prompt to the member who asked for it, before anything is charged. */
import type { RepliableInteraction } from "discord.js";
import { cardReply, text } from "../../discord/card.ts";
import { taskButtonRows } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName, quotePrompt } from "../../i18n/quote.ts";
import { moneyOf } from "../../services/credits/credit-price.ts";
import type { TaskButton } from "../../services/delivery/task-buttons.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import type { GenerationRequest } from "../../services/generation/request.ts";
import type { RequestDrafts } from "../../services/tasks/request-drafts.ts";
import type { Submission, TaskService } from "../../services/tasks/task-service.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { UserError } from "../../services/user-error.ts";
import type { Logger } from "pino";

/** The form shows the whole improved prompt. */
const IMPROVED_CHARS_SHOWN = 500;

interface OfferDeps {
	readonly promptImprover: PromptImprover | undefined;
	readonly taskService: Pick<TaskService, "authorize">;
	readonly drafts: Pick<RequestDrafts, "add">;
}

/** Expects a deferred, ephemeral reply. Calls the text model only for requests that would be accepted. */
export async function offerImprovedPrompt(
	interaction: RepliableInteraction,
	submission: Submission,
	{ promptImprover, taskService, drafts }: OfferDeps,
	logger: Logger,
): Promise<void> {
	const { request } = submission;
	if (promptImprover === undefined || request.isImprovable !== true)
		throw new UserError({ key: "request.improverOff" });
	await taskService.authorize(submission, logger);
	const improved = await improveOrDeny(request, promptImprover, logger);
	await drafts.add(submission, "text" in improved ? { improvedPrompt: improved.text } : {});
	const { locale } = interaction;
	const message =
		"text" in improved ? improvedMessage(request, improved.text) : failureMessage(request, improved.denial);
	const rows = taskButtonRows(submission.id, choiceButtons("text" in improved, locale));
	await interaction.editReply(cardReply([text(t(locale, message)), ...rows]));
}

async function improveOrDeny(
	{ mediaType, modelName, prompt }: GenerationRequest,
	promptImprover: PromptImprover,
	logger: Logger,
): Promise<{ readonly text: string } | { readonly denial: MessageDescriptor }> {
	try {
		return { text: await promptImprover.improve({ mediaType, modelName, prompt }, logger) };
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return { denial: error.messageDescriptor };
	}
}

function choiceButtons(hasImproved: boolean, locale: string): readonly TaskButton[] {
	return [
		...(hasImproved ? [{ action: "editDraft" as const, label: t(locale, { key: "button.useImproved" }) }] : []),
		{ action: "confirm", label: t(locale, { key: "button.useOwn" }) },
		{ action: "decline", label: t(locale, { key: "button.cancel" }) },
	];
}

function improvedMessage(request: GenerationRequest, improved: string): MessageDescriptor {
	return {
		key: "request.improved",
		params: { ...requestParams(request), improved: quote(improved, IMPROVED_CHARS_SHOWN) },
	};
}

function failureMessage(request: GenerationRequest, reason: MessageDescriptor): MessageDescriptor {
	return { key: "request.improverFailed", params: { ...requestParams(request), reason } };
}

function requestParams({ prompt, modelName, costCredits, creditPrice }: GenerationRequest) {
	return {
		prompt: quotePrompt(prompt),
		model: quoteName(modelName),
		costCredits,
		money: moneyOf(costCredits, creditPrice),
	};
}
