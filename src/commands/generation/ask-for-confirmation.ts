/** Asks a member to confirm the price of an expensive request. */
import type { Logger } from "pino";
import { cardReply, text } from "../../discord/card.ts";
import { taskButtonRows } from "../../discord/task-buttons.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quoteName, quotePrompt } from "../../i18n/quote.ts";
import { moneyOf } from "../../services/credits/credit-price.ts";
import type { TaskButton } from "../../services/delivery/task-buttons.ts";
import type { GenerationRequest } from "../../services/generation/request.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import type { Submission } from "../../services/tasks/task-service.ts";
import { answerPrivately } from "../framework/answer-privately.ts";
import type { DraftDeps, GenerationInteraction } from "./generation-deps.ts";

export function needsConfirmation({ costCredits }: GenerationRequest, { confirmAbove }: GuildSettings): boolean {
	return confirmAbove !== null && costCredits > confirmAbove;
}

/** Shows the price of a request that would be accepted, to its member alone. Expects a deferred reply. */
export async function askForConfirmation(
	interaction: GenerationInteraction,
	submission: Submission,
	deps: DraftDeps,
	logger: Logger,
): Promise<void> {
	await deps.taskService.authorize(submission, logger);
	await deps.drafts.add(submission);
	const { id, request, userLocale } = submission;
	const { question, buttons } = renderConfirmation(request, userLocale);
	const card = cardReply([text(t(userLocale, question)), ...taskButtonRows(id, buttons)]);
	await answerPrivately(interaction, card, deps, logger);
}

export function renderConfirmation(
	{ mediaType, modelName, costCredits, creditPrice, prompt }: GenerationRequest,
	locale: string,
): { readonly question: MessageDescriptor; readonly buttons: readonly TaskButton[] } {
	const params = {
		mediaType,
		model: quoteName(modelName),
		costCredits,
		money: moneyOf(costCredits, creditPrice),
		prompt: quotePrompt(prompt),
	};
	return {
		question: { key: "request.confirmCost", params },
		buttons: [
			{ action: "confirm", label: t(locale, { key: "button.confirm", params: { costCredits } }) },
			{ action: "decline", label: t(locale, { key: "button.cancel" }) },
		],
	};
}
