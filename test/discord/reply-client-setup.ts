import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { openHttpServer, type HttpHandler } from "@atelier/common/testing/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDeliveryRest } from "../../src/discord/delivery-rest.ts";
import { createDiscordReplyClient } from "../../src/discord/discord-reply-client.ts";
import { createFairSemaphore } from "../../src/services/delivery/fair-semaphore.ts";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import type { ReplyTarget } from "../../src/services/delivery/reply-target.ts";
import { contentOf } from "../fakes/file-content.ts";

export const MINUTE_MS = 60_000;
const APPLICATION = "1000000000000000003";
/** Old applications have another id than their bot. */
export const BOT_USER = "1000000000000000007";
export const BOT_TOKEN = "a-token-of-the-bot";
export const IMAGE = "bytes of an image";
export const answer: FinalReply = {
	taskId: "1000000000000000009",
	guildId: "1000000000000000008",
	recipientId: "1000000000000000007",
	text: "the whole answer",
	textWithoutPrompt: "without the prompt",
	direct: { text: "from over there:\nthe whole answer", textWithoutPrompt: "from over there:\nwithout the prompt" },
	buttons: [],
	tone: "success",
	moreLabel: "More",
	files: [{ name: "a.png", contentType: "image/png", description: "a boat", content: contentOf(IMAGE) }],
};

const never = new AbortController().signal;

/** The real reply client, against an HTTP server in place of Discord. */
export async function openReplyClient(respond: HttpHandler, change: Partial<ReplyTarget> = {}) {
	const origin = await openHttpServer(respond);
	const lost: string[] = [];
	const logger = pino({ level: "silent" });
	const rest = createDeliveryRest({
		apiUrl: `${origin}/api`,
		token: BOT_TOKEN,
		waitForGlobalLimit: async () => {},
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
		isEphemeral: false,
		isBotInGuild: true,
		attachmentBytesMax: 1024,
		...change,
	};
	const uploadSemaphore = createFairSemaphore(2 * IMAGE.length);
	const replyClient = createDiscordReplyClient({ rest, uploadSemaphore, botUserId: () => BOT_USER, clock, logger });
	return {
		replyClient,
		target,
		/** Takes all upload bytes. Resolves to the function that releases them. */
		takeUploads: () => uploadSemaphore.acquire(2 * IMAGE.length, "another", never),
		clock,
		lost,
		deliver: (reply = answer) => replyClient.deliver(target, reply, never),
		updateProgress: () =>
			replyClient.updateProgress(
				target,
				{
					taskId: answer.taskId,
					text: "half of it",
					textWithoutPrompt: "half",
					buttons: [{ action: "cancel", label: "Cancel" }],
				},
				never,
			),
	};
}

export interface Reaction {
	readonly status: number;
	readonly code?: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}
interface Call {
	readonly route: string;
	readonly body: string;
}

export const OPENED = { status: 200, body: { id: "1000000000000000006" } };
export const NOTHING_POSTED = { status: 200, body: [] };

/** A reply client against a server that responds to each call with the next of `reactions`, then with success. */
export async function openScriptedReplyClient(
	reactions: readonly (Reaction | "hangUp")[],
	change: Partial<ReplyTarget> = {},
) {
	const calls: Call[] = [];
	const remainingReactions = [...reactions];
	function answerNext(call: Call, response: ServerResponse): void {
		calls.push(call);
		const next = remainingReactions.shift();
		if (next === "hangUp") return void response.destroy();
		const { status, code = 0, body, headers = {} } = next ?? defaultReaction(call);
		if (status !== 204) response.setHeader("content-type", "application/json");
		response.writeHead(status, headers).end(JSON.stringify(body ?? { code, message: "rejected" }));
	}
	const opened = await openReplyClient((request, response) => {
		void text(request).then((body) => answerNext({ route: routeUsed(request), body }, response));
	}, change);
	const { replyClient, target } = opened;
	return {
		...opened,
		isVisible: () => replyClient.mayBeVisible(target, answer, never),
		resend: (files = answer.files) =>
			replyClient.resend(target, { text: "again", textWithoutPrompt: "no prompt", files }, never),
		calls,
		routes: () => calls.map(({ route }) => route),
	};
}

function defaultReaction({ route, body }: Call): Reaction {
	if (route === "readHistory") return NOTHING_POSTED;
	return route === "openDirectMessage" ? OPENED : { status: 200, body: messageOf(body) };
}

/** The message that Discord creates from a request, with its files. */
export function messageOf(body: string) {
	const attachments = [...body.matchAll(/; filename="([^"]+)"/g)].map(([, filename]) => ({ filename }));
	return { id: "1000000000000000005", content: "", author: { id: BOT_USER }, attachments };
}

function routeUsed({ method, url = "" }: IncomingMessage): string {
	if (url.includes("/webhooks/"))
		return method === "DELETE" ? "deleteReply" : method === "POST" ? "ephemeralFollowUp" : "tokenEdit";
	if (url.endsWith("/users/@me/channels")) return "openDirectMessage";
	if (method === "GET") return "readHistory";
	if (url.includes(`/channels/${OPENED.body.id}/`)) return "directMessage";
	return method === "PATCH" ? "botEdit" : "botPost";
}
