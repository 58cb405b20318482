import type { privacyTexts as english } from "../en/privacy.ts";
import type { Translation } from "../../translation.ts";
import { command, number } from "./words.ts";

export const privacyTexts: Translation<typeof english> = {
	privacyDescription: "이 봇이 이 서버에서 나에 대해 보관하는 것",
	privacyExportDescription: "모두 파일로 받기",
	privacyDeleteDescription: "요청한 내용과 파일 삭제",
	privacyExported: (p) =>
		`이 봇이 이 서버에서 나에 대해 보관하는 모든 것이 파일에 있어요: 요청 ${number(p.tasks)}개, 비용, 한도, 신고.${p.isCut ? " 더 오래된 요청은 담지 못했어요." : ""} 요청은 끝난 뒤 ${number(p.days)}일이 지나면 삭제돼요. ${command("privacy", "delete")}로 지금 삭제할 수 있어요.`,
	privacyDeleteAsk: (p) =>
		`이 서버에서 요청한 것 중 끝난 것을 글과 파일까지 삭제해요. 그대로 두면 ${number(p.days)}일 뒤에 삭제돼요. 그 결과 아래의 버튼은 더 이상 작동하지 않아요. 메시지 자체는 남으니 Discord에서 삭제하세요. 크레딧을 썼다는 기록은 글 없이 서버 장부에 남아요.`,
	privacyDeleted: (p) =>
		`삭제됨: ${number(p.forgotten)}개.${p.stillOpen === 0 ? "" : ` 아직 만드는 중: ${number(p.stillOpen)}개. 끝난 뒤 다시 하거나 ${command("job", "cancel")}을 쓰세요.`}`,
	buttonForget: "모두 삭제",
};
