import { DiscordAPIError, HTTPError, MessageFlags, type REST } from "discord.js";
import { textsIn } from "../../../src/discord/message-contents.ts";
import type { ReplyTarget } from "../../../src/services/delivery/reply-target.ts";
import { submission } from "../../fakes/submission.ts";
import type { EventQueue } from "../event-queue.ts";
import type { ProcessState } from "../faulty-disk.ts";
import type { Random } from "../random.ts";
import type { FaultyCall } from "./faulty-call.ts";

/** A message as members see it. */
interface Message {
	readonly id: string;
	readonly channelId: string;
	content: string;
	/** File names. */
	files: readonly string[];
	isDeleted: boolean;
	/** True for a message in components v2, false for a classic message. */
	isCard: boolean;
	/** Visible to one member only. The bot cannot search for it, so it may exist twice after a lost response. */
	readonly isEphemeral: boolean;
}

/** An obstacle to the delivery: a user deletes the reply or the channel, or the bot has no access. */
export type DeliveryObstacle = "none" | "reply deleted" | "bot without access" | "channel gone";

interface DiscordDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly call: FaultyCall;
	readonly wallMs: () => number;
	/** Called before a changed message is visible. */
	readonly onVisibleChange: (taskId: string) => void;
	/** Called for a request with a token that the bot could know to be expired; Discord counts these against the bot. */
	readonly onExpiredToken: () => void;
	readonly countEvent: (what: string) => void;
}

interface Reply {
	readonly taskId: string;
	readonly message: Message;
	readonly target: ReplyTarget;
	readonly obstacle: DeliveryObstacle;
}

interface RequestOptions {
	readonly body?: unknown;
	readonly signal?: AbortSignal;
}

interface SentMessage {
	readonly content?: string | null;
	readonly components?: unknown;
	readonly attachments?: readonly { readonly filename: string }[];
	readonly nonce?: string;
	readonly enforce_nonce?: boolean;
	readonly flags?: number;
}

export const BOT_USER_ID = "1000000000000000007";
const THINKING = "thinking";
/** The channel of direct messages, which no member accepts. */
const DIRECT_CHANNEL = "9000000000000000001";
const TOKEN_LIFE_MS = 15 * 60_000;
/** The time in which Discord recognizes a nonce: "the past few minutes", in its documentation. */
const NONCE_MEMORY_MS = 3 * 60_000;

const faults = {
	unreachable: () => new Error("simulated: socket closed"),
	timeout: () => new DOMException("simulated: no answer", "TimeoutError"),
	serverError: () =>
		new HTTPError(502, "simulated", "PATCH", "https://discord.test", { body: undefined, files: undefined }),
};

export type FaultyDiscord = ReturnType<typeof createFaultyDiscord>;

