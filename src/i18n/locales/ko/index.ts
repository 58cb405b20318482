/**
 * Korean. Words that stay the same everywhere: credit = 크레딧, task or job = 작업, model = 모델, prompt = 프롬프트, seed = 시드,
 * moderators = 운영진, admins = 관리자, who runs the bot = 봇 운영자, the service = 생성 서비스, set aside = 보류,
 * charged = 청구. Sentences are polite and friendly (해요), as Discord does.
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

export const ko: Translation<typeof en> = {
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
