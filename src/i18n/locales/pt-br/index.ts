/**
 * Brazilian Portuguese. Words that stay the same everywhere: credit = crédito, task or job = tarefa, model = modelo, prompt =
 * prompt, seed = semente, moderators = moderação, admins = admins, who runs the bot = os responsáveis por este bot, the
 * service = o serviço de criação, set aside = em reserva, charged = cobrado. People are called "você".
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

export const ptBr: Translation<typeof en> = {
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
