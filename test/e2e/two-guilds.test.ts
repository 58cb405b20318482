/**
 * Isolation of servers: no data of one server is visible or changeable from another, neither for a member of both, nor
 * for the owner of the other one, nor with a button that names a task of the first. One bot serves both servers.
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
import type { MessageRef } from "../../src/i18n/message-ref.ts";
import type { PlainKey } from "../../src/i18n/message-params.ts";
import { t } from "../../src/i18n/messages.ts";
import { creditsLeft } from "./start-atelier.ts";
import { answerTo, image, isPrivate, plain } from "./server.ts";

const cleanups = new AsyncDisposableStack();
let engine: FakeEngine;
let playground: Playground;
let discordOrigin = "";
let atelierOrigin = "";
/** The first server, as its owner `you` and its member Ada see it. */
let here: { readonly you: UserClient; readonly ada: UserClient; readonly channelId: string };
/** The second server: Lena owns it and moderates the first one, and `you` is only a member here. */
let there: {
	readonly lena: UserClient;
	readonly you: UserClient;
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
	const you = await open();
	const { users, guilds } = await you.state();
	const [first, second] = guilds;
	const idOf = (name: string): string => users.find(({ user }) => user.username === name)?.user.id ?? "none";
	// One locale for all users, so that texts are comparable.
	const admin = openAdminClient(discordOrigin, second?.id);
	await admin.setGuild({ locale: "en-US" });
	await admin.setMember(idOf("lena"), { locale: "en-US" });
	here = { you, ada: await open(idOf("ada"), first?.id), channelId: first?.channelIds[0] ?? "" };
	there = {
		lena: await open(idOf("lena"), second?.id),
		you: await open(idOf("robin"), second?.id),
		guildId: second?.id ?? "",
		channelId: second?.channelIds[0] ?? "",
	};
	const reply = await here.you.type("/image", { prompt: "a secret boat" });
	result = { taskId: reply.interactionId, message: await reply.until(isFinalReply) };
}, 60_000);

afterAll(() => cleanups.disposeAsync(), 60_000);

const text = (key: PlainKey): string => t("en-US", { key } as MessageRef);

/** Posts a message of the bot in the second server with one forged button. */
async function forge(customId: string): Promise<APIMessage> {
	const button = { type: ComponentType.Button, style: ButtonStyle.Secondary, label: "Press", custom_id: customId };
	const components = [{ type: ComponentType.ActionRow, components: [button] }];
	const response = await fetch(`${discordOrigin}/api/v10/channels/${there.channelId}/messages`, {
		method: "POST",
		headers: { authorization: `Bot ${playground.botToken}`, "content-type": "application/json" },
		body: JSON.stringify({ content: "Press me", components }),
	});
	expect(response.status).toBe(200);
	return (await response.json()) as APIMessage;
}

/** The ephemeral response to a forged button. */
async function pressForged(userClient: UserClient, customId: string): Promise<string> {
	const reply = await userClient.press(await forge(customId), { customId });
	const find = (): APIMessage | undefined =>
		reply.messages().find((message) => isFinalReply(message) && isPrivate(message));
	await expect.poll(find, { timeout: 20_000 }).toBeDefined();
	const found = find();
	return found ? textOf(found) : "";
}

/** The ephemeral response to a forged Delete, confirmed by the owner. */
async function deleteForged(customId: string): Promise<string> {
	const modal = await (await there.lena.press(await forge(customId), { customId })).modal();
	const deletion = await there.lena.submit(modal);
	const find = (): APIMessage | undefined => deletion.messages().find((message) => isPrivate(message));
	await expect.poll(find, { timeout: 20_000 }).toBeDefined();
	const found = find();
	return found ? textOf(found) : "";
}

async function exportSettings(userClient: UserClient): Promise<string> {
	const attachments = filesOf(await (await userClient.type("/settings export")).until(isFinalReply));
	return (await userClient.download(attachments[0] ?? { url: "" })).toString();
}

const isResultIntact = async (): Promise<boolean> =>
	(await here.you.messages()).some((message) => message.id === result.message.id && filesOf(message).length === 1);

