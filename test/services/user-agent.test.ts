/** Each request that leaves the process names this program, so that an operator of another service knows whom to ask. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { systemClock as clock } from "@atelier/common/clock";
import { checkClock } from "../../src/cli/doctor-check.ts";
import { checkDiscord } from "../../src/cli/doctor-discord.ts";
import { isRunning } from "../../src/cli/health-probe.ts";
import { createDownload } from "@atelier/common/download";
import { createHttpMediaApi } from "../../src/services/generation/http-media-api.ts";
import { createDiscord } from "../../src/discord/client.ts";
import { createDeliveryRest } from "../../src/discord/delivery-rest.ts";
import { openSingleProcessCoordinator } from "../fakes/single-process-coordinator.ts";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { createModerationHook } from "../../src/services/moderation/moderation-hook.ts";
import { createServiceClient } from "@atelier/studio/engines/http-client";
import { followSocket } from "@atelier/studio/engines/comfyui/follow-socket";
import { createInputFetcher } from "@atelier/studio/fetch-input";

const ATELIER_USER_AGENT = /^Atelier\/\d+\.\d+\.\d+$/;
const logger = pino({ level: "silent" });
const signal = AbortSignal.timeout(30_000);
const model = { model: "far-1", modelName: "Far", costCredits: 4, typicalSeconds: 10 };
const request = { ...model, prompt: "a boat", mediaType: "image", scene: "text-to-image", options: {} } as const;

interface OtherServer {
	readonly origin: string;
	readonly port: number;
}

/** Lets the product send a request to another HTTP server. Resolves to the user agent that this server received. */
async function userAgentOf(sendTo: (server: OtherServer) => unknown): Promise<string> {
	const server = createServer((_request, response) => response.writeHead(404).end());
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const received = Promise.withResolvers<string>();
	server.on("request", ({ headers }) => received.resolve(headers["user-agent"] ?? "none"));
	server.on("upgrade", ({ headers }, socket) => {
		received.resolve(headers["user-agent"] ?? "none");
		socket.destroy();
	});
	void Promise.try(() => sendTo({ origin: `http://127.0.0.1:${port}`, port })).catch(() => {});
	return await received.promise;
}

test.each<[string, (server: OtherServer) => unknown]>([
	[
		"the media service",
		({ origin: baseUrl }) =>
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
		({ origin: url }) =>
			createModerationHook({ url, apiKey: "key" }).reviewPrompt({ guildId: "1", userId: "2", request }),
	],
	[
		"the host of a result",
		({ origin }) => Array.fromAsync(createDownload({ clock, trustedOrigins: [origin] })(`${origin}/1.png`, signal)),
	],
	[
		"the host of an input",
		({ origin }) =>
			createInputFetcher({
				inputOrigins: () => [origin],
				ownFileOf: () => undefined,
				readOwnFile: async () => undefined,
				bytesMax: 10,
				timeoutMs: 5_000,
			})([`${origin}/1.png`], signal),
	],
	["an engine", ({ origin: url }) => createServiceClient({ url, timeoutMs: 5_000, clock }).json("/jobs", { signal })],
	[
		"an engine's socket",
		({ origin }) => {
			const stopping = new AbortController();
			onTestFinished(() => stopping.abort());
			followSocket({ url: origin.replace("http", "ws"), headers: {}, clock }, 1, () => {}, stopping.signal);
		},
	],
	["a host whose clock is compared", ({ origin }) => Array.fromAsync(checkClock("its", origin, clock))],
	["a process of this program", ({ port }) => isRunning({ HOST: "127.0.0.1", PORT: port })],
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
	expect(await userAgentOf(({ origin }) => sendTo(origin))).toMatch(
		/^DiscordBot \(https:\/\/\S+, [\d.]+\).* Atelier\/[\d.]+$/,
	);
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
