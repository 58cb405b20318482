/** Shows a denied prompt to the member who typed it, to copy or edit instead of typing it again. */
import { AttachmentBuilder, codeBlock, escapeCodeBlock, type BaseInteraction } from "discord.js";
import type { MessageKey } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import type { UnconfirmedRequests } from "../services/tasks/unconfirmed-requests.ts";
import type { TaskRequest } from "../services/tasks/task-service.ts";
import { UserError } from "../services/user-error.ts";
import { INPUT_CHARS_MAX } from "./form-fields.ts";

/** Denials that another prompt avoids. */
const PROMPT_DENIAL_KEYS: ReadonlySet<MessageKey> = new Set([
	"access.wordBlocked",
	"access.promptRejected",
	"access.promptAgeRestricted",
]);
/** A longer prompt is attached as a file: a message has at most 2,000 characters, the denial included. */
const CODE_CHARS_MAX = 1200;

/** A denied prompt whose request is stored, so that the member can edit the prompt in a form. */
export class PromptDenialError extends UserError {
	readonly draftId: string;

	constructor(denial: UserError, draftId: string) {
		super(denial.messageDescriptor);
		this.draftId = draftId;
	}
}

/**
 * Stores the request of a denied prompt if the member typed it, as a draft: the form that edits the prompt reads the other options from it.
 * Resolves to the error to throw.
 */
export async function withDraft(
	error: unknown,
	interaction: BaseInteraction,
	task: TaskRequest,
	{ unconfirmedRequests }: { readonly unconfirmedRequests: Pick<UnconfirmedRequests, "add"> },
): Promise<unknown> {
	if (!(error instanceof UserError) || !PROMPT_DENIAL_KEYS.has(error.messageDescriptor.key)) return error;
	const isTyped = typedPrompt(interaction) !== undefined;
	if (!isTyped || task.request.prompt.length > INPUT_CHARS_MAX) return error;
	await unconfirmedRequests.add(task);
	return new PromptDenialError(error, task.id);
}

interface ReturnedPrompt {
	/** Appended to the denial. */
	readonly text: string;
	readonly files: readonly AttachmentBuilder[];
}

/** Shows a denied prompt again; `undefined` for other denials, and for buttons, whose prompt was not typed. */
export function returnPrompt(
	interaction: BaseInteraction,
	denial: MessageKey,
	locale: string,
): ReturnedPrompt | undefined {
	const prompt = PROMPT_DENIAL_KEYS.has(denial) ? typedPrompt(interaction) : undefined;
	if (prompt === undefined) return undefined;
	const heading = t(locale, { key: "access.yourPrompt" });
	const code = codeBlock(escapeCodeBlock(prompt));
	if (code.length <= CODE_CHARS_MAX) return { text: `${heading}\n${code}`, files: [] };
	return { text: heading, files: [new AttachmentBuilder(Buffer.from(prompt), { name: "prompt.txt" })] };
}

function typedPrompt(interaction: BaseInteraction): string | undefined {
	if (interaction.isChatInputCommand()) return interaction.options.getString("prompt") ?? undefined;
	if (!interaction.isModalSubmit()) return undefined;
	const field = interaction.fields.fields.get("prompt");
	return field && "value" in field && typeof field.value === "string" ? field.value : undefined;
}
