/**
 * Isolation of servers: no data of one server is visible or changeable from another, neither for a member of both, nor
 * for the owner of the other one, nor with a button in the second server that names a task of the first. One bot serves both.
 */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ButtonStyle, ComponentType, type APIMessage } from "discord-api-types/v10";
import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createLogger } from "@atelier/common/logger";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createPlayground, type Playground } from "@atelier/playground/playground";
import { createFakeEngine, type FakeEngine } from "@atelier/studio/testing/fake-engine";
import { createApp } from "../../src/app/create-app.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { reportActionCustomId } from "../../src/discord/report-buttons.ts";
import { taskButtonCustomIds } from "../../src/discord/task-buttons.ts";
import type { TaskAction } from "../../src/services/delivery/reply-client.ts";
import { REPORT_ACTIONS } from "../../src/services/moderation/reported-results.ts";
import type { MessageDescriptor } from "../../src/i18n/message-descriptor.ts";
import type { PlainKey } from "../../src/i18n/message-params.ts";
import { t } from "../../src/i18n/messages.ts";
import { serverCreditsLeft } from "./start-atelier.ts";
import { answerTo, answerToImage, isPrivate } from "./user-clients.ts";
import { finalReply, openForm, plainText } from "./replies.ts";

const cleanups = new AsyncDisposableStack();
let engine: FakeEngine;
let playground: Playground;
let discordOrigin = "";
let atelierOrigin = "";
/** The first server, as its owner Robin and its member Ada see it. */
let firstGuild: { readonly robin: UserClient; readonly ada: UserClient; readonly channelId: string };
/** The second server: Lena owns it, and moderates the first one too. Robin is only a member of it. */
let secondGuild: {
	readonly lena: UserClient;
	readonly robin: UserClient;
	readonly guildId: string;
	readonly channelId: string;
};
/** A result of the first server. */
let result: { readonly taskId: string; readonly message: APIMessage };

beforeAll(async () => {
	const app = fastify({ forceCloseConnections: true });
	playground = createPlayground({ clock: systemClock, logger: pino({ level: "silent" }), origin: () => discordOrigin });
	await playground.register(app);
	discordOrigin = await app.listen({ port: 0, host: "127.0.0.1" });
	cleanups.defer(() => playground.close());
	cleanups.defer(() => app.close());

	const folder = await mkdtemp(join(tmpdir(), "atelier-test-"));
	cleanups.defer(() => rm(folder, { recursive: true, force: true }));
	engine = createFakeEngine();
	const [item] = (await openAdminClient(discordOrigin).state()).skus;
	const config = loadConfig({
		PORT: "0",
		STORE_URL: "memory:",
		DATA_DIR: folder,
		DISCORD_TOKEN: playground.botToken,
		DISCORD_API_URL: `${discordOrigin}/api`,
		PUBLIC_URL: "https://bot.example.com",
		TOP_UP_ITEMS: `${item?.id}:100`,
	});
	const logger = createLogger({ level: "trace", pretty: false, destination: { write() {} } });
	const started = await createApp(config, logger, { engines: [engine] });
	cleanups.defer(() => started.stop());
	atelierOrigin = started.origin;

	const open = async (user?: string, guild?: string): Promise<UserClient> => {
		const userClient = await openUserClient(discordOrigin, { ...(user && { user }), ...(guild && { guild }) });
		cleanups.defer(() => userClient.close());
		return userClient;
	};
	const robin = await open();
	const { users, guilds } = await robin.state();
	const [first, second] = guilds;
	const idOf = (name: string): string => users.find(({ user }) => user.username === name)?.user.id ?? "none";
	// One locale for all users, so that texts are comparable.
	const admin = openAdminClient(discordOrigin, second?.id);
	await admin.setGuild({ locale: "en-US" });
	await admin.setMember(idOf("lena"), { locale: "en-US" });
	firstGuild = { robin, ada: await open(idOf("ada"), first?.id), channelId: first?.channelIds[0] ?? "" };
	secondGuild = {
		lena: await open(idOf("lena"), second?.id),
		robin: await open(idOf("robin"), second?.id),
		guildId: second?.id ?? "",
		channelId: second?.channelIds[0] ?? "",
	};
	const reply = await firstGuild.robin.type("/image", { prompt: "a secret boat" });
	result = { taskId: reply.interactionId, message: await reply.until(isFinalReply) };
}, 60_000);

