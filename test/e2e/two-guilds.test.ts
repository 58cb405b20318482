/**
 * Isolation of guilds: no data of one guild is visible or changeable from another, neither for a member of both, nor
 * for the owner of the other one, nor by a button with a task id of the first. One Atelier serves both guilds.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	ButtonStyle,
	ComponentType,
	InteractionResponseType,
	MessageFlags,
	TextInputStyle,
	type APIMessage,
} from "discord-api-types/v10";
import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { moderateIds } from "../../src/discord/report-buttons.ts";
import { taskButtonIds } from "../../src/discord/task-buttons.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openUserClient, type UserClient, type Reply } from "@atelier/playground/user-client";
import { createPlayground, type Playground } from "@atelier/playground/playground";
import type { TaskAction } from "../../src/services/delivery/reply-client.ts";
import { REPORT_ACTIONS } from "../../src/services/moderation/reported-results.ts";
import { t, type PlainKey, type MessageRef } from "../../src/i18n/messages.ts";
import { createFakeEngine, type FakeEngine } from "@atelier/studio/testing/fake-engine";
import { creditsLeft } from "./start-atelier.ts";
import { openWire, type Wire } from "@atelier/playground/testing/setup";
import { answerTo, image, plain } from "./server.ts";

const releases: (() => Promise<void>)[] = [];
let engine: FakeEngine;
/** A second session of the bot's, which hears of what the first is kept from. */
let wire: Wire;
let playground: Playground;
let discord = "";
let atelier = "";
/** You own this server; Ada and Grace are members. */
let here: { readonly you: UserClient; readonly ada: UserClient; readonly channelId: string };
/** Lena owns this one; You are a member. */
let there: {
	readonly lena: UserClient;
	readonly you: UserClient;
	readonly guildId: string;
	readonly channelId: string;
};
/** An image that the first user generated here. */
let completed: { readonly id: string; readonly message: APIMessage };

beforeAll(async () => {
	const app = fastify({ forceCloseConnections: true });
	playground = createPlayground({ clock: systemClock, logger: pino({ level: "silent" }), origin: () => discord });
	await playground.register(app);
	discord = await app.listen({ port: 0, host: "127.0.0.1" });
	releases.push(
		() => playground.close(),
		() => app.close(),
	);

	const folder = await mkdtemp(join(tmpdir(), "atelier-test-"));
	releases.push(() => rm(folder, { recursive: true, force: true }));
	engine = createFakeEngine();
	const [item] = (await openAdminClient(discord).state()).skus;
	const config = loadConfig({
		PORT: "0",
		STORE_URL: "memory:",
		DATA_DIR: folder,
		DISCORD_TOKEN: playground.botToken,
		DISCORD_API_URL: `${discord}/api`,
		PUBLIC_URL: "https://bot.example.com",
		TOP_UP_ITEMS: `${item?.id}:100`,
	});
	const logger = createLogger({ level: "trace", pretty: false, destination: { write() {} } });
	const started = await createApp(config, logger, { engines: [engine] });
	releases.push(() => started.stop());
	atelier = started.origin;

	const open = async (user?: string, guild?: string): Promise<UserClient> => {
		const userClient = await openUserClient(discord, { ...(user && { user }), ...(guild && { guild }) });
		releases.push(() => userClient.close());
		return userClient;
	};
	const you = await open();
	const { users, guilds } = await you.state();
	const [first, second] = guilds;
	const idOf = (name: string): string => users.find(({ user }) => user.username === name)?.user.id ?? "none";
	// One locale for all users, so that texts are comparable.
	const adminClient = openAdminClient(discord, second?.id);
	await adminClient.setGuild({ locale: "en-US" });
	await adminClient.setMember(idOf("lena"), { locale: "en-US" });
	here = { you, ada: await open(idOf("ada"), first?.id), channelId: first?.channelIds[0] ?? "" };
	there = {
		lena: await open(idOf("lena"), second?.id),
		you: await open(idOf("you"), second?.id),
		guildId: second?.id ?? "",
		channelId: second?.channelIds[0] ?? "",
	};
	const reply = await here.you.type("/image", { prompt: "a secret boat" });
	completed = { id: reply.interactionId, message: await reply.until(isFinalReply) };
	// Connected after the bot, so that events missed by this client were missed by the bot.
	wire = await openWire(`${discord.replace("http", "ws")}/playground/gateway?v=10&encoding=json`);
	releases.push(() => wire.close());
	wire.send({ op: 2, d: { token: playground.botToken, properties: {}, intents: 0 } });
	await wire.until((packet) => packet.t === "READY");
}, 60_000);

