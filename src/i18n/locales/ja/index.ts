/**
 * Japanese. Words that stay the same everywhere: credit = クレジット, task or job = タスク, model = モデル, prompt = プロンプト,
 * seed = シード, moderators = モデレーター, admins = 管理者, who runs the bot = ボットの運営者, the service = 生成サービス,
 * set aside = 確保, charged = 請求. Sentences are polite (です, ます).
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

export const ja: Translation<typeof en> = {
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