describe("a task of another server", () => {
	test("is neither listed nor offered nor found, even for the member who created it, and for the owner of the other server", async () => {
		expect(plain(await answerTo(here.you, "/job list"))).toContain("a secret boat");
		for (const asker of [there.you, there.lena]) {
			expect(await answerTo(asker, "/job list", { member: there.you.me.user.id })).toBe(text("job.empty"));
			for (const name of ["show", "get", "cancel"]) {
				for (const id of [result.taskId, "../../etc/passwd"])
					expect(await answerTo(asker, `/job ${name}`, { id })).toBe(text("job.notFound"));
				expect(await asker.autocomplete(`/job ${name}`, { id: "boat" }, "id")).toStrictEqual([]);
			}
		}
		expect(await here.you.autocomplete("/job get", { id: "boat" }, "id")).toMatchObject([{ value: result.taskId }]);
	});
});

describe("a button that names a task of another server", () => {
	const DENIALS: Readonly<Record<TaskAction, PlainKey>> = {
		cancel: "job.notFound",
		ping: "job.notFound",
		again: "request.sourceGone",
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
		const runs = engine.runs.length;
		await answerTo(there.lena, "/settings general", { report_channel: there.channelId });
		const customId = taskButtonCustomIds[action as TaskAction].encode({ taskId: result.taskId });
		expect(await pressForged(there.you, customId)).toBe(text(key));
		// Moderators may delete any message of the bot in their server: that message, not the one that the button names.
		const [answer, expected] =
			action === "delete"
				? [await deleteForged(customId), text("privacy.resultDeleted")]
				: [await pressForged(there.lena, customId), text(key)];
		expect(answer).toBe(expected);
		expect(engine.runs).toHaveLength(runs);
		expect(await isResultIntact()).toBe(true);
		expect(await answerTo(there.you, "/job list")).toBe(text("job.empty"));
	});

	test("does not act on a report there: delete, block and refund", async () => {
		await answerTo(here.you, "/settings general", { report_channel: here.channelId });
		const modal = await (await here.ada.context("Report", result.message)).modal();
		const thanks = await (await here.ada.submit(modal, { reason: "too secret" })).until(isFinalReply);
		expect(textOf(thanks)).toBe(text("report.thanks"));
		const before = await creditsLeft(here.you);
		for (const action of REPORT_ACTIONS) {
			const customId = reportActionCustomId.encode({ action, taskId: result.taskId, reporterId: here.ada.me.user.id });
			expect(await pressForged(there.lena, customId)).toBe(text("job.notFound"));
		}
		expect(await isResultIntact()).toBe(true);
		expect(await creditsLeft(here.you)).toBe(before);
		expect(await answerTo(here.you, "/blocks")).toBe(text("block.empty"));
		expect(await answerTo(there.lena, "/blocks")).toBe(text("block.empty"));
		const reports = (await there.lena.messages()).filter((message) => textOf(message).includes("too secret"));
		// She also moderates the first server; no report is in her own.
		expect(reports.map(({ channel_id: channelId }) => channelId)).toStrictEqual([here.channelId]);
	});
});

describe("credits", () => {
	test("are separate: spending, grants, limits and notifications", async () => {
		const before = { here: await creditsLeft(here.you), there: await creditsLeft(there.lena) };
		expect(before.there).toBe(500);
		expect(before.here).toBeLessThan(500);
		await answerTo(here.you, "/balance grant", { amount: 70, reason: "for the boats" });
		expect([await creditsLeft(here.you), await creditsLeft(there.lena)]).toStrictEqual([before.here + 70, 500]);
		await image(there.you);
		expect([await creditsLeft(here.you), await creditsLeft(there.lena)]).toStrictEqual([before.here + 70, 496]);

		const history = await answerTo(there.lena, "/credits history");
		expect(history).toContain(`<@${there.you.me.user.id}>`);
		expect(history).not.toContain("boats");
		expect(await answerTo(there.lena, "/usage")).not.toContain(`<@${here.ada.me.user.id}>`);
		await answerTo(here.you, "/quota member", { member: here.you.me.user.id, credits: 0 });
		expect(await image(here.you)).not.toContain("left");
		expect(await image(there.you)).toContain("492 left");
		await answerTo(here.you, "/quota member", { member: here.you.me.user.id, clear: true });
	});

	test("that were bought for one server are granted in it only", async () => {
		const [item] = (await there.you.state()).skus;
		const before = { here: await creditsLeft(here.you), there: await creditsLeft(there.lena) };
		await openAdminClient(discordOrigin, there.guildId).buy(item?.id ?? "", there.you.me.user.id, { isForGuild: true });
		await expect.poll(() => creditsLeft(there.lena), { timeout: 20_000 }).toBe(before.there + 100);
		expect(await creditsLeft(here.you)).toBe(before.here);
	});
});

