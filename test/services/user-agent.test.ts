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

const ATELIER_USER_AGENT = /^Atelier\/\d+\.\d+\.\d+$/;
const logger = pino({ level: "silent" });
const { signal } = new AbortController();
const model = { model: "far-1", modelName: "Far", costCredits: 4, typicalSeconds: 10 };
const request = { ...model, prompt: "a boat", mediaType: "image", scene: "text-to-image", options: {} } as const;

/** Lets the product send a request to another HTTP server. Resolves to the user agent that this server received. */
async function userAgentOf(sendTo: (origin: string) => unknown): Promise<string> {
	const received = Promise.withResolvers<string>();
	const origin = await openHttpServer(({ headers }, response) => {
		received.resolve(headers["user-agent"] ?? "none");
		return response.writeHead(404).end();
	});
	void Promise.try(() => sendTo(origin)).catch(() => {});
	return await received.promise;
}

test.each<[string, (origin: string) => unknown]>([
	[
		"the media service",
		(baseUrl) =>
			createHttpMediaApi({
				baseUrl,
				apiKey: "key",
				profile: PROFILES.specification,
				clock,
				random: Math.random,
				logger,
			}).models(signal),
	],
	[
		"the moderation service",
		(url) => createModerationHook({ url, apiKey: "key" }).reviewPrompt({ guildId: "1", userId: "2", request }),
	],
	[
		"the host of a result",
		(origin) => Array.fromAsync(createDownload({ clock, trustedOrigins: [origin] })(`${origin}/1.png`, signal)),
	],
	[
		"the host of an input",
		(origin) =>
			createInputFetcher({
				inputOrigins: () => [origin],
				ownFileOf: () => undefined,
				readOwnFile: async () => undefined,
				bytesMax: 10,
				timeoutMs: 5_000,
			})([`${origin}/1.png`], signal),
	],
	["an engine", (url) => createServiceClient({ url, timeoutMs: 5_000, clock }).json("/jobs", { signal })],
	[
		"an engine's socket",
		(origin) => {
			const stopping = new AbortController();
			onTestFinished(() => stopping.abort());
			followSocket({ url: origin.replace("http", "ws"), headers: {}, clock }, 1, () => {}, stopping.signal);
		},
	],
	["a process of this program", (origin) => isRunning({ HOST: "127.0.0.1", PORT: Number(new URL(origin).port) })],
])("%s gets the program's name and version as user agent", async (_what, sendTo) => {
	expect(await userAgentOf(sendTo)).toMatch(ATELIER_USER_AGENT);
});

test.each<[string, (apiUrl: string) => unknown]>([
	["the doctor", (apiUrl) => Array.fromAsync(checkDiscord({ token: "t", apiUrl, clock }))],
	["the bot", async (apiUrl) => (await openDiscord(apiUrl)).client.rest.get("/gateway", { auth: false })],
	[
		"the delivery of results",
		async (apiUrl) => {
			const { globalRateLimit } = await openSingleProcessCoordinator();
			return createDeliveryRest({ apiUrl, token: "t", globalRateLimit, logger, onLost() {} }).get("/gateway");
		},
	],
])("Discord gets the user agent from %s, with the required prefix", async (_what, sendTo) => {
	expect(await userAgentOf(sendTo)).toMatch(/^DiscordBot \(https:\/\/\S+, [\d.]+\).* Atelier\/[\d.]+$/);
});

async function openDiscord(apiUrl: string) {
	const cluster = await openSingleProcessCoordinator();
	const discord = createDiscord({
		apiUrl,
		shards: "auto",
		shardCount: "auto",
		cluster,
		clock,
		logger,
		onLost() {},
	});
	onTestFinished(() => discord.close());
	return discord;
}
