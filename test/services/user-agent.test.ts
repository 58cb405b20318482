/** Each request that leaves the process names this program, so that an operator of another service knows whom to ask. */
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { systemClock as clock } from "@atelier/common/clock";
import { checkDiscord } from "../../src/doctor/check-discord.ts";
import { isRunning } from "../../src/http/health-probe.ts";
import { createDownload } from "@atelier/common/download";
import { createHttpMediaApi } from "../../src/services/generation/http-media-api.ts";
import { createDiscord } from "../../src/discord/client.ts";
import { createDeliveryRest } from "../../src/discord/delivery-rest.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { openSingleProcessCoordinator } from "../fakes/single-process-coordinator.ts";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { createModerationHook } from "../../src/services/moderation/moderation-hook.ts";
import { createServiceClient } from "@atelier/studio/engines/http-client";
import { followSocket } from "@atelier/studio/engines/comfyui/follow-socket";
import { createInputFetcher } from "@atelier/studio/fetch-input";
import { submission } from "./tasks/task-setup.ts";

const ATELIER = /^Atelier\/\d+\.\d+\.\d+$/;
/** Discord requires the prefix. */
const DISCORD_BOT = /^DiscordBot \(https:\/\/\S+, [\d.]+\).* Atelier\/[\d.]+$/;
const logger = pino({ level: "silent" });
const { signal } = new AbortController();

async function askDiscord(apiUrl: string): Promise<unknown> {
	const cluster = await openSingleProcessCoordinator();
	const discord = createDiscord({ apiUrl, shards: "auto", shardCount: "auto", cluster, clock, logger, onLost() {} });
	onTestFinished(() => discord.close());
	return await discord.client.rest.get("/gateway", { auth: false });
}

function openEngineSocket(origin: string): void {
	const stopping = new AbortController();
	onTestFinished(() => stopping.abort());
	followSocket({ url: origin.replace("http", "ws"), headers: {}, clock }, 1, () => {}, stopping.signal);
}

async function deliver(apiUrl: string): Promise<unknown> {
	const { waitForGlobalLimit } = await openSingleProcessCoordinator();
	return await createDeliveryRest({ apiUrl, token: "t", waitForGlobalLimit, logger, onLost() {} }).get("/gateway");
}

const serviceDeps = { apiKey: "key", profile: PROFILES.specification, clock, random: Math.random, logger };
const inputDeps = {
	ownFileOf: () => undefined,
	readOwnFile: async () => undefined,
	bytesMax: 10,
	totalBytesMax: 10,
	timeoutMs: 5_000,
};

test.each<[string, RegExp, (origin: string) => unknown]>([
	["the media service", ATELIER, (baseUrl) => createHttpMediaApi({ baseUrl, ...serviceDeps }).models(signal)],
	["the moderation service", ATELIER, (url) => createModerationHook({ url, apiKey: "key" }).reviewPrompt(submission)],
	[
		"the host of a result",
		ATELIER,
		(origin) => Array.fromAsync(createDownload({ clock, trustedOrigins: [origin] })(`${origin}/1.png`, signal)),
	],
	[
		"the host of an input",
		ATELIER,
		(origin) => createInputFetcher({ inputOrigins: () => [origin], ...inputDeps })([`${origin}/1.png`], signal),
	],
	["an engine", ATELIER, (url) => createServiceClient({ url, timeoutMs: 5_000, clock }).json("/jobs", { signal })],
	["an engine's socket", ATELIER, openEngineSocket],
	[
		"a process of this program",
		ATELIER,
		(origin) => isRunning({ HOST: "127.0.0.1", PORT: Number(new URL(origin).port) }),
	],
	["Discord, from the doctor,", DISCORD_BOT, (apiUrl) => Array.fromAsync(checkDiscord({ token: "t", apiUrl, clock }))],
	["Discord, from the bot,", DISCORD_BOT, askDiscord],
	["Discord, from the delivery of results,", DISCORD_BOT, deliver],
])("%s gets the user agent %s", async (_what, expected, sendTo) => {
	const received = Promise.withResolvers<string>();
	const origin = await openHttpServer(({ headers }, response) => {
		received.resolve(headers["user-agent"] ?? "none");
		return response.writeHead(404).end();
	});
	void Promise.try(() => sendTo(origin)).catch(() => {});
	expect(await received.promise).toMatch(expected);
});
