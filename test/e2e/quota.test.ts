import { join } from "node:path";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { creditsLeft, newFolder } from "./start-atelier.ts";
import { answerTo, channelId, image, openServer, plain } from "./server.ts";

describe("a quota", () => {
	test("of the highest role of a member applies, and the denial names the rest and the next reset", async () => {
		const { admin, ada, grace, roleId } = await openServer();
		await answerTo(admin, "/quota member", { credits: 0, per: "week" });
		await answerTo(admin, "/quota role", { role: roleId("Artists"), credits: 4 });
		await answerTo(admin, "/quota role", { role: roleId("Patrons"), credits: 9 });
		expect(await image(ada)).toContain("496 left");
		expect(await image(ada)).toContain("492 left");
		expect(await image(ada)).toMatch(
			/^You have 1 of 9 credits left this week, and this costs 4\. Your limit resets <t:\d+:R>\./,
		);
		expect(await image(grace)).toContain("488 left");
		expect(await image(grace)).toContain("You have 0 of 4 credits left this week");
		expect(await image(admin)).toContain("don't have any credits in this server");
		expect(await creditsLeft(admin)).toBe(488);
	});

	test("of a role applies after a restart, before the bot has seen any role", async () => {
		const folder = await newFolder();
		const env = { STORE_URL: `sqlite:${join(folder, "atelier.db")}`, DATA_DIR: folder };
		const before = await openServer({ env });
		await answerTo(before.admin, "/quota member", { credits: 0 });
		await answerTo(before.admin, "/quota role", { role: before.roleId("Artists"), credits: 4 });
		await before.stop();
		const { grace } = await openServer({ env });
		expect(await image(grace)).toContain("496 left");
	});

	test("of one member precedes those of roles, until it is cleared", async () => {
		const { admin, ada, roleId } = await openServer();
		await answerTo(admin, "/quota role", { role: roleId("Patrons"), unlimited: true });
		await answerTo(admin, "/quota member", { member: ada.me.user.id, credits: 3 });
		expect(await image(ada)).toContain("This costs 4 credits, and your limit is 3 per day. Choose something cheaper");
		await answerTo(admin, "/quota member", { member: ada.me.user.id, clear: true });
		expect(await image(ada)).toContain("496 left");
	});

	test("of one medium limits that medium only", async () => {
		const { admin, ada } = await openServer();
		await answerTo(admin, "/quota medium", { medium: "image", credits: 4 });
		expect(await image(ada)).toContain("496 left");
		expect(await image(ada)).toContain("You have 0 of 4 credits for images left today");
		expect(await answerTo(ada, "/music", { prompt: "a lullaby" })).toContain("491 left");
	});

	test("for three images allows exactly three of ten concurrent commands", async () => {
		const { admin, ada } = await openServer();
		await answerTo(admin, "/quota member", { credits: 12 });
		const answers = await Promise.all(Array.from({ length: 10 }, () => image(ada)));
		expect(answers.filter((content) => content.includes("4 credits ·"))).toHaveLength(3);
		expect(answers.filter((content) => content.includes("of 12 credits left today"))).toHaveLength(7);
		expect(await creditsLeft(admin)).toBe(500 - 12);
	});

	test("is returned when the generation fails", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: false }] });
		const { admin, ada } = await openServer({ engine });
		await answerTo(admin, "/quota member", { credits: 4 });
		expect(await image(ada)).toContain("No credits were charged.");
		expect(await answerTo(ada, "/credits show")).toContain("You have **4** of 4 credits left today.");
		expect(await image(ada)).toContain("496 left");
		expect(await answerTo(ada, "/credits show")).toContain("You have **0** of 4 credits left today. Your limit resets");
	});
});

test("/quota show lists all limits with their use", async () => {
	const { admin, ada, roleId } = await openServer();
	const warnChannelId = (await admin.state()).channels[0]?.id;
	const server = { credits: 1000, per: "month", unused: "carryOver", time_zone: "europe/berlin" };
	await answerTo(admin, "/quota server", { ...server, warn_channel: warnChannelId });
	await answerTo(admin, "/quota member", { credits: 10, per: "day" });
	await answerTo(admin, "/quota role", { role: roleId("Artists"), unlimited: true });
	await answerTo(admin, "/quota member", { member: ada.me.user.id, credits: 20 });
	await answerTo(admin, "/quota medium", { medium: "video", credits: 8 });
	await image(ada);
	const content = await answerTo(admin, "/quota show");
	expect(content.replaceAll(/<t:\d+:R>/g, "<soon>").split("\n")).toStrictEqual([
		"This server has **496** credits left.",
		"**Monthly credits**: 500 · next <soon> · unused credits carry over",
		"**Server limit**: 4 of 1,000 credits used this month · resets <soon>",
		"**Member limit**: 10 credits per day",
		"**Video limit**: 8 credits per member per day",
		"**Time zone**: Europe/Berlin",
		`**Credit warnings**: at 80% and 100% in <#${warnChannelId}>`,
		`**Role limits** (the highest applies): <@&${roleId("Artists")}> no limit`,
		`**Member exceptions**: <@${ada.me.user.id}> 4 of 20 used`,
	]);
});

