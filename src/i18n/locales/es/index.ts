/**
 * Spanish, for Spain and Latin America alike. Words that stay the same everywhere: credit = crédito, task or job = tarea,
 * model = modelo, prompt = prompt, seed = semilla, moderators = moderación, admins = admins, who runs the bot = los
 * responsables de este bot, the service = el servicio de creación, set aside = en reserva, charged = cobrado. People are
 * called "tú", and never by a plural that only one side of the ocean uses.
 */
import type { en } from "../en/index.ts";
import type { Translation } from "../../translation.ts";
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

export const es: Translation<typeof en> = {
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
};
