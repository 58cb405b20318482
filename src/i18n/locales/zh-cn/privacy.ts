import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "此机器人在本服务器保存的关于你的内容",
	privacyExportDescription: "全部，以文件形式",
	privacyDeleteDescription: "删除你请求过的内容和文件",
	privacyExported: (p) =>
		`此机器人在本服务器保存的关于你的一切都在文件里：${number(p.tasks)} 个任务、花费、限额和举报。${p.isCut ? "更早的任务放不下了。" : ""}任务在结束 ${number(p.days)} 天后删除；${command("privacy", "delete")} 可立即删除。`,
	privacyDeleteAsk: (p) =>
		`这会删除你在本服务器请求过的、已经结束的内容，包括文字和文件；否则 ${number(p.days)} 天后才会删除。那些结果下的按钮将不再可用。消息本身会保留：请在 Discord 中删除。花费过积分这一点会留在服务器账目中，但不含你的文字。`,
	privacyDeleted: (p) =>
		`已删除：${number(p.forgotten)}。${p.stillOpen === 0 ? "" : `仍在制作：${number(p.stillOpen)}；完成后再来一次，或使用 ${command("job", "cancel")}。`}`,
	buttonForget: "全部删除",
};