afterAll(() => cleanups.disposeAsync(), 60_000);

/** The end of the text of a delivered result: "4 credits · 496 left". */
const DELIVERED = /\d left/;

const text = (key: PlainKey): string => t("en-US", { key } as MessageDescriptor);

/** Posts a message of the bot in the second server with one forged button. */
async function postForgedButton(customId: string): Promise<APIMessage> {
	const button = { type: ComponentType.Button, style: ButtonStyle.Secondary, label: "Press", custom_id: customId };
	const components = [{ type: ComponentType.ActionRow, components: [button] }];
	const response = await fetch(`${discordOrigin}/api/v10/channels/${secondGuild.channelId}/messages`, {
		method: "POST",
		headers: { authorization: `Bot ${playground.botToken}`, "content-type": "application/json" },
		body: JSON.stringify({ content: "Press me", components }),
	});
	expect(response.status).toBe(200);
	return (await response.json()) as APIMessage;
}

/** The ephemeral response to a forged button. */
async function pressForged(userClient: UserClient, customId: string): Promise<string> {
	const reply = await userClient.press(await postForgedButton(customId), { customId });
	const find = (): APIMessage | undefined =>
		reply.messages().find((message) => isFinalReply(message) && isPrivate(message));
	await expect.poll(find, { timeout: 20_000 }).toBeDefined();
	const found = find();
	return found ? textOf(found) : "";
}

/** The ephemeral response to a forged Delete, confirmed by the owner. */
async function deleteForged(customId: string): Promise<string> {
	const modal = await openForm(secondGuild.lena.press(await postForgedButton(customId), { customId }));
	const deletion = await secondGuild.lena.submit(modal);
	const find = (): APIMessage | undefined => deletion.messages().find((message) => isPrivate(message));
	await expect.poll(find, { timeout: 20_000 }).toBeDefined();
	const found = find();
	return found ? textOf(found) : "";
}

async function exportSettings(userClient: UserClient): Promise<string> {
	const attachments = filesOf(await finalReply(userClient.type("/settings export")));
	return (await userClient.download(attachments[0] ?? { url: "" })).toString();
}

const isResultIntact = async (): Promise<boolean> =>
	(await firstGuild.robin.messages()).some(
		(message) => message.id === result.message.id && filesOf(message).length === 1,
	);

describe("a task of another server", () => {
	test("is neither listed nor offered nor found, even for the member who created it, and for the owner of the other server", async () => {
		expect(plainText(await answerTo(firstGuild.robin, "/job list"))).toContain("a secret boat");
		for (const userClient of [secondGuild.robin, secondGuild.lena]) {
			expect(await answerTo(userClient, "/job list", { member: secondGuild.robin.me.user.id })).toBe(text("job.empty"));
			for (const name of ["show", "get", "cancel"]) {
				for (const id of [result.taskId, "../../etc/passwd"])
					expect(await answerTo(userClient, `/job ${name}`, { id })).toBe(text("job.notFound"));
				expect(await userClient.autocomplete(`/job ${name}`, { id: "boat" }, "id")).toStrictEqual([]);
			}
		}
		expect(await firstGuild.robin.autocomplete("/job get", { id: "boat" }, "id")).toMatchObject([
			{ value: result.taskId },
		]);
	});
});

