import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} 生成${MEDIA[p.mediaType]}：${p.models}${andMore(p.more)}。`,
	helpMediumNone: (p) => `${command(p.mediaType)} 目前无法生成${MEDIA[p.mediaType]}。`,
	helpMediumOff: (p) => `${command(p.mediaType)} 已关闭：本服务器的管理员不允许生成${MEDIA[p.mediaType]}。`,
	helpModel: (p) => `${p.model}（${credits(p.costCredits)}）`,
	helpPrices: `-# 这是不带其他选项的价格；输入时 ${option("model")} 和 ${option("resolution")} 会显示其他价格。`,
	helpNotHere: (p) => `**此时此地不可用**：${p.reason}`,
	helpResults: `**结果**会出现在对你命令的回复里，频道里的人都能看到。超过 15 分钟的也会发在那里，或私信给你。${command("job", "get")} 可以再取一次文件，只有你能看到。`,
	helpCancel: `**要取消**请用 ${command("job", "cancel")}；没有生成就不扣费。${command("job", "list")} 显示你请求过的所有内容。`,
	helpStyles: (p) =>
		`**风格**：本服务器有 ${number(p.styles)} 个；输入时 ${option("style")} 会列出，${command("style", "list")} 可查看全部。`,
	helpManagers: `**供服务器管理者使用**：${managing}, ${command("credits", "grant")}, ${command("credits", "revoke")}。`,
};
