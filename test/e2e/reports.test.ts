import { join } from "node:path";
import { ComponentType, type APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { UserClient } from "@atelier/playground/user-client";
import { creditsLeft, newFolder } from "./start-atelier.ts";
import { answerTo, image, openServer, plain, channelId } from "./server.ts";

/** The reports in the moderators' channel, oldest first. */
async function reportsIn(userClient: UserClient, channel: string): Promise<readonly APIMessage[]> {
	const messages = await userClient.messages();
	return messages.filter((message) => message.channel_id === channel && message.content.startsWith("**Report**"));
}

const openReports = async (admin: UserClient): Promise<string> => {
	const gallery = await channelId(admin, "gallery");
	await answerTo(admin, "/settings general", { report_channel: gallery });
	return gallery;
};

const picture = async (userClient: UserClient): Promise<APIMessage> =>
	await (await userClient.type("/image", { prompt: "a **boat** @everyone" })).until(isFinalReply);

async function report(userClient: UserClient, message: APIMessage, reason: string): Promise<string> {
	const modal = await (await userClient.context("Report", message)).modal();
	return (await (await userClient.submit(modal, { reason })).until(isFinalReply)).content;
}
/** Of each button whether it can be pressed. */
const pressable = ({ components = [] }: APIMessage): readonly boolean[] =>
	components
		.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
		.map((button) => !("disabled" in button && button.disabled));

test("if only the operator grants credits, managers can neither grant nor refund", async () => {
	const { admin, ada } = await openServer({ env: { CREDITS_GRANTED_BY: "operator" } });
	const gallery = await openReports(admin);
	await report(ada, await picture(ada), "not a boat");
	const [reported] = await reportsIn(admin, gallery);
	const before = await creditsLeft(admin);
	const refused = "Only the people who run this bot give credits. Ask them for more.";
	expect(await answerTo(admin, "/credits grant", { amount: 100, reason: "a contest" })).toBe(refused);
	expect((await (await admin.press(reported!, { label: "Refund" })).until()).content).toBe(refused);
	expect(await answerTo(admin, "/credits revoke", { amount: 1, reason: "a trial" })).toContain("1 credit taken");
	expect(await creditsLeft(admin)).toBe(before - 1);
});

describe("a report", () => {
	test("reaches the moderators, who delete, block and refund, once each", async () => {
		const { admin, ada, grace } = await openServer();
		const gallery = await openReports(admin);
		const completed = await picture(ada);
		expect(await report(grace, completed, "This is @everyone **awful**")).toBe(
			"Thank you. The moderators of this server have it now.",
		);
		expect(await report(admin, completed, "I think so too")).toContain("Thank you");
		const [first, second] = await reportsIn(admin, gallery);
		if (!first || !second) throw new Error("two reports were sent");
		expect(plain(first.content)).toContain("> This is @everyone **awful**");
		expect(first.content).toContain(`<@${ada.me.user.id}> had made`);
		expect(first.mentions).toStrictEqual([]);
		expect(first.mention_everyone).toBe(false);

		const refunded = await (
			await admin.press(first, { label: "Refund" })
		).until(({ content }) => content.includes("4 credits given back"));
		expect(pressable(refunded)).toStrictEqual([true, true, false]);
		expect(await creditsLeft(admin)).toBe(500);
		// The other report's button does not know yet.
		await (
			await admin.press(second, { label: "Refund" })
		).until(({ content }) => content.includes("4 credits given back"));
		expect(await creditsLeft(admin)).toBe(500);

		const deleted = await admin.press(first, { label: "Delete result" });
		await deleted.until(({ content }) => content.includes(`**Deleted** by <@${admin.me.user.id}>`));
		expect((await ada.messages()).some(({ id }) => id === completed.id)).toBe(false);
		const id = completed.interaction_metadata?.id ?? "none";
		expect(await answerTo(ada, "/job get", { id })).toContain("no longer kept here");

		const blocked = await admin.press(first, { label: "Block member" });
		const all = await blocked.until(({ content }) => content.includes("**Member blocked**"));
		expect(pressable(all)).toStrictEqual([false, false, false]);
		expect(await image(ada)).toContain("after a report of something you had made");
		expect(await answerTo(admin, "/credits history")).toContain("after a report");
	});

	test("is handled by authorized members only, and counts once per reporter", async () => {
		const { admin, ada, grace } = await openServer();
		const gallery = await openReports(admin);
		const completed = await picture(ada);
		await report(grace, completed, "no good");
		expect((await (await grace.context("Report", completed)).until(isFinalReply)).content).toContain(
			"You have reported that already.",
		);
		const [sent] = await reportsIn(admin, gallery);
		if (!sent) throw new Error("a report was sent");
		for (const label of ["Delete result", "Block member", "Refund"]) {
			const refused = await (await ada.press(sent, { label })).until(isFinalReply);
			expect(refused.content).toBe("Only people who look after this server can do that.");
		}
		expect((await ada.messages()).some(({ id }) => id === completed.id)).toBe(true);
		expect(await creditsLeft(ada)).toBe(496);
		expect(await image(ada)).toContain("492 left");
	});

	test("can be handled by moderators who do not manage the server, except for credits", async () => {
		const { admin, ada, grace, open } = await openServer();
		// Her Discord is in German, and the buttons of the channel are in English as the server is.
		const moderator = await open("Lena");
		const gallery = await openReports(admin);
		const completed = await picture(ada);
		await report(grace, completed, "no good");
		const [sent] = await reportsIn(moderator, gallery);
		if (!sent) throw new Error("a report was sent");
		const refused = await (await moderator.press(sent, { label: "Refund" })).until();
		expect(refused.content).toBe("Das können nur Leute, die diesen Server verwalten dürfen.");
		await (
			await moderator.press(sent, { label: "Delete result" })
		).until(({ content }) => content.includes("**Deleted**"));
		expect((await ada.messages()).some(({ id }) => id === completed.id)).toBe(false);
		expect(await answerTo(moderator, "/block", { member: ada.me.user.id, reason: "again and again" })).toContain(
			"ist gesperrt",
		);
		expect(await image(ada)).toContain("You are blocked");
		await expect(moderator.type("/settings show")).rejects.toThrow("or you may not use it here");
		expect(await creditsLeft(admin)).toBe(496);
	});

	test("can be sent by any member with the button under a result", async () => {
		const { admin, ada, grace } = await openServer();
		const completed = await picture(ada);
		expect((await (await grace.press(completed, { label: "Report" })).until(isFinalReply)).content).toContain(
			"no channel for reports",
		);
		const gallery = await openReports(admin);
		const form = await (await grace.press(completed, { label: "Report" })).modal();
		await (await grace.submit(form, { reason: "no good" })).until(({ content }) => content.startsWith("Thank you."));
		expect(await reportsIn(admin, gallery)).toHaveLength(1);
	});

	test("survives a restart until a moderator handles it", async () => {
		const folder = await newFolder();
		const env = { STORE_URL: `sqlite:${join(folder, "atelier.db")}`, DATA_DIR: folder };
		const before = await openServer({ env });
		const gallery = await openReports(before.admin);
		await report(before.grace, await picture(before.ada), "no good");
		const [sent] = await reportsIn(before.admin, gallery);
		if (!sent) throw new Error("a report was sent");
		await before.stop();
		const { admin } = await openServer({ env });
		await (await admin.press(sent, { label: "Refund" })).until(({ content }) => content.includes("given back"));
		expect(await creditsLeft(admin)).toBe(500);
	});

	test("is denied if it could not be posted, or if the message is no result", async () => {
		const { admin, ada } = await openServer();
		const completed = await picture(ada);
		expect((await (await ada.context("Report", completed)).until(isFinalReply)).content).toContain(
			"has no channel for reports",
		);
		await openReports(admin);
		const failed = await (await ada.type("/credits show")).until(isFinalReply);
		expect((await (await ada.context("Report", failed)).until(isFinalReply)).content).toContain(
			"There is nothing under that id",
		);
	});
});