describe("a button that names a task of another server", () => {
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

	test.each(Object.entries(DENIALS))("does nothing: %s", async (action, key) => {
		const runsBefore = engine.runs.length;
		await answerTo(secondGuild.lena, "/settings general", { report_channel: secondGuild.channelId });
		const customId = taskButtonCustomIds[action as TaskAction].encode({ taskId: result.taskId });
		expect(await pressForged(secondGuild.robin, customId)).toBe(text(key));
		// Moderators may delete any message of the bot in their server: that message, not the one that the button names.
		const [replyText, expected] =
			action === "delete"
				? [await deleteForged(customId), text("privacy.resultDeleted")]
				: [await pressForged(secondGuild.lena, customId), text(key)];
		expect(replyText).toBe(expected);
		expect(engine.runs).toHaveLength(runsBefore);
		expect(await isResultIntact()).toBe(true);
		expect(await answerTo(secondGuild.robin, "/job list")).toBe(text("job.empty"));
	});

	test("does not act on a report of the first server", async () => {
		await answerTo(firstGuild.robin, "/settings general", { report_channel: firstGuild.channelId });
		const modal = await openForm(firstGuild.ada.context("Report", result.message));
		const thanks = await finalReply(firstGuild.ada.submit(modal, { reason: "too secret" }));
		expect(textOf(thanks)).toBe(text("report.thanks"));
		const before = await serverCreditsLeft(firstGuild.robin);
		for (const action of REPORT_ACTIONS) {
			const customId = reportActionCustomId.encode({
				action,
				taskId: result.taskId,
				reporterId: firstGuild.ada.me.user.id,
			});
			expect(await pressForged(secondGuild.lena, customId)).toBe(text("job.notFound"));
		}
		expect(await isResultIntact()).toBe(true);
		expect(await serverCreditsLeft(firstGuild.robin)).toBe(before);
		expect(await answerTo(firstGuild.robin, "/blocks")).toBe(text("block.empty"));
		expect(await answerTo(secondGuild.lena, "/blocks")).toBe(text("block.empty"));
		const reports = (await secondGuild.lena.messages()).filter((message) => textOf(message).includes("too secret"));
		// Lena sees the report in the first server, which she moderates too, and none in the second.
		expect(reports.map(({ channel_id: channelId }) => channelId)).toStrictEqual([firstGuild.channelId]);
	});
});

describe("credits", () => {
	test("are separate: spending, grants, limits and histories", async () => {
		const creditsBefore = {
			first: await serverCreditsLeft(firstGuild.robin),
			second: await serverCreditsLeft(secondGuild.lena),
		};
		expect(creditsBefore.second).toBe(500);
		expect(creditsBefore.first).toBeLessThan(500);
		await answerTo(firstGuild.robin, "/balance grant", { amount: 70, reason: "for the boats" });
		expect([await serverCreditsLeft(firstGuild.robin), await serverCreditsLeft(secondGuild.lena)]).toStrictEqual([
			creditsBefore.first + 70,
			500,
		]);
		await answerToImage(secondGuild.robin);
		expect([await serverCreditsLeft(firstGuild.robin), await serverCreditsLeft(secondGuild.lena)]).toStrictEqual([
			creditsBefore.first + 70,
			496,
		]);

		const history = await answerTo(secondGuild.lena, "/credits history");
		expect(history).toContain(`<@${secondGuild.robin.me.user.id}>`);
		expect(history).not.toContain("boats");
		expect(await answerTo(secondGuild.lena, "/usage")).not.toContain(`<@${firstGuild.ada.me.user.id}>`);
		await answerTo(firstGuild.robin, "/quota member", { member: firstGuild.robin.me.user.id, credits: 0 });
		expect(await answerToImage(firstGuild.robin)).not.toMatch(DELIVERED);
		expect(await answerToImage(secondGuild.robin)).toContain("492 left");
		await answerTo(firstGuild.robin, "/quota member", { member: firstGuild.robin.me.user.id, clear: true });
	});

	test("that were bought for one server are granted in it only", async () => {
		const [item] = (await secondGuild.robin.state()).skus;
		const creditsBefore = {
			here: await serverCreditsLeft(firstGuild.robin),
			there: await serverCreditsLeft(secondGuild.lena),
		};
		await openAdminClient(discordOrigin, secondGuild.guildId).buy(item?.id ?? "", secondGuild.robin.me.user.id, {
			isForGuild: true,
		});
		await expect.poll(() => serverCreditsLeft(secondGuild.lena), { timeout: 20_000 }).toBe(creditsBefore.there + 100);
		expect(await serverCreditsLeft(firstGuild.robin)).toBe(creditsBefore.here);
	});
});