describe("a setting of one server", () => {
	test("applies in no other: styles, blocks, a pause", async () => {
		await answerTo(here.you, "/style add", { name: "Harbour", text: "the secret harbour" });
		expect(await there.lena.autocomplete("/style remove", { name: "" }, "name")).toStrictEqual([]);
		expect(await there.you.autocomplete("/image", { prompt: "x", style: "h" }, "style")).toStrictEqual([]);
		expect(await answerTo(there.you, "/style list")).toBe(text("style.listEmpty"));
		const unknown = plain(await answerTo(there.you, "/image", { prompt: "a boat", style: "Harbour" }));
		expect(unknown).not.toMatch(/harbour|left/);
		expect(await answerTo(there.lena, "/style remove", { name: "Harbour" })).not.toContain("secret");
		expect(plain(await answerTo(here.you, "/style list"))).toContain("the secret harbour");

		await answerTo(there.lena, "/block", { member: there.you.me.user.id, reason: "too loud there" });
		expect(await image(there.you)).toContain("too loud there");
		expect(await image(here.you)).toContain("left");
		expect(await answerTo(here.you, "/blocks")).toBe(text("block.empty"));
		await answerTo(there.lena, "/unblock", { member: there.you.me.user.id });

		await answerTo(there.lena, "/settings pause", { on: true, message: "closed over there" });
		expect(await image(there.you)).toContain("closed over there");
		expect(await image(here.you)).toContain("left");
		await answerTo(there.lena, "/settings pause", { on: false });
		for (const log of [await answerTo(here.you, "/settings audit"), await answerTo(here.you, "/settings show")])
			expect(log).not.toContain("over there");
	});

	test("is in the export of its server only, and an import rejects channels of another server", async () => {
		await answerTo(here.you, "/settings general", { report_channel: here.channelId });
		const theirs = await exportSettings(there.lena);
		expect(theirs).not.toContain("harbour");
		const ours = await exportSettings(here.you);
		expect(ours).toContain("harbour");
		const file = { name: "settings.json", contentType: "application/json" };
		const upload = await there.lena.upload({ ...file, bytes: Buffer.from(ours) });
		expect(plain(await answerTo(there.lena, "/settings import", { file: upload }))).toContain(
			`the channel ${here.channelId} does not exist in this server`,
		);
		expect(await exportSettings(there.lena)).toBe(theirs);
	});
});

test("personal data are exported and deleted in the server in which the member asks", async () => {
	const attachments = filesOf(await (await there.you.type("/privacy export")).until(isFinalReply));
	const exported = (await there.you.download(attachments[0] ?? { url: "" })).toString();
	expect(exported).not.toContain(result.taskId);
	expect(exported).not.toContain("secret");
	const question = await (await there.you.type("/privacy delete")).until(isFinalReply);
	const deleted = await there.you.press(question, { label: text("button.deleteData") });
	await deleted.until(({ components = [] }) => components.length === 0);
	expect(await answerTo(there.you, "/job list")).toBe(text("job.empty"));
	expect(plain(await answerTo(here.you, "/job list"))).toContain("a secret boat");
});

test("a result link opens its own file, and no file of another server", async () => {
	// Discord accepts no file, so the reply has a link.
	const admin = openAdminClient(discordOrigin);
	await admin.setFiles({ bytesMax: 1, announcedBytesMax: 10 * 1024 * 1024 });
	const reply = await there.you.type("/image", { prompt: "a boat over there" });
	const content = textOf(await reply.until(isFinalReply));
	await admin.reset();
	const address = /https:\/\/bot\.example\.com(\/results\/[^\s>)]+)/.exec(content)?.[1] ?? "none";
	expect((await fetch(`${atelierOrigin}${address}`)).status).toBe(200);
	const elsewhere = address.replace(reply.interactionId, result.taskId);
	expect(elsewhere).not.toBe(address);
	expect((await fetch(`${atelierOrigin}${elsewhere}`)).status).toBe(404);
	expect(await answerTo(here.you, "/job show", { id: reply.interactionId })).toBe(text("job.notFound"));
});
