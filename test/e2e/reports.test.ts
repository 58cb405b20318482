import { textOf } from "@atelier/playground/user-client/message-contents";
import { t } from "../../src/i18n/messages.ts";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { ComponentType, type APIMessage } from "discord-api-types/v10";
import { assert, describe, expect, test } from "vitest";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { serverCreditsLeft, CREDITS_AFTER_IMAGE, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import {
	answerTo,
	answerToImage,
	isMessagePresent,
	finalReply,
	followUpText,
	generateImage,
	openForm,
	plainText,
	pressAndWait,
	pressUntil,
	replyWithText,
	taskIdOf,
	reportResult,
	reportsIn,
} from "./replies.ts";

/** Ada has a result, and the gallery is the channel for reports. */
async function setup(options: Parameters<typeof openAtelierWithMembers>[0] = {}) {
	const server = await openAtelierWithMembers(options);
	const { owner, ada, grace } = server;
	const gallery = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings general", { report_channel: gallery });
	const result = await finalReply(ada.type("/image", { prompt: "a **boat** @everyone" }));
	/** The reports in the channel, oldest first. */
	const reports = () => reportsIn(owner, gallery);
	/** Grace reports the result. */
	async function reported(): Promise<APIMessage> {
		await reportResult(grace, result, "This is @everyone **awful**");
		return (await reports())[0] ?? assert.fail("no report was sent");
	}
	return { ...server, result, reports, reported };
}

/** Returns whether each button is enabled, in this order: dismiss, refund, delete, block. */
const buttonsEnabled = ({ components = [] }: APIMessage): readonly boolean[] =>
	components
		.flatMap((part) => (part.type === ComponentType.Container ? part.components : [part]))
		.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
		.map((button) => !("disabled" in button && button.disabled));

/** Presses a button that opens a form, and submits it. */
async function submitUntil(
	client: UserClient,
	report: APIMessage,
	label: string,
	input: Parameters<UserClient["submit"]>[1],
	text: string,
) {
	const form = await openForm(client.press(report, { label }));
	return await replyWithText(client.submit(form, input), text);
}

describe("a report", () => {
	test("reaches the moderators, who refund, delete and block, each once", async () => {
		const { owner, ada, result, reports, reported } = await setup();
		const first = await reported();
		expect(plainText(textOf(first))).toContain("> This is @everyone **awful**");
		expect(textOf(first)).toContain(`<@${ada.me.user.id}> `);
		expect(first).toMatchObject({ mentions: [], mention_everyone: false });
		expect(mediaIn(first.components)).toHaveLength(1);
		expect(JSON.stringify(first.components)).toContain('"spoiler":true');
		expect(await reportResult(owner, result, "I think so too")).toContain("Thank you");
		const refunded = await pressUntil(owner, first, "Refund", "4 credits refunded");
		expect(mediaIn(refunded.components)).toHaveLength(1);
		expect(await serverCreditsLeft(owner)).toBe(500);
		for (const each of await reports()) {
			expect(textOf(each)).toContain("4 credits refunded");
			expect(buttonsEnabled(each)).toStrictEqual([true, false, true, true]);
		}

		const deleted = await submitUntil(owner, first, "Delete result", {}, `**Deleted** by <@${owner.me.user.id}>`);
		expect(textOf(deleted)).toContain("**Resolved** · **Report** by");
		expect(mediaIn(deleted.components)).toHaveLength(0);
		expect(await isMessagePresent(ada, result)).toBe(false);
		const id = taskIdOf(result);
		expect(await answerTo(ada, "/job get", { id })).toContain("The files were deleted.");

		const blocked = await submitUntil(
			owner,
			first,
			"Block member",
			{ duration: ["day"], reason: "A result was reported" },
			"**Member blocked**",
		);
		expect(await answerTo(owner, "/blocks")).toMatch(/until <t:\d+:f>/);
		expect(buttonsEnabled(blocked)).toStrictEqual([true, false, false, false]);
		const dismissed = await pressUntil(owner, first, "Dismiss report", "**Report dismissed** by");
		expect(buttonsEnabled(dismissed)).toStrictEqual([false, false, false, false]);
		expect(await answerToImage(ada)).toContain("A result was reported");
		expect(await answerTo(owner, "/credits history")).toContain("Refund for job");
	});

	test("is posted once per reporter, from the menu or the button of a result", async () => {
		const { owner, grace, result, reports, reported } = await setup();
		await reported();
		const again = await finalReply(grace.context("Report", result));
		expect(textOf(again)).toContain("You already reported this.");
		const form = await openForm(owner.press(result, { label: "Report" }));
		await replyWithText(owner.submit(form, { reason: "no good" }), "Thank you.");
		expect(await reports()).toHaveLength(2);
	});

	test("lets moderators who are not managers delete its result, in their language, but not refund", async () => {
		const { owner, ada, open, result, reported } = await setup();
		const moderator = await open("Lena");
		const sent = await reported();
		const denied = await followUpText(moderator.press(sent, { label: "Refund" }));
		expect(denied).toBe(t("de", { key: "permission.manage" }));
		// The blocked member reads the reason, so it starts in the language of the server.
		const blockForm = await openForm(moderator.press(sent, { label: "Block member" }));
		expect(JSON.stringify(blockForm.components)).toContain(t("en-US", { key: "report.blockReason" }));
		await submitUntil(moderator, sent, "Delete result", {}, "**Deleted**");
		expect(await isMessagePresent(ada, result)).toBe(false);
		expect(await serverCreditsLeft(owner)).toBe(CREDITS_AFTER_IMAGE);
	});

	test("is offered and accepted only for results, and only while the server has a channel for reports", async () => {
		const { owner, ada, result } = await setup();
		const notResult = await finalReply(ada.context("Report", await finalReply(ada.type("/credits show"))));
		expect(textOf(notResult)).toContain(t("en-US", { key: "report.notOurs" }));
		await answerTo(owner, "/settings general", { reset: "reportChannelId" });
		expect(labelsOf(result)).toContain("Report");
		expect(textOf(await pressAndWait(ada, result, "Report"))).toContain("Reports are off in this server.");
		const later = await generateImage(ada);
		expect(labelsOf(later)).not.toContain("Report");
		expect(textOf(await finalReply(ada.context("Report", later)))).toContain("Reports are off in this server.");
	});
});

test("if only the operator grants credits, managers can revoke, but neither grant nor refund", async () => {
	const { owner, reported } = await setup({ env: { CREDITS_GRANTED_BY: "operator" } });
	const sent = await reported();
	const before = await serverCreditsLeft(owner);
	const denied = "Only the bot owner can grant or refund credits. Ask them.";
	expect(await answerTo(owner, "/balance grant", { amount: 100, reason: "a contest" })).toBe(denied);
	expect(await followUpText(owner.press(sent, { label: "Refund" }))).toBe(denied);
	expect(await answerTo(owner, "/balance revoke", { amount: 1, reason: "a trial" })).toContain(
		"Revoked 1 credit from this server.",
	);
	expect(await serverCreditsLeft(owner)).toBe(before - 1);
});
