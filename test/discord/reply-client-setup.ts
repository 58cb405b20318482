import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDeliveryRest } from "../../src/discord/delivery-rest.ts";
import { createDiscordReplyClient } from "../../src/discord/discord-reply-client.ts";
import { createByteSemaphore } from "../../src/services/delivery/byte-semaphore.ts";
import type { FinalReply, ReplyTarget } from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";

export const MINUTE_MS = 60_000;
export const APPLICATION = "1000000000000000003";
export const BOT_TOKEN = "a-token-of-the-bot";
export const IMAGE = "bytes of an image";
export const answer: FinalReply = {
	taskId: "1000000000000000009",
	recipientId: "1000000000000000007",
	text: "the whole answer",
	textWithoutPrompt: "without the prompt",
	direct: { text: "from over there:\nthe whole answer", textWithoutPrompt: "from over there:\nwithout the prompt" },
	buttons: [],
	tone: "success",
	moreLabel: "More",
	files: [{ name: "a.png", contentType: "image/png", description: "a boat", content: contentOf(IMAGE) }],
};

const timeout = (): AbortSignal => AbortSignal.timeout(5_000);

/** The real reply client, against an HTTP server in place of Discord. */
export async function openReplyClient(respond: RequestListener, change: Partial<ReplyTarget> = {}) {
	const server = createServer(respond);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const lost: string[] = [];
	const logger = pino({ level: "silent" });
	const rest = createDeliveryRest({
		apiUrl: `http://127.0.0.1:${port}/api`,
		token: BOT_TOKEN,
		globalRateLimit: { wait: async () => {} },
		logger,
		onLost: (reason) => void lost.push(reason),
	});
	const clock = createManualClock();
	const target: ReplyTarget = {
		applicationId: APPLICATION,
		token: "secret-token",
		tokenExpiresAtMs: clock.nowMs() + 15 * MINUTE_MS,
		channelId: "1000000000000000004",
		messageId: "1000000000000000005",
		ephemeral: false,
		botInGuild: true,
		attachmentBytesMax: 1024,
		...change,
	};
	const uploadSemaphore = createByteSemaphore(2 * IMAGE.length);
	const replyClient = createDiscordReplyClient({ rest, uploadSemaphore, clock, logger });
	return {
		replyClient,
		target,
		uploadSemaphore,
		/** Takes all upload bytes. Resolves to the function that releases them. */
		takeUploads: () => uploadSemaphore.acquire(2 * IMAGE.length, timeout()),
		clock,
		lost,
		deliver: (reply = answer) => replyClient.deliver(target, reply, timeout()),
		notify: () => replyClient.editText(target, "news", timeout()),
		updateProgress: () =>
			replyClient.updateProgress(
				target,
				{
					taskId: answer.taskId,
					text: "half of it",
					textWithoutPrompt: "half",
					buttons: [{ action: "cancel", label: "Cancel" }],
				},
				timeout(),
			),
	};
}
