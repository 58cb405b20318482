/** Returns denied texts to the member who typed them, to copy or edit instead of typing them again. */
import { AttachmentBuilder, codeBlock, escapeCodeBlock, type BaseInteraction } from "discord.js";
import { t } from "../../i18n/messages.ts";
import { WRITTEN_OPTIONS } from "../../services/settings/server-policy.ts";
import { UserError, type Remedy } from "../../services/user-error.ts";
import { typedTexts } from "./form-fields.ts";

/** Longer texts are attached as a file: a message has at most 2,000 characters, the denial included. */
const CODE_CHARS_MAX = 1200;

/** A denied prompt that is stored as a draft, so that the member can edit it in a form. */
export class PromptDenialError extends UserError {
	readonly draftId: string;

	constructor(denial: UserError, draftId: string) {
		super({ ...denial.messageDescriptor, remedy: "editPrompt" });
		this.draftId = draftId;
	}
}

/**
 * Shows the texts of a denied form, or of a command that was denied for one of them, to copy instead of typing them again; `undefined`
 * without any.
 */
export function renderTypedTexts(interaction: BaseInteraction, remedy: Remedy | undefined, locale: string) {
	const isDeniedForText = remedy === "editPrompt" || remedy === "editTexts";
	const texts = interaction.isModalSubmit() || isDeniedForText ? textsTypedIn(interaction) : [];
	if (texts.length === 0) return undefined;
	const heading = t(locale, { key: "request.youTyped" });
	const code = texts.map((each) => codeBlock(escapeCodeBlock(each))).join("\n");
	if (code.length <= CODE_CHARS_MAX) return { text: `${heading}\n${code}`, files: [] };
	return { text: heading, files: [new AttachmentBuilder(Buffer.from(texts.join("\n\n")), { name: "typed.txt" })] };
}

function textsTypedIn(interaction: BaseInteraction): readonly string[] {
	if (interaction.isModalSubmit()) return typedTexts(interaction.fields);
	if (!interaction.isChatInputCommand()) return [];
	return ["prompt", ...WRITTEN_OPTIONS].flatMap((name) => interaction.options.getString(name) ?? []);
}
