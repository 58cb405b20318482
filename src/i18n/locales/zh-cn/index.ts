/**
 * Simplified Chinese. Words that stay the same everywhere: credit = 积分, task or job = 任务, model = 模型, prompt = 提示词,
 * seed = 种子, moderators = 管理人员, admins = 管理员, who runs the bot = 机器人运营者, the service = 生成服务,
 * set aside = 预留, charged = 扣费, 扣除. People are called 你.
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

export const zhCn: Translation<typeof en> = {
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
