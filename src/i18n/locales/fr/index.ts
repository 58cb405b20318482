/**
 * French. Words that stay the same everywhere: credit = crédit, task or job = tâche, model = modèle, prompt = prompt, seed =
 * graine, moderators = modération, admins = admins, who runs the bot = les responsables de ce bot, the service = le service
 * de création, set aside = mis de côté, charged = facturé. People are called "tu", as Discord does.
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

export const fr: Translation<typeof en> = {
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
