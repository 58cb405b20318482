import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { labelsOf } from "@atelier/playground/user-client";
import { channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, isPrivate, replyWithText } from "./replies.ts";

test("/help tells the member alone which commands are available, their prices and the balance", async () => {
	const { ada } = await openAtelierWithMembers();
	const help = await (await ada.type("/help")).until();
	expect(isPrivate(help)).toBe(true);
	for (const command of ["image", "video", "music"])
		expect(textOf(help)).toMatch(new RegExp(`</${command}:\\d+> generates .*credit`));
	expect(textOf(help)).toMatch(/This server has \*\*500\*\* credits left\.[^]*The next 500 arrive <t:\d+:R>/);
	expect(textOf(help)).toMatch(/<\/job cancel:\d+>/);
	expect(textOf(help)).toContain("**Results**");
	expect(textOf(help)).not.toContain("/settings");
});

test("/help has guides, and names the commands of managers to managers only, as far as the operator lets them grant credits", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	const help = await (await ada.type("/help")).until();
	expect(labelsOf(help)).toEqual(["Overview", "Prompts", "Results"]);
	const guide = await replyWithText(ada.press(help, { label: "Prompts" }), "**Better prompts**");
	expect(textOf(guide)).toContain("`seed`");
	const results = await replyWithText(ada.press(guide, { label: "Results" }), "**Your results**");
	expect(textOf(results)).toMatch(/<\/gallery favorites:\d+>/);
	await replyWithText(ada.press(results, { label: "Overview" }), "This server has **500** credits left.");
	const forAdmins = await (await owner.type("/help")).until();
	expect(textOf(forAdmins)).toMatch(/\*\*For admins\*\*: <\/setup:\d+>, <\/settings show:\d+>/);
	expect(textOf(forAdmins)).toMatch(/<\/balance grant:\d+> and <\/balance revoke:\d+>\./);
	const tour = await replyWithText(owner.press(forAdmins, { label: "For admins" }), "step by step");
	expect(textOf(tour)).toMatch(/<\/setup:\d+>/);
	const granting = await openAtelierWithMembers({ env: { CREDITS_GRANTED_BY: "operator" } });
	expect(await answerTo(granting.owner, "/help")).toMatch(/<\/style list:\d+> and <\/balance revoke:\d+>\./);
});

test("/help names disabled media, limits and a pause", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	await answerTo(owner, "/settings media", { video: false });
	await answerTo(owner, "/quota member", { credits: 9, per: "week" });
	const help = await answerTo(ada, "/help");
	expect(help).toMatch(/<\/video:\d+> is turned off in this server\./);
	expect(help).toContain("You have **9** of 9 credits left this week.");
	expect(await answerTo(ada, "/credits show")).not.toContain("/video");
	await answerTo(owner, "/settings media", { video: true });
	await answerTo(owner, "/settings defaults", { channel: await channelIdOf(owner, "general"), video: false });
	expect(await answerTo(ada, "/help")).toMatch(/<\/video:\d+> is turned off in this channel\./);
	await answerTo(owner, "/settings pause", { on: true, message: "back on Monday" });
	expect(await answerTo(ada, "/help")).toContain(
		"**You can't generate here**: The admins paused generating in this server:",
	);
});