afterAll(async () => {
	for (const release of releases.toReversed()) await release();
}, 60_000);

const words = (key: PlainKey): string => t("en-US", { key } as MessageRef);

const asBot = (method: string, path: string, body: object): Promise<Response> =>
	fetch(`${discord}/api/v10${path}`, {
		method,
		headers: { authorization: `Bot ${playground.botToken}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});

/** A message of the bot in the other guild with one forged button. */
async function forged(customId: string): Promise<APIMessage> {
	const button = { type: ComponentType.Button, style: ButtonStyle.Secondary, label: "Press", custom_id: customId };
	const components = [{ type: ComponentType.ActionRow, components: [button] }];
	const response = await asBot("POST", `/channels/${there.channelId}/messages`, { content: "Press me", components });
	expect(response.status).toBe(200);
	return (await response.json()) as APIMessage;
}

/** The ephemeral response; if the response updates a message, its follow-up. */
async function readAlone(reply: Reply): Promise<string> {
	const saying = (): APIMessage | undefined =>
		reply.messages().find((shown) => isFinalReply(shown) && ((shown.flags ?? 0) & MessageFlags.Ephemeral) !== 0);
	await expect.poll(saying, { timeout: 20_000 }).toBeDefined();
	return saying()?.content ?? "";
}

async function pressed(userClient: UserClient, customId: string): Promise<string> {
	return readAlone(await userClient.press(await forged(customId), { customId }));
}

/** Submits a modal in the other guild that the bot never opened there, with a forged custom id. */
async function sent(
	userClient: UserClient,
	customId: string,
	fields: Readonly<Record<string, string>>,
): Promise<string> {
	await openAdminClient(discord).injectEvent({ act: "drop", event: "INTERACTION_CREATE", times: 1 });
	const { interactionId } = await userClient.type("/help");
	const { d } = await wire.until((packet) => packet.t === "INTERACTION_CREATE" && packet.d["id"] === interactionId);
	const components = Object.keys(fields).map((name) => ({
		type: ComponentType.Label,
		label: name,
		component: { type: ComponentType.TextInput, custom_id: name, style: TextInputStyle.Paragraph },
	}));
	const modal = { type: InteractionResponseType.Modal, data: { custom_id: customId, title: "Form", components } };
	const path = `/interactions/${interactionId}/${String(d["token"])}/callback`;
	expect(await asBot("POST", path, modal)).toMatchObject({ status: 204 });
	return readAlone(await userClient.submit({ interactionId }, fields));
}

async function settingsFileOf(userClient: UserClient): Promise<string> {
	const { attachments } = await (await userClient.type("/settings export")).until(isFinalReply);
	return (await userClient.download(attachments[0] ?? { url: "" })).toString();
}

const isStillThere = async (): Promise<boolean> =>
	(await here.you.messages()).some(({ id, attachments }) => id === completed.message.id && attachments.length === 1);

describe("a task of another guild", () => {
	test("is neither listed, suggested nor found, for its member and for the owner of the other guild", async () => {
		expect(await answerTo(here.you, "/job list")).toContain(completed.id);
		for (const asker of [there.you, there.lena]) {
			expect(await answerTo(asker, "/job list", { member: there.you.me.user.id })).toBe(words("jobsEmpty"));
			for (const name of ["show", "get", "cancel"]) {
				for (const id of [completed.id, "4711", "../../etc/passwd"])
					expect(await answerTo(asker, `/job ${name}`, { id })).toBe(words("jobNotFound"));
				for (const typed of ["", "boat", completed.id])
					expect(await asker.autocomplete(`/job ${name}`, { id: typed }, "id")).toStrictEqual([]);
			}
		}
		expect(await here.you.autocomplete("/job get", { id: "boat" }, "id")).toMatchObject([{ value: completed.id }]);
	});

	test("continues, for any user who tries to cancel it from there", async () => {
		engine.script.push({ kind: "hang" });
		const runs = engine.runs.length;
		const reply = await here.you.type("/video", { prompt: "a slow boat" });
		await expect.poll(() => engine.runs.length).toBe(runs + 1);
		for (const asker of [there.you, there.lena]) {
			expect(await answerTo(asker, "/job cancel", { id: reply.interactionId })).toBe(words("jobNotFound"));
			const customId = taskButtonIds.cancel.write({ taskId: reply.interactionId });
			expect(await pressed(asker, customId)).toBe(words("jobNotFound"));
		}
		expect(engine.runs[runs]?.signal.aborted).toBe(false);
		engine.runs[runs]?.finish();
		expect((await reply.until(isFinalReply)).attachments).toHaveLength(1);
	});
});

describe("a button with a task id of another guild", () => {
	const REFUSALS: Readonly<Record<TaskAction, PlainKey>> = {
		cancel: "jobNotFound",
		again: "sourceGone",
		vary: "sourceGone",
		edit: "sourceGone",
		animate: "sourceGone",
		input: "sourceGone",
		upscale: "sourceGone",
		report: "jobNotFound",
		delete: "othersResult",
		confirm: "proposalGone",
		decline: "proposalGone",
	};

	test.each(Object.entries(REFUSALS))("does nothing: %s", async (action, key) => {
		const runs = engine.runs.length;
		await answerTo(there.lena, "/settings general", { report_channel: there.channelId });
		const customId = taskButtonIds[action as TaskAction].write({ taskId: completed.id });
		expect(await pressed(there.you, customId)).toBe(words(key));
		// Moderators may delete any message of the bot in their guild: that message only, not the one that it names.
		const asOwner = action === "delete" ? words("resultDeleted") : words(key);
		expect(await pressed(there.lena, customId)).toBe(asOwner);
		expect(engine.runs).toHaveLength(runs);
		expect(await isStillThere()).toBe(true);
		expect(await answerTo(there.you, "/job list")).toBe(words("jobsEmpty"));
	});

	test("decides no confirmation there", async () => {
		await answerTo(here.you, "/settings general", { confirm_above: 1 });
		const asked = await here.you.type("/image", { prompt: "a dear boat" });
		const question = await asked.until(({ components = [] }) => components.length > 0);
		const runs = engine.runs.length;
		for (const action of ["confirm", "decline"] as const)
			expect(await pressed(there.you, taskButtonIds[action].write({ taskId: asked.interactionId }))).toBe(
				words("proposalGone"),
			);
		expect(engine.runs).toHaveLength(runs);
		const declined = await here.you.press(question, {
			customId: taskButtonIds.decline.write({ taskId: asked.interactionId }),
		});
		await declined.until(({ content }) => content === words("proposalDeclined"));
		await answerTo(here.you, "/settings general", { unset: "confirmAbove" });
	});

	test("handles no report there: deletes, blocks and refunds are not executed", async () => {
		await answerTo(here.you, "/settings general", { report_channel: here.channelId });
		const modal = await (await here.ada.context("Report", completed.message)).modal();
		const thanks = await (await here.ada.submit(modal, { reason: "too secret" })).until(isFinalReply);
		expect(thanks.content).toBe(words("reportThanks"));
		const before = await creditsLeft(here.you);
		for (const action of REPORT_ACTIONS) {
			const customId = moderateIds.write({ action, taskId: completed.id, reporterId: here.ada.me.user.id });
			expect(await pressed(there.lena, customId)).toBe(words("jobNotFound"));
		}
		expect(await isStillThere()).toBe(true);
		expect(await creditsLeft(here.you)).toBe(before);
		expect(await answerTo(here.you, "/blocks")).toBe(words("blocksEmpty"));
		expect(await answerTo(there.lena, "/blocks")).toBe(words("blocksEmpty"));
		const told = (await there.lena.messages()).filter(({ content }) => content.includes("too secret"));
		// She moderates that server as well; in her own nothing was said of it.
		expect(told.map(({ channel_id: channelId }) => channelId)).toStrictEqual([here.channelId]);
	});

	test("does not reveal it by the context menu of its message", async () => {
		const message = await forged(taskButtonIds.report.write({ taskId: completed.id }));
		const refused = await (await there.lena.context("Report", message)).until(isFinalReply);
		expect(refused.content).toBe(words("jobNotFound"));
		const unsaved = await (await there.lena.context("Save as style", message)).until(isFinalReply);
		expect(unsaved.content).toBe(words("sourceGone"));
	});
});

describe("a form with a task id of another guild", () => {
	test.each([
		["edit", "sourceGone", { prompt: "the same again" }],
		["input", "sourceGone", { prompt: "the same again" }],
		["report", "jobNotFound", { reason: "give it to me" }],
		["style", "sourceGone", { name: "Mine", text: "all mine" }],
	] as const)("does nothing: %s", async (name, key, fields) => {
		const runs = engine.runs.length;
		await answerTo(there.lena, "/settings general", { report_channel: there.channelId });
		expect(await sent(there.lena, `1:${name}:${completed.id}`, fields)).toBe(words(key));
		expect(engine.runs).toHaveLength(runs);
	});
});

describe("a message of another guild", () => {
	test("is not found by context menu commands", async () => {
		for (const name of ["Report", "Animate", "Make variations"]) {
			// Its id, with a channel of the server that they are in.
			const elsewhere = { id: completed.message.id, channel_id: there.channelId };
			await expect(there.you.context(name, elsewhere)).rejects.toThrow("was deleted");
		}
	});
});

describe("credits", () => {
	test("are separate: spending, grants, limits and notifications", async () => {
		const before = { here: await creditsLeft(here.you), there: await creditsLeft(there.lena) };
		expect(before.there).toBe(500);
		expect(before.here).toBeLessThan(500);
		await answerTo(here.you, "/credits grant", { amount: 70, reason: "for the boats" });
		expect([await creditsLeft(here.you), await creditsLeft(there.lena)]).toStrictEqual([before.here + 70, 500]);
		await image(there.you);
		expect([await creditsLeft(here.you), await creditsLeft(there.lena)]).toStrictEqual([before.here + 70, 496]);

		const history = await answerTo(there.lena, "/credits history");
		expect(history).toContain(`<@${there.you.me.user.id}>`);
		expect(history).not.toContain("boats");
		expect(await answerTo(there.you, "/credits history")).not.toContain("boats");
		expect(await answerTo(there.lena, "/usage")).not.toContain(`<@${here.ada.me.user.id}>`);
		await answerTo(here.you, "/quota member", { member: here.you.me.user.id, credits: 0 });
		expect(await image(here.you)).not.toContain("left");
		expect(await image(there.you)).toContain("492 left");
		await answerTo(here.you, "/quota member", { member: here.you.me.user.id, clear: true });
	});

	test("bought for one guild are granted there only", async () => {
		const [item] = (await there.you.state()).skus;
		const before = { here: await creditsLeft(here.you), there: await creditsLeft(there.lena) };
		await openAdminClient(discord, there.guildId).buy(item?.id ?? "", there.you.me.user.id, { isForGuild: true });
		await expect.poll(() => creditsLeft(there.lena), { timeout: 20_000 }).toBe(before.there + 100);
		expect(await creditsLeft(here.you)).toBe(before.here);
	});
});

describe("a setting of one guild", () => {
	test("does not affect others: styles, filter, blocks, pause", async () => {
		await answerTo(here.you, "/style add", { name: "Harbour", text: "the secret harbour" });
		expect(await there.lena.autocomplete("/style remove", { name: "" }, "name")).toStrictEqual([]);
		expect(await there.you.autocomplete("/image", { prompt: "x", style: "h" }, "style")).toStrictEqual([]);
		expect(await answerTo(there.you, "/style list")).toBe(words("stylesEmpty"));
		const unknown = plain(await answerTo(there.you, "/image", { prompt: "a boat", style: "Harbour" }));
		expect(unknown).not.toContain("harbour");
		expect(unknown).not.toContain("left");
		expect(await answerTo(there.lena, "/style remove", { name: "Harbour" })).not.toContain("secret");
		expect(plain(await answerTo(here.you, "/style list"))).toContain("the secret harbour");

		await answerTo(there.lena, "/block", { member: there.you.me.user.id, reason: "too loud there" });
		expect(await image(there.you)).toContain("too loud there");
		expect(await image(here.you)).toContain("left");
		expect(await answerTo(here.you, "/blocks")).toBe(words("blocksEmpty"));
		await answerTo(there.lena, "/unblock", { member: there.you.me.user.id });

		await answerTo(there.lena, "/settings pause", { on: true, sentence: "closed over there" });
		expect(await image(there.you)).toContain("closed over there");
		expect(await image(here.you)).toContain("left");
		await answerTo(there.lena, "/settings pause", { on: false });
		for (const log of [await answerTo(here.you, "/settings audit"), await answerTo(here.you, "/settings show")])
			expect(log).not.toContain("over there");
	});

	test("is exported alone, and an import rejects channels of another guild", async () => {
		await answerTo(here.you, "/settings general", { report_channel: here.channelId });
		const theirs = await settingsFileOf(there.lena);
		expect(theirs).not.toContain("harbour");
		const ours = await settingsFileOf(here.you);
		expect(ours).toContain("harbour");
		const file = { name: "settings.json", contentType: "application/json" };
		const taken = await there.lena.upload({ ...file, bytes: Buffer.from(ours) });
		expect(plain(await answerTo(there.lena, "/settings import", { file: taken }))).toContain(
			`there is no channel ${here.channelId} in this server`,
		);
		expect(await settingsFileOf(there.lena)).toBe(theirs);
		const own = await there.lena.upload({ ...file, bytes: Buffer.from(theirs) });
		await answerTo(there.lena, "/settings import", { file: own });
		expect(await settingsFileOf(here.you)).toBe(ours);
	});
});

describe("personal data", () => {
	test("is exported and deleted for the guild of the command only", async () => {
		const { attachments } = await (await there.you.type("/privacy export")).until(isFinalReply);
		const text = (await there.you.download(attachments[0] ?? { url: "" })).toString();
		expect(text).not.toContain(completed.id);
		expect(text).not.toContain("secret");
		const asked = await (await there.you.type("/privacy delete")).until(isFinalReply);
		const forgotten = await there.you.press(asked, { label: words("buttonForget") });
		await forgotten.until(({ components = [] }) => components.length === 0);
		expect(await answerTo(there.you, "/job list")).toBe(words("jobsEmpty"));
		expect(await answerTo(here.you, "/job list")).toContain(completed.id);
	});
});

describe("a result link", () => {
	test("leads to its own file, and to none of another guild", async () => {
		// Refused everywhere, so that a link takes its place.
		const adminClient = openAdminClient(discord);
		await adminClient.setFiles({ bytesMax: 1, announcedBytesMax: 10 * 1024 * 1024 });
		const reply = await there.you.type("/image", { prompt: "a boat over there" });
		const { content } = await reply.until(isFinalReply);
		await adminClient.reset();
		const address = /https:\/\/bot\.example\.com(\/results\/[^\s>)]+)/.exec(content)?.[1] ?? "none";
		expect((await fetch(`${atelier}${address}`)).status).toBe(200);
		const elsewhere = address.replace(reply.interactionId, completed.id);
		expect(elsewhere).not.toBe(address);
		expect((await fetch(`${atelier}${elsewhere}`)).status).toBe(404);
		expect(await answerTo(here.you, "/job show", { id: reply.interactionId })).toBe(words("jobNotFound"));
	});
});

test("no response of the playground was one that Discord could not send", () => {
	expect(playground.violations).toStrictEqual([]);
});