/** Creates the part of Discord that delivers results: replies with a token that expires, channels and direct messages. */
export function createFaultyDiscord({
	queue,
	random,
	call,
	wallMs,
	onVisibleChange,
	onExpiredToken,
	countEvent,
}: DiscordDeps) {
	const replies = new Map<string, Reply>();
	const messages = new Map<string, Message>();
	const byNonce = new Map<string, { readonly message: Message; readonly atMs: number }>();
	/** True if this Discord rejects cards with files. */
	const rejectsCardsWithFiles = random.chance(0.2);

	function addMessage(channelId: string, change: Partial<Message>): Message {
		const message: Message = {
			id: String(4_000_000_000_000_000_000n + BigInt(messages.size)),
			channelId,
			content: THINKING,
			files: [],
			isDeleted: false,
			isCard: false,
			isEphemeral: false,
			...change,
		};
		messages.set(message.id, message);
		return message;
	}

	function post(channelId: string, taskId: string, { attachments = [], flags = 0, ...sent }: SentMessage): Message {
		const message = addMessage(channelId, {
			content: textOf(sent),
			files: attachments.map(({ filename }) => filename),
			isCard: isCard({ flags }),
			isEphemeral: (flags & MessageFlags.Ephemeral) !== 0,
		});
		onVisibleChange(taskId);
		return message;
	}

	function edit(message: Message, taskId: string, { attachments = [], ...sent }: SentMessage): Message {
		if (message.isDeleted) throw apiError(404, 10_008);
		// A card never becomes a classic message again.
		if (message.isCard && !isCard(sent)) throw apiError(400, 50_035);
		message.isCard = isCard(sent);
		message.content = textOf(sent);
		message.files = attachments.map(({ filename }) => filename);
		onVisibleChange(taskId);
		return message;
	}

	function replyIn(channelId: string): Reply {
		const reply = [...replies.values()].find(({ target }) => target.channelId === channelId);
		if (!reply) throw apiError(404, 10_003);
		return reply;
	}

	/** Returns the reply as the API sends it. */
	function readReply({ message }: Reply): unknown {
		if (message.isDeleted) throw apiError(404, 10_008);
		return asApiMessage(message);
	}

	/** Returns the reply in a channel, if the bot itself may access the channel. */
	function replyAccessibleToBot(channelId: string): Reply {
		const reply = replyIn(channelId);
		if (reply.obstacle === "bot without access") throw apiError(403, 50_001);
		if (reply.obstacle === "channel gone") throw apiError(404, 10_003);
		return reply;
	}

	/** `isFair`: the clock did not jump since the request was sent, so the sender could know that its token had expired. */
	function handle(method: string, route: string, sent: SentMessage, isFair: boolean): unknown {
		const parts = route.split("?")[0]?.split("/").slice(1) ?? [];
		const [kind, id = "", third = "", messageId] = parts;
		if (rejectsCardsWithFiles && isCard(sent) && (sent.attachments ?? []).length > 0) {
			countEvent("card rejected");
			throw apiError(400, 50_035);
		}
		if (kind === "webhooks") {
			const reply = [...replies.values()].find(({ target }) => target.token === third);
			if (!reply || reply.obstacle === "channel gone") throw apiError(404, 10_015);
			if (wallMs() >= reply.target.tokenExpiresAtMs) {
				if (isFair) onExpiredToken();
				throw apiError(401, 50_027);
			}
			switch (method) {
				case "GET":
					return readReply(reply);
				case "DELETE":
					if (reply.message.isDeleted) throw apiError(404, 10_008);
					reply.message.isDeleted = true;
					return undefined;
				case "POST":
					return asApiMessage(post(reply.target.channelId, reply.taskId, sent));
				default:
					return asApiMessage(edit(reply.message, reply.taskId, sent));
			}
		}
		if (kind === "users") return { id: DIRECT_CHANNEL };
		if (kind !== "channels") throw new Error(`simulated Discord has no ${method} ${route}`);
		if (id === DIRECT_CHANNEL) throw apiError(403, 50_007);
		const reply = replyAccessibleToBot(id);
		if (method === "GET" && messageId !== undefined) return readReply(reply);
		if (method === "GET")
			return [...messages.values()]
				.filter(({ channelId, isDeleted, isEphemeral }) => channelId === id && !isDeleted && !isEphemeral)
				.map((message) => asApiMessage(message));
		if (messageId !== undefined)
			return asApiMessage(edit(messages.get(messageId) ?? reply.message, reply.taskId, sent));
		const earlier = sent.nonce === undefined ? undefined : byNonce.get(sent.nonce);
		if (earlier && sent.enforce_nonce && wallMs() - earlier.atMs < NONCE_MEMORY_MS)
			return asApiMessage(earlier.message);
		const message = post(id, reply.taskId, sent);
		if (sent.nonce !== undefined) byNonce.set(sent.nonce, { message, atMs: wallMs() });
		return asApiMessage(message);
	}

	/** Reads a streamed body. The connection may break meanwhile, and Discord does not act on an incomplete request. */
	async function readStream(
		stream: AsyncIterable<Uint8Array>,
		processState: ProcessState,
		signal?: AbortSignal,
	): Promise<Uint8Array> {
		countEvent("streaming upload");
		const chunks: Uint8Array[] = [];
		const { promise: isBroken, reject } = Promise.withResolvers<never>();
		signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
		if (random.chance(0.2))
			queue.plan(random.between(0, 2000), () => processState.isDead || reject(faults.unreachable()));
		const read = async (): Promise<void> => {
			for await (const chunk of stream) chunks.push(chunk);
		};
		await Promise.race([read(), isBroken]);
		countEvent("streaming upload completed");
		return Buffer.concat(chunks);
	}

	function restFor(processState: ProcessState): REST {
		const send =
			(method: string) =>
			async (route: string, { body: requestBody = {}, signal }: RequestOptions = {}): Promise<unknown> => {
				const body = isStream(requestBody) ? await readStream(requestBody, processState, signal) : requestBody;
				const offsetMs = wallMs() - queue.nowMs;
				const isFair = (): boolean => wallMs() - queue.nowMs === offsetMs;
				return call(processState, () => handle(method, route, parseBody(body), isFair()), faults, signal);
			};
		const rest = {
			get: send("GET"),
			patch: send("PATCH"),
			post: send("POST"),
			put: send("PUT"),
			delete: send("DELETE"),
		};
		return rest as unknown as REST;
	}

	return {
		restFor,
		/** Creates the deferred reply of a command. */
		reply(taskId: string, obstacle: DeliveryObstacle): ReplyTarget {
			const channelId = `channel-${taskId}`;
			const message = addMessage(channelId, {});
			const target: ReplyTarget = {
				...submission.reply,
				token: `token-${taskId}`,
				tokenExpiresAtMs: wallMs() + TOKEN_LIFE_MS,
				channelId,
				messageId: message.id,
				isBotInGuild: obstacle !== "bot without access",
			};
			replies.set(taskId, { taskId, message, target, obstacle });
			if (obstacle === "reply deleted") queue.plan(random.between(0, 60_000), () => (message.isDeleted = true));
			return target;
		},
		/** Returns the visible messages of a task. */
		visible(taskId: string): readonly Message[] {
			const channelId = replies.get(taskId)?.target.channelId;
			return [...messages.values()].filter(
				(message) => message.channelId === channelId && !message.isDeleted && message.content !== THINKING,
			);
		},
		isDeleted: (messageId: string): boolean => messages.get(messageId)?.isDeleted ?? true,
	};
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function isCard({ flags = 0 }: Pick<SentMessage, "flags">): boolean {
	return (flags & MessageFlags.IsComponentsV2) !== 0;
}

function textOf({ content, components }: SentMessage): string {
	return content ?? textsIn(components).join("\n");
}

function asApiMessage({ id, content, files }: Message) {
	return { id, content, author: { id: BOT_USER_ID }, attachments: files.map((filename) => ({ filename })) };
}

/** A body with files is a form, with the rest of it in its last part. */
function parseBody(body: unknown): SentMessage {
	if (!(body instanceof Uint8Array)) return body as SentMessage;
	const [, payload = ""] = /name="payload_json"\r\n\r\n(.*)\r\n--/s.exec(Buffer.from(body).toString("latin1")) ?? [];
	return JSON.parse(Buffer.from(payload, "latin1").toString()) as SentMessage;
}

function apiError(status: number, code: number): DiscordAPIError {
	const raw = { code, message: "simulated" };
	return new DiscordAPIError(raw, code, status, "PATCH", "https://discord.test", { body: undefined, files: undefined });
}
