import type { BaseInteraction } from "discord.js";
import type { Submission } from "../../services/tasks/submission-service.ts";
import { UserError } from "../../services/user-error.ts";
import type { CommandServices } from "../command-services.ts";
import { INPUT_CHARS_MAX, submittedValues } from "../framework/form-fields.ts";
import { PromptDenialError } from "../framework/typed-texts.ts";

/**
 * Stores a submission whose prompt was denied as a draft, if the member typed the prompt: the form that edits the prompt reads the
 * other options from it. Resolves to the error to throw.
 */
export async function storeDeniedPrompt(
	error: unknown,
	interaction: BaseInteraction,
	{ submission, offersImprovedPrompt }: { readonly submission: Submission; readonly offersImprovedPrompt: boolean },
	{ drafts }: CommandServices,
): Promise<unknown> {
	if (!(error instanceof UserError) || error.remedy !== "editPrompt") return error;
	const hasTypedPrompt = typedPrompt(interaction) !== undefined;
	if (!hasTypedPrompt || submission.request.prompt.length > INPUT_CHARS_MAX) return error;
	await drafts.add(submission, offersImprovedPrompt ? { isToBeImproved: true } : {});
	return new PromptDenialError(error, submission.id);
}

function typedPrompt(interaction: BaseInteraction): string | undefined {
	if (interaction.isChatInputCommand()) return interaction.options.getString("prompt") ?? undefined;
	return interaction.isModalSubmit() ? submittedValues(interaction.fields)["prompt"]?.[0] : undefined;
}
