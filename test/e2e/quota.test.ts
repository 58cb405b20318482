import { expect, test } from "vitest";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { serverCreditsLeft, CREDITS_AFTER_IMAGE, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, answerToImage, finalReply, openForm, replyWithText, plainText, pressSetting } from "./replies.ts";

test("of several roles, the highest limit applies, and the denial states the remaining credits and the next reset", async () => {
	const { owner, ada, grace, roleId } = await openAtelierWithMembers();
	await answerTo(owner, "/quota member", { credits: 0, per: "week" });
	await answerTo(owner, "/quota role", { role: roleId("Artists"), credits: 4 });
	await answerTo(owner, "/quota role", { role: roleId("Patrons"), credits: 9 });
	expect(await answerToImage(ada)).toContain(`${CREDITS_AFTER_IMAGE} left`);
	expect(await answerToImage(ada)).toContain("492 left");
	expect(await answerToImage(ada)).toMatch(
		/^You have 1 of 9 credits left this week, and this costs 4\. Your limit resets <t:\d+:R>\./,
	);
	expect(await answerToImage(grace)).toContain("488 left");
	expect(await answerToImage(owner)).toContain("don't have any credits in this server");
	await answerTo(owner, "/quota member", { member: grace.me.user.id, credits: 3 });
	expect(await answerToImage(grace)).toContain("This costs 4 credits, and your limit is 3 per week.");
});

test("a limit of one media type limits that media type only", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	await answerTo(owner, "/quota media_type", { media_type: "image", credits: 4 });
	expect(await answerToImage(ada)).toContain(`${CREDITS_AFTER_IMAGE} left`);
	expect(await answerToImage(ada)).toContain("You have 0 of 4 credits for images left today");
	expect(await answerTo(ada, "/music", { prompt: "a lullaby" })).toContain("491 left");
});

test("/quota show lists all limits with their use", async () => {
	const { owner, ada, roleId } = await openAtelierWithMembers();
	const warnChannelId = (await owner.state()).channels[0]?.id;
	const serverLimitOptions = { credits: 1000, per: "month", unused: "carryOver", time_zone: "europe/berlin" };
	await answerTo(owner, "/quota server", { ...serverLimitOptions, warn_channel: warnChannelId });
	await answerTo(owner, "/quota member", { credits: 10, per: "day" });
	await answerTo(owner, "/quota role", { role: roleId("Artists"), unlimited: true });
	await answerTo(owner, "/quota member", { member: ada.me.user.id, credits: 20 });
	await answerTo(owner, "/quota media_type", { media_type: "video", credits: 8 });
	await answerToImage(ada);
	const content = await answerTo(owner, "/quota show");
	expect(content.replaceAll(/<t:\d+:R>/g, "<soon>").split("\n")).toStrictEqual([
		`This server has **${CREDITS_AFTER_IMAGE}** credits left.`,
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

test("contradictory and missing options are denied with a reason, and time zones are suggested", async () => {
	const { owner } = await openAtelierWithMembers();
	const denials = [
		["/quota server", {}, "Choose at least one option."],
		["/quota server", { credits: 5, unlimited: true }, "Choose either `credits` or `unlimited`."],
		["/quota server", { per: "day" }, "There's no server limit to reset."],
		["/quota server", { time_zone: "system" }, "Choose a time zone such as"],
		["/quota member", { credits: 5, clear: true }, "Choose exactly one of `credits`, `unlimited` and `clear`."],
		["/quota media_type", { media_type: "video" }, "Choose either `credits` or `clear`."],
	] as const;
	for (const [command, options, reason] of denials) expect(await answerTo(owner, command, options)).toContain(reason);
	const choices = await owner.autocomplete("/quota server", { time_zone: "new yo" }, "time_zone");
	expect(choices).toStrictEqual([{ name: "America/New_York", value: "America/New_York" }]);
});

test("commands for managers and their panels need an override that allows a role; grants stay with managers", async () => {
	const { owner, ada, grace, roleId } = await openAtelierWithMembers();
	const unknown = "Unknown command /quota, or you may not use it here";
	await expect(ada.type("/quota show")).rejects.toThrow(unknown);
	await owner.permit("/quota", [{ id: roleId("Patrons"), type: 1, permission: true }]);
	const panel = await finalReply(ada.type("/quota show"));
	const form = await openForm(pressSetting(ada, panel, "1:limit:memberLimit"));
	await replyWithText(ada.submit(form, { credits: "20", per: ["day"] }), "**Member limit**: 20 credits per day");
	await expect(grace.type("/quota show")).rejects.toThrow(unknown);
	await expect(ada.type("/balance grant", { amount: 5, reason: "for me" })).rejects.toThrow("may not use it here");
	await owner.permit("/balance", [{ id: roleId("Patrons"), type: 1, permission: true }]);
	expect(await answerTo(ada, "/balance grant", { amount: 5, reason: "for me" })).toBe(
		"You need the Manage Server permission for that.",
	);
	expect(await serverCreditsLeft(ada)).toBe(500);
});

test("the panel of /quota changes a limit with its form, and shows why a value is denied", async () => {
	const { owner } = await openAtelierWithMembers();
	let panel = await finalReply(owner.type("/quota show"));
	const openField = (field: string) => openForm(pressSetting(owner, panel, `1:limit:${field}`));
	const noticesId = await channelIdOf(owner, "notices");
	for (const [field, input, shown] of [
		["serverLimit", { credits: "1,000", per: ["week"] }, "**Server limit**: 0 of 1,000 credits used this week"],
		["mediaLimits", { video: "8" }, "**Video limit**: 8 credits per member per day"],
		["warnings", { value: [noticesId] }, `The bot can't post in <#${noticesId}>.`],
	] as const)
		panel = await replyWithText(owner.submit(await openField(field), input), shown);
	await replyWithText(pressSetting(owner, panel, "1:limit:unused"), "unused credits carry over");

	panel = await replyWithText(owner.submit(await openField("timeZone"), { zone: "Atlantis" }), "⚠️");
	expect(plainText(textOf(panel))).toMatch(/\*\*Time zone\*\*: UTC\n⚠️ .*Atlantis/);
	const corrected = owner.submit(await openField("timeZone"), { zone: "europe/berlin" });
	await replyWithText(corrected, "**Time zone**: Europe/Berlin");
});
