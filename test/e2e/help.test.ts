import { textOf } from "@atelier/playground/user-client/message-contents";
import { MessageFlags } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { answerTo, openServer } from "./server.ts";

test("/help tells the member alone which commands are available, their prices and the balance", async () => {
	const { ada } = await openServer();
	const help = await (await ada.type("/help")).until();
	expect((help.flags ?? 0) & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
	for (const medium of ["image", "video", "music"])
		expect(textOf(help)).toMatch(new RegExp(`</${medium}:\\d+> generates .*credit`));
	expect(textOf(help)).toContain("This server has **500** credits left.");
	expect(textOf(help)).toMatch(/The next 500 arrive <t:\d+:R>/);
	expect(textOf(help)).toMatch(/<\/job cancel:\d+>/);
	expect(textOf(help)).toContain("**Results**");
	expect(textOf(help)).not.toContain("/settings");
});

test("/help names the commands of managers to them only", async () => {
	const { admin } = await openServer();
	expect(await answerTo(admin, "/help")).toMatch(/\*\*For admins\*\*: <\/setup:\d+>, <\/settings:\d+>/);
});

test("/help names disabled media, channels and limits", async () => {
	const { admin, ada } = await openServer();
	await answerTo(admin, "/settings media", { video: false });
	await answerTo(admin, "/quota member", { credits: 9, per: "week" });
	const help = await answerTo(ada, "/help");
	expect(help).toMatch(/<\/video:\d+> is turned off in this server\./);
	expect(help).toContain("You have **9** of 9 credits left this week.");
	await answerTo(admin, "/settings pause", { on: true, message: "back on Monday" });
	expect(await answerTo(ada, "/help")).toContain("**You can't generate here**: Generating is paused in this server.");
});
