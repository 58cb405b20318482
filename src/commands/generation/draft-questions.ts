/** Questions about a request that would be accepted, to its member alone: its price, or an improved prompt. */
import type { RepliableInteraction } from "discord.js";
import type { Logger } from "pino";
import { cardReply, text } from "../../discord/card.ts";
import { taskButtonRows } from "../../discord/task-buttons.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName, quotePrompt } from "../../i18n/quote.ts";
import { moneyOf } from "../../i18n/money.ts";
import type { TaskButton } from "../../services/delivery/task-actions.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import type { GenerationRequest } from "../../services/generation/request.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import type { Submission } from "../../services/tasks/submission-service.ts";
import { UserError } from "../../services/user-error.ts";
import { replyPrivately } from "../framework/reply-privately.ts";
import type { CommandServices } from "../command-services.ts";

/** The form shows the whole improved prompt. */
const IMPROVED_CHARS_SHOWN = 500;

type QuestionedSubmission = Pick<Submission, "request" | "presentation" | "userLocale">;

interface Question {
	readonly question: MessageDescriptor;
	readonly buttons: readonly TaskButton[];
}

export function needsConfirmation({ costCredits }: GenerationRequest, { confirmAbove }: GuildSettings): boolean {
	return confirmAbove !== null && costCredits > confirmAbove;
}

/** Shows the price. Expects a deferred reply. */
export async function askForConfirmation(
	interaction: RepliableInteraction,
	submission: Submission,
	services: CommandServices,
): Promise<void> {
	await services.submissions.authorize(submission, services.logger);
	await services.drafts.add(submission);
	const card = questionCard(submission, confirmationQuestion(submission));
	await replyPrivately(interaction, card, services);
}

export function confirmationQuestion(submission: QuestionedSubmission): Question {
	const { request, userLocale: locale } = submission;
	const { mediaType, costCredits } = request;
	return {
		question: { key: "request.confirmCost", params: { mediaType, ...requestParams(submission) } },
		buttons: [
			{ action: "confirm", label: t(locale, { key: "button.confirm", params: { costCredits } }) },
			declineButton(locale),
		],
	};
}

/** Offers an improved prompt. Expects a deferred, ephemeral reply. Calls the text model only for requests that would be accepted. */
export async function offerImprovedPrompt(
	interaction: RepliableInteraction,
	submission: Submission,
	{ promptImprover, submissions, drafts, logger }: CommandServices,
): Promise<void> {
	const { request, presentation } = submission;
	if (promptImprover === undefined || !presentation.isImprovable) throw new UserError({ key: "request.improverOff" });
	await submissions.authorize(submission, logger);
	const improved = await improveOrDeny(request, promptImprover, logger);
	await drafts.add(submission, "text" in improved ? { improvedPrompt: improved.text } : {});
	await interaction.editReply(questionCard(submission, improvedQuestion(submission, improved)));
}

type Improved = { readonly text: string } | { readonly denial: MessageDescriptor };

async function improveOrDeny(
	{ mediaType, modelName, prompt }: GenerationRequest,
	promptImprover: PromptImprover,
	logger: Logger,
): Promise<Improved> {
	try {
		return { text: await promptImprover.improve({ mediaType, modelName, prompt }, logger) };
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return { denial: error.messageDescriptor };
	}
}

function improvedQuestion(submission: Submission, improved: Improved): Question {
	const { userLocale: locale } = submission;
	const params = requestParams(submission);
	const useOwn: TaskButton = { action: "confirm", label: t(locale, { key: "button.useOwn" }) };
	if ("denial" in improved) {
		const question: MessageDescriptor = {
			key: "request.improverFailed",
			params: { ...params, reason: improved.denial },
		};
		return { question, buttons: [useOwn, declineButton(locale)] };
	}
	const shown = quote(improved.text, IMPROVED_CHARS_SHOWN);
	const useImproved: TaskButton = { action: "editDraft", label: t(locale, { key: "button.useImproved" }) };
	return {
		question: { key: "request.improved", params: { ...params, improved: shown } },
		buttons: [useImproved, useOwn, declineButton(locale)],
	};
}

function questionCard({ id, userLocale }: Submission, { question, buttons }: Question) {
	return cardReply([text(t(userLocale, question)), ...taskButtonRows(id, buttons)]);
}

function declineButton(locale: string): TaskButton {
	return { action: "decline", label: t(locale, { key: "button.cancel" }) };
}

function requestParams({ request, presentation }: QuestionedSubmission) {
	const { prompt, modelName, costCredits } = request;
	return {
		prompt: quotePrompt(prompt),
		model: quoteName(modelName),
		costCredits,
		money: moneyOf(costCredits, presentation.creditPrice),
	};
}
