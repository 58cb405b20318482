import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { answerTo, isPrivate, generateImage } from "./replies.ts";
import { CREDITS_AFTER_IMAGE, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";

/** Opens a server in English with Lena, whose Discord is in German, and Yuki, whose Discord is in Japanese. */
async function setup() {
	const { atelier, owner, open } = await openAtelierWithMembers();
	return { atelier, owner, lena: await open("Lena"), yuki: await open("Yuki") };
}

test("private messages are in the language of their member", async () => {
	const { lena, yuki } = await setup();
	const german = await generateImage(lena, { private: true });
	expect(isPrivate(german)).toBe(true);
	expect(textOf(german)).toContain(`4 Credits · noch ${CREDITS_AFTER_IMAGE}`);
	expect(textOf(await generateImage(yuki, { private: true }))).toContain("4クレジット · 残り492");
	expect(await answerTo(lena, "/credits show")).toContain("Dieser Server hat noch **492** Credits.");
	expect(await answerTo(lena, "/help")).toMatch(/<\/image:\d+> generiert Bilder: .* \(4 Credits\)/);
	expect(await answerTo(lena, "/image", { prompt: " " })).toContain("Der Prompt ist leer.");
});

test("public messages are in the language of the server in Discord, or in the one that its admins chose", async () => {
	const { atelier, owner, lena, yuki } = await setup();
	expect(textOf(await generateImage(lena))).toContain(`4 credits · ${CREDITS_AFTER_IMAGE} left`);
	await openAdminClient(atelier.origin).setGuild({ locale: "fr" });
	expect(textOf(await generateImage(yuki))).toContain("4 crédits · il en reste 492");
	await answerTo(owner, "/settings general", { language: "ko" });
	expect(textOf(await generateImage(lena))).toContain("4크레딧 · 488크레딧 남음");
	await answerTo(owner, "/settings general", { log_channel: await channelIdOf(owner, "general") });
	const texts = (await owner.messages()).map((message) => textOf(message));
	expect(texts).toContain("이제 이 서버의 설정 변경이 여기에 기록돼요.");
});