test("contradictory options are denied with a reason", async () => {
	const { admin } = await openServer();
	const denials = [
		["/quota server", {}, "Choose at least one option."],
		["/quota server", { credits: 5, unlimited: true }, "Choose either `credits` or `unlimited`."],
		["/quota server", { per: "day" }, "There's no server limit to reset."],
		["/quota server", { time_zone: "system" }, "Choose a time zone such as"],
		["/quota member", { credits: 5, clear: true }, "Choose one of `credits`, `unlimited` and `clear`."],
		["/quota medium", { medium: "video" }, "Choose either `credits` or `clear`."],
	] as const;
	for (const [command, options, reason] of denials) expect(await answerTo(admin, command, options)).toContain(reason);
	const choices = await admin.autocomplete("/quota server", { time_zone: "new yo" }, "time_zone");
	expect(choices).toStrictEqual([{ name: "America/New_York", value: "America/New_York" }]);
});

test("commands for managers are hidden from members, unless an override allows a role; grants stay with managers", async () => {
	const { admin, ada, grace, roleId } = await openServer();
	const unknown = "Unknown command /quota, or you may not use it here";
	await expect(ada.type("/quota show")).rejects.toThrow(unknown);
	await admin.permit("/quota", [{ id: roleId("Patrons"), type: 1, permission: true }]);
	expect(await answerTo(ada, "/quota show")).toContain("**Member limit**");
	await expect(grace.type("/quota show")).rejects.toThrow(unknown);
	await expect(ada.type("/balance grant", { amount: 5, reason: "for me" })).rejects.toThrow("may not use it here");
	await admin.permit("/balance", [{ id: roleId("Patrons"), type: 1, permission: true }]);
	expect(await answerTo(ada, "/balance grant", { amount: 5, reason: "for me" })).toBe(
		"You need the Manage Server permission for that.",
	);
	expect(await creditsLeft(ada)).toBe(500);
});

const press = (field: string) => ({ customId: `1:limit:${field}` });
const shows = (words: string) => (message: APIMessage) => textOf(message).includes(words);

describe("the panel of /quota", () => {
	test("changes each limit with its form, and shows it in place", async () => {
		const { admin } = await openServer();
		const panel = await (await admin.type("/quota show")).until(isFinalReply);
		expect(textOf(panel)).toContain("**Limits by media type**: none");
		const server = await (await admin.press(panel, press("serverLimit"))).modal();
		const limited = await admin.submit(server, { credits: "1,000", per: ["week"] });
		await limited.until(shows("**Server limit**: 0 of 1,000 credits used this week"));
		const member = await (await admin.press(panel, press("memberLimit"))).modal();
		await (
			await admin.submit(member, { credits: "20", per: ["day"] })
		).until(shows("**Member limit**: 20 credits per day"));
		const media = await (await admin.press(panel, press("mediaLimits"))).modal();
		await (await admin.submit(media, { video: "8" })).until(shows("**Video limit**: 8 credits per member per day"));
		const gallery = await channelId(admin, "gallery");
		const warnings = await (await admin.press(panel, press("warnings"))).modal();
		await (await admin.submit(warnings, { channel: [gallery] })).until(shows(`in <#${gallery}>`));
		await (await admin.press(panel, press("unused"))).until(shows("unused credits carry over"));
		const off = await (await admin.press(panel, press("serverLimit"))).modal();
		await (await admin.submit(off, { credits: "", per: ["week"] })).until(shows("**Server limit**: none"));
	});

	test("says that a time zone does not exist, and keeps what was typed", async () => {
		const { admin } = await openServer();
		const panel = await (await admin.type("/quota show")).until(isFinalReply);
		const form = await (await admin.press(panel, press("timeZone"))).modal();
		const denied = await (await admin.submit(form, { zone: "Atlantis" })).until(shows("⚠️"));
		expect(plain(textOf(denied))).toMatch(/\*\*Time zone\*\*: UTC\n⚠️ .*Atlantis/);
		const again = await (await admin.press(denied, press("timeZone"))).modal();
		expect(JSON.stringify(again.components)).toContain('"value":"Atlantis"');
		await (await admin.submit(again, { zone: "europe/berlin" })).until(shows("**Time zone**: Europe/Berlin"));
	});
});
