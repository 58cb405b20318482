import type { helpTexts as english } from "../en/help.ts";
import type { Translation } from "../../translation.ts";
import { MEDIA, andMore, command, credits, managing, option, number } from "./words.ts";

export const helpTexts: Translation<typeof english> = {
	helpMedium: (p) => `${command(p.mediaType)} — ${MEDIA[p.mediaType]} 만들기: ${p.models}${andMore(p.more)}.`,
	helpMediumNone: (p) => `${command(p.mediaType)} — 지금은 ${MEDIA[p.mediaType]} 만들기를 할 수 없어요.`,
	helpMediumOff: (p) => `${command(p.mediaType)} — 이 서버의 관리자가 ${MEDIA[p.mediaType]} 만들기를 껐어요.`,
	helpModel: (p) => `${p.model}(${credits(p.costCredits)})`,
	helpPrices: `-# 다른 옵션이 없을 때의 가격이에요. 입력하는 동안 ${option("model")}, ${option("resolution")} 옵션에서 다른 가격을 볼 수 있어요.`,
	helpNotHere: (p) => `**지금 여기서는 안 돼요**: ${p.reason}`,
	helpResults: `**결과**는 명령어의 답장으로 채널의 모두에게 보여요. 15분 넘게 걸리는 것도 그곳이나 다이렉트 메시지로 와요. ${command("job", "get")} 명령어는 파일을 나에게만 한 번 더 보여 줘요.`,
	helpCancel: `**취소**하려면 ${command("job", "cancel")} 명령어를 쓰세요. 만들지 않은 것은 청구하지 않아요. ${command("job", "list")} 명령어는 요청한 것을 모두 보여 줘요.`,
	helpStyles: (p) =>
		`**스타일**: 이 서버에는 ${number(p.styles)}개 있어요. 입력하는 동안 ${option("style")} 옵션에 나오고, ${command("style", "list")} 명령어로 볼 수 있어요.`,
	helpManagers: `**서버를 관리하는 사람에게**: ${managing}, ${command("credits", "grant")}, ${command("credits", "revoke")}.`,
};
