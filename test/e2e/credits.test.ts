import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { describe, expect, test } from "vitest";
import type { UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openStore } from "@atelier/store/open-store";
import { serverCreditsLeft, openAtelier, storeOnDisk, CREDITS_AFTER_IMAGE } from "./start-atelier.ts";
import { openAtelierWithMembers } from "./members.ts";
import { answerTo, answerToImage, isPrivate, finalReply } from "./replies.ts";
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
	expect(withoutTimes(textOf(answer))).toStrictEqual([
		"This server has **500** credits left.",
		"500 credits expire <soon>.",
		"The next 500 arrive <soon>.",
		"You have no personal limit.",
		"-# `/image` with Fake image: 4 credits",
		"-# `/video` with Fake video: 15 credits",
		"-# `/music` with Fake music: 5 credits",
	]);
	expect(isPrivate(answer)).toBe(true);
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
		"**Credit history of this server**, newest first · after each arrow: the credits left",
		`<then> **−200** → 1,300 · ${by} · a mistake`,
		`<then> **+1,000** → 1,500 · ${by} · won the \\*\\*contest\\*\\* \\@everyone`,
		expect.stringMatching(/^<then> \*\*\+500\*\* → 500 · bot owner · Monthly credits for \w+ \d{4}$/),
	]);
});

const historyOf = async (userClient: UserClient, options = {}) =>
	withoutTimes(await answerTo(userClient, "/credits history", options)).slice(1);

test("/credits history shows members their own entries, and managers all entries or those of one member", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	await answerToImage(ada);
	await answerToImage(grace);
	expect(await historyOf(ada)).toStrictEqual([imageLine(ada, CREDITS_AFTER_IMAGE)]);
	expect(await answerTo(ada, "/credits history", { member: grace.me.user.id })).toContain(
		"Only admins can see another member's credit history.",
	);
	expect((await historyOf(owner)).slice(0, 2)).toStrictEqual([
		imageLine(grace, CREDITS_AFTER_IMAGE - 4),
		imageLine(ada, CREDITS_AFTER_IMAGE),
	]);
	expect(await historyOf(owner, { member: grace.me.user.id })).toStrictEqual([imageLine(grace, 492)]);
});

test("/usage shows the use by media type, model and member, with a chart that has a description", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	expect(await answerTo(owner, "/usage")).toBe("No credits were used here in the last 30 days.");
	await answerToImage(ada);
	await answerToImage(owner);
	await answerTo(ada, "/music", { prompt: "a lullaby" });
	const answer = await finalReply(owner.type("/usage", { days: 7 }));
	expect(withoutTimes(textOf(answer))).toStrictEqual([
		"**Last 7 days**: 13 credits for 3 results, 2 credits a day",
		"**Media types**: 🟧 images 8 (2 results) and 🟪 songs 5 (1 result)",
		"**Models**: Fake image 8 (2 results) and Fake music 5 (1 result)",
		`**Members**: <@${ada.me.user.id}> 9 (2 results) and <@${owner.me.user.id}> 4 (1 result)`,
	]);
	const description = expect.stringMatching(
		/^Bar chart of the credits used per day .* 7 days: 13 in total, with the most on /,
	);
	expect(filesOf(answer)).toMatchObject([{ filename: "usage-7-days.png", content_type: "image/png", description }]);
});

/** Opens a bot whose store the command line can open. */
async function setup() {
	const env = await storeOnDisk();
	const { userClient } = await openAtelier({ env });
	const { guild } = await userClient.state();
	const credits = async (...args: string[]) => {
		const { code, stdout, stderr } = await runCli(["credits", ...args], { env });
		return { code, stdout: stdout.join("\n"), stderr };
	};
	return { userClient, guildId: guild.id, credits, storeUrl: env.STORE_URL };
}

describe("the operator's command line, while the bot runs,", () => {
	test("grants, revokes and shows credits, and the bot uses the new balance at once", async () => {
		const { userClient, guildId, credits } = await setup();
		expect(await serverCreditsLeft(userClient)).toBe(500);
		const granted = await credits("grant", guildId, "1000", "--reason", "a gift", "--id", "gift-1");
		expect(granted).toMatchObject({ code: 0, stderr: "" });
		expect(granted.stdout).toContain("The grant of 1,000 credits with --id gift-1 is done; a repeat changes nothing.");
		expect(await serverCreditsLeft(userClient)).toBe(1500);
		await credits("grant", guildId, "1000", "--reason", "a gift", "--id", "gift-1");
		expect(await serverCreditsLeft(userClient)).toBe(1500);
		expect(await credits("revoke", guildId, "2000", "--reason", "too much")).toMatchObject({
			code: 1,
			stderr: "You can't revoke 2,000 credits: this server has 1,500.",
		});
		await credits("revoke", guildId, "300", "--reason", "a mistake");
		expect(await answerToImage(userClient)).toContain("1,196 left");
		const shown = await credits("show", guildId);
		expect(shown.stdout).toContain("available  1,196 credits");
		expect(shown.stdout).toContain("operator  a mistake");
	});

	test("exports every entry, and an audit reports a violation without a change", async () => {
		const { userClient, guildId, credits, storeUrl } = await setup();
		await answerTo(userClient, "/quota member", { credits: 10 });
		await answerToImage(userClient);
		const lines = (await credits("export", guildId)).stdout.split("\n");
		const entries = lines.map((line) => JSON.parse(line) as { account: string; seq: number; kind: string });
		expect(entries.map(({ account, seq, kind }) => [account.split(":")[0], seq, kind])).toStrictEqual([
			["guild", 1, "grant"],
			["guild", 2, "reserve"],
			["guild", 3, "post"],
			["use", 1, "reserve"],
			["use", 2, "post"],
		]);
		const stdout = "Audited 2 accounts with 5 entries: no differences.";
		expect(await credits("audit", guildId)).toMatchObject({ code: 0, stdout });

		const store = await openStore(storeUrl);
		const stored = await store.get<{ postedCredits: number }>(`account:guild:${guildId}`);
		const forged = { ...stored?.value, postedCredits: 999_999 };
		await store.set(`account:guild:${guildId}`, forged);
		const audited = await credits("audit");
		expect(audited.code).toBe(1);
		expect(audited.stdout).toContain(
			`guild:${guildId}  posted: account, posted: expected ${CREDITS_AFTER_IMAGE}, found 999999`,
		);
		expect(audited.stdout).toContain("Nothing was changed.");
		expect((await store.get(`account:guild:${guildId}`))?.value).toStrictEqual(forged);
		await store.close();
	});
});
