/**
 * Isolation of servers: no data of one server is visible or changeable from another, neither for a member of both, nor
 * for the owner of the other one, nor with a button in the second server that names a task of the first. One bot serves both.
 */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { ButtonStyle, ComponentType, type APIMessage } from "discord-api-types/v10";
import { assert, expect, onTestFinished, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { labelsOf, openUserClient, type Reply, type UserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { reportActionCustomId } from "../../src/discord/report-buttons.ts";
import { withheldCustomId } from "../../src/discord/withheld-buttons.ts";
import { taskCustomIds } from "../../src/discord/task-buttons.ts";
import type { TaskAction } from "../../src/services/delivery/task-actions.ts";
import { REPORT_ACTIONS, type ReportAction } from "@atelier/dashboard/schemas/reports";
import { WITHHELD_ACTIONS } from "../../src/services/moderation/withheld-decisions.ts";
import type { MessageDescriptor, PlainKey } from "../../src/i18n/message-descriptor.ts";
import { t } from "../../src/i18n/messages.ts";
import { openAtelier, serverCreditsLeft, CREDITS_AFTER_IMAGE, userIdOf } from "./start-atelier.ts";
import { answerTo, answerToImage, isPrivate, finalReply, openForm, plainText, reportResult } from "./replies.ts";
import { openDiscord } from "./open-discord.ts";

/** The second server: Lena owns it, and moderates the first one too. Robin owns the first one, and is a member of both. */
async function setup() {
	const discord = await openDiscord();
	const [item = assert.fail("no item")] = (await openAdminClient(discord.origin).state()).skus;
	const engine = createFakeEngine();
	const env = { ...discord.env, TOP_UP_ITEMS: `${item.id}:100` };
	const { userClient: robin } = await openAtelier({ engine, env });
	const { users, guilds } = await robin.state();
	const [first = assert.fail("no server"), second = assert.fail("no second server")] = guilds;
	const open = async (name: string, guild: string): Promise<UserClient> => {
		const userClient = await openUserClient(discord.origin, { user: userIdOf(users, name), guild });
		onTestFinished(() => userClient.close());
		return userClient;
	};
	// One locale for all users, so that texts are comparable.
	const secondAdmin = openAdminClient(discord.origin, second.id);
	await secondAdmin.setGuild({ locale: "en-US" });
	await secondAdmin.setMember({ userId: userIdOf(users, "Lena"), locale: "en-US" });
	const firstGuild = {
		robin,
		ada: await open("Ada", first.id),
		channelId: first.channelIds[0] ?? assert.fail("no channel"),
	};
	const secondGuild = {
		lena: await open("Lena", second.id),
		robin: await open("Robin", second.id),
		channelId: second.channelIds[0] ?? assert.fail("no channel"),
	};
	const reply = await robin.type("/image", { prompt: "a secret boat" });
	const result = { taskId: reply.interactionId, message: await reply.until(isFinalReply) };

	/** Posts a message of the bot in the second server with one forged button. */
	async function postForgedButton(customId: string): Promise<APIMessage> {
		const button = { type: ComponentType.Button, style: ButtonStyle.Secondary, label: "Press", custom_id: customId };
		const components = [{ type: ComponentType.ActionRow, components: [button] }];
		const response = await fetch(`${discord.origin}/api/v10/channels/${secondGuild.channelId}/messages`, {
			method: "POST",
			headers: { authorization: `Bot ${discord.env.DISCORD_TOKEN}`, "content-type": "application/json" },
			body: JSON.stringify({ content: "Press me", components }),
		});
		expect(response.status).toBe(200);
		return (await response.json()) as APIMessage;
	}
	/** The ephemeral response to a forged button. */
	const pressForged = async (userClient: UserClient, customId: string): Promise<string> =>
		await ephemeralReply(await userClient.press(await postForgedButton(customId), { customId }));
	/** The ephemeral response to the form of a forged button, submitted by the owner. */
	async function submitForged(customId: string, values: Parameters<UserClient["submit"]>[1] = {}): Promise<string> {
		const modal = await openForm(secondGuild.lena.press(await postForgedButton(customId), { customId }));
		return await ephemeralReply(await secondGuild.lena.submit(modal, values));
	}
	const isResultIntact = async (): Promise<boolean> =>
		(await robin.messages()).some((message) => message.id === result.message.id && filesOf(message).length === 1);
	const forging = { pressForged, submitForged, isResultIntact };
	return { engine, secondAdmin, skuId: item.id, firstGuild, secondGuild, result, ...forging };
}

async function ephemeralReply(reply: Reply): Promise<string> {
	const find = (): APIMessage | undefined =>
		reply.messages().find((message) => isFinalReply(message) && isPrivate(message));
	await expect.poll(find).toBeDefined();
	const found = find();
	return textOf(found ?? assert.fail("the reply was deleted"));
}

/** The end of the text of a delivered result: "4 credits · 496 left". */
const DELIVERED = /\d left/;

const text = (key: PlainKey): string => t("en-US", { key } as MessageDescriptor);

async function exportSettings(userClient: UserClient): Promise<string> {
	const attachments = filesOf(await finalReply(userClient.type("/settings export")));
	return (await userClient.download(attachments[0] ?? assert.fail("no file"))).toString();
}

const DENIALS: Readonly<Record<TaskAction, PlainKey>> = {
	cancel: "job.notFound",
	ping: "job.notFound",
	regenerate: "request.sourceGone",
	vary: "request.sourceGone",
	edit: "request.sourceGone",
	improve: "request.sourceGone",
	animate: "request.sourceGone",
	input: "request.sourceGone",
	upscale: "request.sourceGone",
	favorite: "request.sourceGone",
	report: "job.notFound",
	delete: "permission.othersResult",
	confirm: "request.confirmationGone",
	editDraft: "request.confirmationGone",
	decline: "request.confirmationGone",
};

test("a task is neither listed nor offered nor found in another server", async () => {
	const { firstGuild, secondGuild, result } = await setup();
	expect(plainText(await answerTo(firstGuild.robin, "/job list"))).toContain("a secret boat");
	expect(await firstGuild.robin.autocomplete("/job get", { id: "boat" }, "id")).toMatchObject([
		{ value: result.taskId },
	]);
	for (const userClient of [secondGuild.robin, secondGuild.lena]) {
		expect(plainText(await answerTo(userClient, "/job list", { member: secondGuild.robin.me.user.id }))).toBe(
			text("job.empty"),
		);
		for (const name of ["show", "get", "cancel"]) {
			for (const id of [result.taskId, "../../etc/passwd"])
				expect(await answerTo(userClient, `/job ${name}`, { id })).toBe(text("job.notFound"));
			expect(await userClient.autocomplete(`/job ${name}`, { id: "boat" }, "id")).toStrictEqual([]);
		}
	}
});

test("no forged button acts on a task, a result or a report of another server", async () => {
	const { firstGuild, secondGuild, engine, result, pressForged, submitForged, isResultIntact } = await setup();
	const { taskId } = result;
	await answerTo(firstGuild.robin, "/settings general", { report_channel: firstGuild.channelId });
	await answerTo(secondGuild.lena, "/settings general", { report_channel: secondGuild.channelId });
	expect(await reportResult(firstGuild.ada, result.message, "too secret")).toBe(text("report.thanks"));
	for (const [action, key] of Object.entries(DENIALS)) {
		const customId = taskCustomIds[action as TaskAction].encode({ taskId });
		expect({ action, reply: await pressForged(secondGuild.robin, customId) }).toEqual({ action, reply: text(key) });
		// Moderators may delete any message of the bot in their server: that message, not the one that the button names.
		const [moderatorReply, expected] =
			action === "delete"
				? [submitForged(customId), "privacy.resultDeleted" as const]
				: [pressForged(secondGuild.lena, customId), key];
		expect(await moderatorReply).toBe(text(expected));
	}
	const reporterId = firstGuild.ada.me.user.id;
	const reportButton = (action: ReportAction): string => reportActionCustomId.encode({ action, taskId, reporterId });
	for (const customId of [
		...REPORT_ACTIONS.filter((action) => action !== "delete" && action !== "block").map(reportButton),
		...WITHHELD_ACTIONS.map((action) => withheldCustomId.encode({ action, taskId })),
	])
		expect(await pressForged(secondGuild.lena, customId)).toBe(text("job.notFound"));
	expect(await submitForged(reportButton("delete"))).toBe(text("job.notFound"));
	const blockReply = await submitForged(reportButton("block"), { duration: ["week"], reason: "spam" });
	// The reason is returned, so that it need not be typed again.
	expect(blockReply.startsWith(text("job.notFound"))).toBe(true);
	expect(engine.runs).toHaveLength(1);
	expect(await isResultIntact()).toBe(true);
	expect(await serverCreditsLeft(firstGuild.robin)).toBe(CREDITS_AFTER_IMAGE);
	expect(plainText(await answerTo(firstGuild.ada, "/gallery server"))).toContain("a secret boat");
	expect(plainText(await answerTo(secondGuild.robin, "/job list"))).toBe(text("job.empty"));
	for (const userClient of [firstGuild.robin, secondGuild.lena])
		expect(await answerTo(userClient, "/blocks")).toBe(text("block.empty"));
	const reports = (await secondGuild.lena.messages()).filter((message) => textOf(message).includes("too secret"));
	// Lena sees the report in the first server, which she moderates too, and none in the second.
	expect(reports.map(({ channel_id: channelId }) => channelId)).toStrictEqual([firstGuild.channelId]);
});

test("credits are separate: spending, grants, purchases, limits and histories", async () => {
	const { firstGuild, secondGuild, secondAdmin, skuId } = await setup();
	const left = async (): Promise<readonly number[]> => [
		await serverCreditsLeft(firstGuild.robin),
		await serverCreditsLeft(secondGuild.lena),
	];
	expect(await left()).toStrictEqual([CREDITS_AFTER_IMAGE, 500]);
	await answerTo(firstGuild.robin, "/balance grant", { amount: 70, reason: "for the boats" });
	await answerToImage(secondGuild.robin);
	expect(await left()).toStrictEqual([566, CREDITS_AFTER_IMAGE]);
	const history = await answerTo(secondGuild.lena, "/credits history");
	expect(history).toContain(`<@${secondGuild.robin.me.user.id}>`);
	expect(history).not.toContain("boats");
	await answerToImage(firstGuild.ada);
	expect(await answerTo(secondGuild.lena, "/usage")).not.toContain(`<@${firstGuild.ada.me.user.id}>`);
	await answerTo(firstGuild.robin, "/quota member", { member: firstGuild.robin.me.user.id, credits: 0 });
	expect(await answerToImage(firstGuild.robin)).not.toMatch(DELIVERED);
	expect(await answerToImage(secondGuild.robin)).toContain("492 left");
	await secondAdmin.buy({ skuId, userId: secondGuild.robin.me.user.id, isForGuild: true });
	await expect.poll(left).toStrictEqual([562, 592]);
});

test("a style, a block and a pause apply in no other server, and an import rejects channels of another server", async () => {
	const { firstGuild, secondGuild } = await setup();
	await answerTo(firstGuild.robin, "/style add", { name: "Harbour", text: "the secret harbour" });
	expect(await secondGuild.lena.autocomplete("/style remove", { name: "" }, "name")).toStrictEqual([]);
	expect(await secondGuild.robin.autocomplete("/image", { prompt: "x", style: "h" }, "style")).toStrictEqual([]);
	expect(plainText(await answerTo(secondGuild.robin, "/style list"))).toBe(text("style.listEmpty"));
	const unknown = plainText(await answerTo(secondGuild.robin, "/image", { prompt: "a boat", style: "Harbour" }));
	expect(unknown).not.toMatch(/harbour|left/);
	expect(await answerTo(secondGuild.lena, "/style remove", { name: "Harbour" })).not.toContain("secret");
	expect(plainText(await answerTo(firstGuild.robin, "/style list"))).toContain("the secret harbour");

	await answerTo(secondGuild.lena, "/block", { member: secondGuild.robin.me.user.id, reason: "too loud there" });
	expect(await answerToImage(secondGuild.robin)).toContain("too loud there");
	expect(await answerTo(firstGuild.robin, "/blocks")).toBe(text("block.empty"));
	await answerTo(secondGuild.lena, "/unblock", { member: secondGuild.robin.me.user.id });
	await answerTo(secondGuild.lena, "/settings pause", { on: true, message: "closed over there" });
	expect(await answerToImage(secondGuild.robin)).toContain("closed over there");
	expect(await answerToImage(firstGuild.robin)).toMatch(DELIVERED);
	for (const command of ["/settings audit", "/settings show"])
		expect(await answerTo(firstGuild.robin, command)).not.toMatch(/over there|too loud/);

	await answerTo(firstGuild.robin, "/settings general", { report_channel: firstGuild.channelId });
	const secondExport = await exportSettings(secondGuild.lena);
	expect(secondExport).not.toContain("harbour");
	const firstExport = await exportSettings(firstGuild.robin);
	expect(firstExport).toContain("harbour");
	const file = { name: "settings.json", contentType: "application/json", bytes: Buffer.from(firstExport) };
	const upload = await secondGuild.lena.upload(file);
	expect(plainText(await answerTo(secondGuild.lena, "/settings import", { file: upload }))).toContain(
		"The bot can't find the channel you chose in this server: Report channel.",
	);
	expect(await exportSettings(secondGuild.lena)).toBe(secondExport);
});

test("a privacy command exports and deletes only the data of its own server", async () => {
	const { firstGuild, secondGuild, result } = await setup();
	await answerTo(secondGuild.robin, "/image", { prompt: "a boat over there" });
	const attachments = filesOf(await finalReply(secondGuild.robin.type("/privacy export")));
	const exportText = (await secondGuild.robin.download(attachments[0] ?? assert.fail("no file"))).toString();
	expect(exportText).toContain("a boat over there");
	expect(exportText).not.toContain(result.taskId);
	expect(exportText).not.toContain("secret");
	const question = await finalReply(secondGuild.robin.type("/privacy delete"));
	const deleted = await secondGuild.robin.press(question, { label: text("button.deleteData") });
	await deleted.until((message) => labelsOf(message).length === 0);
	expect(plainText(await answerTo(secondGuild.robin, "/job list"))).toBe(text("job.empty"));
	expect(plainText(await answerTo(firstGuild.robin, "/job list"))).toContain("a secret boat");
});
