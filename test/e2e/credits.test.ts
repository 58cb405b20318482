import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { ComponentType, type APIContainerComponent } from "discord-api-types/v10";
import { expect, test } from "vitest";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import {
	serverCreditsLeft,
	openAtelier,
	storeOnDisk,
	CREDITS_AFTER_IMAGE,
	openAtelierWithMembers,
} from "./start-atelier.ts";
import { answerTo, answerToImage, isPrivate, finalReply, plainText, replyWithText } from "./replies.ts";
import { runCli } from "../cli/run-cli.ts";

const withoutTimes = (content: string): string[] =>
	content
		.replaceAll(/<t:\d+:d> <t:\d+:t>/g, "<then>")
		.replaceAll(/<t:\d+:R>/g, "<soon>")
		.replaceAll(/[\u2068\u2069]/g, "")
		.split("\n");

const imageLine = (userClient: UserClient, after: number): string =>
	`<then> **−4** → ${after} · <@${userClient.me.user.id}> · Fake image`;

test("/credits show shows the balance, the credits that running tasks hold, and the prices to the member alone", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient } = await openAtelier({ engine });
	const answer = await finalReply(userClient.type("/credits show"));
	expect(withoutTimes(plainText(textOf(answer)))).toStrictEqual([
		"This server has **500** credits left.",
		"500 credits expire <soon>.",
		"The next 500 arrive <soon>.",
		"You have no personal limit.",
		"-# `/image` with Fake image: 4 credits",
		"-# `/video` with Fake video: 15 credits",
		"-# `/music` with Fake music: 5 credits",
	]);
	expect(isPrivate(answer)).toBe(true);
	const [card] = answer.components as APIContainerComponent[];
	const { TextDisplay, Separator } = ComponentType;
	const groups = [TextDisplay, Separator, TextDisplay, Separator, TextDisplay];
	expect(card?.components.map(({ type }) => type)).toStrictEqual(groups);
	await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	expect(await answerTo(userClient, "/credits show")).toContain(
		`has **${CREDITS_AFTER_IMAGE}** credits left, and 4 reserved`,
	);
});

test("/balance grant and revoke change the balance, and the history shows their reasons without formatting", async () => {
	const { owner } = await openAtelierWithMembers();
	const granted = await answerTo(owner, "/balance grant", { amount: 1000, reason: "won the **contest** @everyone" });
	expect(granted).toContain("Granted 1,000 credits to this server. It has **1,500** left.");
	expect(await answerTo(owner, "/balance revoke", { amount: 200, reason: "a mistake" })).toContain("**1,300** left");
	const by = `<@${owner.me.user.id}>`;
	expect(withoutTimes(await answerTo(owner, "/credits history"))).toStrictEqual([
		"**Credit history of this server**, newest first",
		`<then> **−200** → 1,300 · ${by} · a mistake`,
		`<then> **+1,000** → 1,500 · ${by} · won the \\*\\*contest\\*\\* \\@everyone`,
		expect.stringMatching(/^<then> \*\*\+500\*\* → 500 · bot owner · Monthly credits for \w+ \d{4}$/),
	]);
});

const historyOf = async (userClient: UserClient, options = {}) =>
	withoutTimes(await answerTo(userClient, "/credits history", options)).slice(1);

test("/credits history shows members their own entries, and managers all entries or those of one member", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	const member = grace.me.user.id;
	await answerToImage(ada);
	await answerToImage(grace);
	const [ofAda, ofGrace] = [imageLine(ada, CREDITS_AFTER_IMAGE), imageLine(grace, 492)];
	expect(await historyOf(ada)).toStrictEqual([ofAda]);
	expect(await answerTo(ada, "/credits history", { member })).toContain(
		"Only admins can see another member's credit history.",
	);
	expect((await historyOf(owner)).slice(0, 2)).toStrictEqual([ofGrace, ofAda]);
	expect(await historyOf(owner, { member })).toStrictEqual([ofGrace]);
});

test("/usage shows the use by media type, model and member, with a chart that has a description", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	expect(await answerTo(owner, "/usage")).toBe("No credits were used here in the last 30 days.");
	await answerToImage(ada);
	await answerToImage(owner);
	await answerTo(ada, "/music", { prompt: "a lullaby" });
	const answer = await finalReply(owner.type("/usage", { days: 7 }));
	expect(withoutTimes(plainText(textOf(answer)))).toStrictEqual([
		"**Last 7 days**: 13 credits for 3 results, 2 credits a day",
		"**Media types**: 🟧 images 8 (2 results) and 🟪 songs 5 (1 result)",
		"**Models**: Fake image 8 (2 results) and Fake music 5 (1 result)",
		`**Members**: <@${ada.me.user.id}> 9 (2 results) and <@${owner.me.user.id}> 4 (1 result)`,
	]);
	const description = expect.stringMatching(
		/^Bar chart of the credits used per day .* 7 days: 13 in total, with the most on /,
	);
	expect(filesOf(answer)).toMatchObject([{ filename: "usage-7-days.png", content_type: "image/png", description }]);
	const month = await replyWithText(owner.press(answer, { label: "last 30 days" }), "Last 30 days");
	expect(filesOf(month)).toMatchObject([{ filename: "usage-30-days.png" }]);
});

test("while the bot runs, the operator's command line shows and changes credits, which the bot uses at once", async () => {
	const env = await storeOnDisk();
	const { userClient } = await openAtelier({ env });
	const { guild } = await userClient.state();
	const credits = (line: string) => runCli(["credits", ...line.split(" ")], { env });
	expect(await serverCreditsLeft(userClient)).toBe(500);
	await credits(`grant ${guild.id} 1000 --reason a-gift`);
	expect(await serverCreditsLeft(userClient)).toBe(1500);
	expect(await credits(`revoke ${guild.id} 2000 --reason too-much`)).toMatchObject({
		code: 1,
		stderr: "You can't revoke 2,000 credits: this server has 1,500.",
	});
	await credits(`revoke ${guild.id} 300 --reason a-mistake`);
	expect(await answerToImage(userClient)).toContain("1,196 left");
	const shown = (await credits(`show ${guild.id}`)).stdout.join("\n");
	expect(shown).toContain("available  1,196 credits");
	expect(shown).toContain("operator  a-mistake");
});
