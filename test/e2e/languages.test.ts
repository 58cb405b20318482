import { MessageFlags } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "./start-atelier.ts";
import { onTestFinished } from "vitest";
import { answerTo } from "./server.ts";

/** A server in English; Lena, whose Discord is in German; Yuki, whose Discord is in Japanese. */
async function openServerWithMembers() {
	const { atelier, userClient: admin } = await openAtelier({ engine: createFakeEngine() });
	const { members } = await admin.state();
	const open = async (name: string): Promise<UserClient> => {
		const user = members.find((member) => member.user.global_name === name)?.user.id ?? "nobody";
		const userClient = await openUserClient(atelier.origin, { user });
		onTestFinished(() => userClient.close());
		return userClient;
	};
	return { admin, lena: await open("Lena"), yuki: await open("Yuki"), adminClient: openAdminClient(atelier.origin) };
}

const completed = async (userClient: UserClient, options: object = {}) =>
	(await userClient.type("/image", { prompt: "a boat", ...options })).until();

describe("private messages", () => {
	test("are in the member's language: an ephemeral image in German, and one in Japanese", async () => {
		const { lena, yuki } = await openServerWithMembers();
		const german = await completed(lena, { private: true });
		expect((german.flags ?? 0) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
		expect(german.content).toContain("4 Credits · noch 496 übrig");
		expect((await completed(yuki, { private: true })).content).toContain("4クレジット · 残り492");
	});

	test("are in the member's language: help, balance and denials", async () => {
		const { lena, yuki } = await openServerWithMembers();
		expect(await answerTo(lena, "/credits show")).toContain("Dieser Server hat noch **500** Credits.");
		expect(await answerTo(yuki, "/credits show")).toContain("このサーバーの残りは**500**クレジットです。");
		const help = await answerTo(lena, "/help");
		expect(help).toMatch(/`\/bild` macht Bilder: .* \(4 Credits\)/);
		expect(help).toContain("`/auftrag abbrechen`");
		expect(await answerTo(lena, "/image", { prompt: " ", private: true })).toContain("In diesem Prompt steht nichts.");
	});
});

describe("public messages", () => {
	test("use the guild's language in Discord, for any member", async () => {
		const { lena, yuki, adminClient } = await openServerWithMembers();
		expect((await completed(lena)).content).toContain("4 credits · 496 left");
		await adminClient.setGuild({ locale: "fr" });
		expect((await completed(yuki)).content).toContain("4 crédits · encore 492");
		expect(await answerTo(lena, "/image", { prompt: " " })).toContain("In diesem Prompt steht nichts.");
	});

	test("use the language that the admins chose, whatever the guild has in Discord", async () => {
		const { admin, lena, adminClient } = await openServerWithMembers();
		await adminClient.setGuild({ locale: "fr" });
		await answerTo(admin, "/settings general", { language: "ko" });
		expect((await completed(lena)).content).toContain("4크레딧 · 496 남음");
		const channelId = (await admin.state()).channels[0]?.id;
		await answerTo(admin, "/settings general", { log_channel: channelId });
		const said = (await admin.messages()).map(({ content }) => content);
		expect(said).toContain("이제부터 이 서버의 설정이 바뀔 때마다 여기에 알려요.");
	});
});

test("commands are registered with the names and descriptions of every language", async () => {
	const { admin } = await openServerWithMembers();
	const { commands } = await admin.state();
	const image = commands.find(({ name }) => name === "image");
	expect(image?.name_localizations).toMatchObject({ de: "bild", "es-419": "imagen", ja: "画像", "zh-CN": "图片" });
	expect(image?.description_localizations).toMatchObject({ de: "Ein Bild aus Worten machen" });
});
