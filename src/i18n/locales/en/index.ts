/**
 * Every sentence in English: the catalog that the others follow. A value is text, or a function of exactly what it
 * needs. What a member typed arrives here already quoted (`quote.ts`).
 */
import { adminTexts } from "./admin.ts";
import { answerTexts } from "./answers.ts";
import { buttonTexts } from "./buttons.ts";
import { commandTexts } from "./commands.ts";
import { creditTexts } from "./credits.ts";
import { helpTexts } from "./help.ts";
import { jobTexts } from "./jobs.ts";
import { moderationTexts } from "./moderation.ts";
import { privacyTexts } from "./privacy.ts";
import { serverTexts } from "./server.ts";

export const en = {
	...commandTexts,
	...answerTexts,
	...jobTexts,
	...buttonTexts,
	...creditTexts,
	...serverTexts,
	...helpTexts,
	...adminTexts,
	...moderationTexts,
	...privacyTexts,
} as const;