describe("a setting of one server", () => {
	test("applies in no other: styles, blocks, a pause", async () => {
		await answerTo(firstGuild.robin, "/style add", { name: "Harbour", text: "the secret harbour" });
		expect(await secondGuild.lena.autocomplete("/style remove", { name: "" }, "name")).toStrictEqual([]);
		expect(await secondGuild.robin.autocomplete("/image", { prompt: "x", style: "h" }, "style")).toStrictEqual([]);
		expect(await answerTo(secondGuild.robin, "/style list")).toBe(text("style.listEmpty"));
		const unknown = plainText(await answerTo(secondGuild.robin, "/image", { prompt: "a boat", style: "Harbour" }));
		expect(unknown).not.toMatch(/harbour|left/);
		expect(await answerTo(secondGuild.lena, "/style remove", { name: "Harbour" })).not.toContain("secret");
		expect(plainText(await answerTo(firstGuild.robin, "/style list"))).toContain("the secret harbour");

		await answerTo(secondGuild.lena, "/block", { member: secondGuild.robin.me.user.id, reason: "too loud there" });
		expect(await answerToImage(secondGuild.robin)).toContain("too loud there");
		expect(await answerToImage(firstGuild.robin)).toMatch(DELIVERED);
		expect(await answerTo(firstGuild.robin, "/blocks")).toBe(text("block.empty"));
		await answerTo(secondGuild.lena, "/unblock", { member: secondGuild.robin.me.user.id });

		await answerTo(secondGuild.lena, "/settings pause", { on: true, message: "closed over there" });
		expect(await answerToImage(secondGuild.robin)).toContain("closed over there");
		expect(await answerToImage(firstGuild.robin)).toMatch(DELIVERED);
		await answerTo(secondGuild.lena, "/settings pause", { on: false });
		for (const log of [
			await answerTo(firstGuild.robin, "/settings audit"),
			await answerTo(firstGuild.robin, "/settings show"),
		])
			expect(log).not.toContain("over there");
	});

	test("is in the export of its server only, and an import rejects channels of another server", async () => {
		await answerTo(firstGuild.robin, "/settings general", { report_channel: firstGuild.channelId });
		const secondExport = await exportSettings(secondGuild.lena);
		expect(secondExport).not.toContain("harbour");
		const firstExport = await exportSettings(firstGuild.robin);
		expect(firstExport).toContain("harbour");
		const file = { name: "settings.json", contentType: "application/json" };
		const upload = await secondGuild.lena.upload({ ...file, bytes: Buffer.from(firstExport) });
		expect(plainText(await answerTo(secondGuild.lena, "/settings import", { file: upload }))).toContain(
			`the channel ${firstGuild.channelId} does not exist in this server`,
		);
		expect(await exportSettings(secondGuild.lena)).toBe(secondExport);
	});
});

test("a privacy command exports and deletes only the data of its own server", async () => {
	const attachments = filesOf(await finalReply(secondGuild.robin.type("/privacy export")));
	const exportText = (await secondGuild.robin.download(attachments[0] ?? { url: "" })).toString();
	expect(exportText).not.toContain(result.taskId);
	expect(exportText).not.toContain("secret");
	const question = await finalReply(secondGuild.robin.type("/privacy delete"));
	const deleted = await secondGuild.robin.press(question, { label: text("button.deleteData") });
	await deleted.until(({ components = [] }) => components.length === 0);
	expect(await answerTo(secondGuild.robin, "/job list")).toBe(text("job.empty"));
	expect(plainText(await answerTo(firstGuild.robin, "/job list"))).toContain("a secret boat");
});

test("a result link opens its own file, and no file of another server", async () => {
	// Discord accepts no file, so the reply has a link.
	const admin = openAdminClient(discordOrigin);
	await admin.setFiles({ bytesMax: 1, announcedBytesMax: 10 * 1024 * 1024 });
	const reply = await secondGuild.robin.type("/image", { prompt: "a boat over there" });
	const content = textOf(await reply.until(isFinalReply));
	await admin.reset();
	const resultPath = /https:\/\/bot\.example\.com(\/results\/[^\s>)]+)/.exec(content)?.[1] ?? "none";
	expect((await fetch(`${atelierOrigin}${resultPath}`)).status).toBe(200);
	const otherResultPath = resultPath.replace(reply.interactionId, result.taskId);
	expect(otherResultPath).not.toBe(resultPath);
	expect((await fetch(`${atelierOrigin}${otherResultPath}`)).status).toBe(404);
	expect(await answerTo(firstGuild.robin, "/job show", { id: reply.interactionId })).toBe(text("job.notFound"));
});
