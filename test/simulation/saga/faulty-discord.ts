import type { REST } from "@discordjs/rest";
import { DiscordAPIError, HTTPError, MessageFlags } from "discord.js";
import { textsIn } from "../../../src/discord/message-contents.ts";
import type { ReplyTarget } from "../../../src/services/delivery/reply-client.ts";
import type { EventQueue } from "../event-queue.ts";
import type { ProcessState } from "../faulty-disk.ts";
import type { Random } from "../random.ts";
import type { FaultyCall } from "./faulty-call.ts";

/** A message as members see it. */
interface Message {
	readonly id: string;
	readonly channelId: string;
	readonly nonce: string | null;
	content: string;
	/** File names. */
	files: readonly string[];
	isDeleted: boolean;
	/** In components v2. */
	isCard: boolean;
	/** Visible to one member only. The bot cannot search for it, so it may exist twice after a lost response. */
	readonly isEphemeral: boolean;
	/** Its earlier contents. */
	readonly past: string[];
}

/** A user's action on the channel or the reply. */
export type Trouble = "none" | "reply deleted" | "bot without access" | "channel gone";

/** The part of Discord that delivers results: replies with a token that expires, channels and direct messages. */
export interface FaultyDiscord {
	restFor(processState: ProcessState): REST;
	/** Creates the deferred reply of a command. */
	reply(taskId: string, trouble: Trouble): ReplyTarget;
	/** The visible messages of a task. */
	visible(taskId: string): readonly Message[];
	isDeleted(messageId: string): boolean;
	/** The number of requests with an expired token, which Discord counts against the bot. */
	readonly expiredTokenUses: () => number;
}

interface DiscordDeps {
	readonly queue: EventQueue;
	readonly random: Random;
	readonly call: FaultyCall;
	readonly wallMs: () => number;
	/** Called before a changed message is visible. */
	readonly onShown: (taskId: string) => void;
	readonly saw: (what: string) => void;
}

interface Reply {
	readonly taskId: string;
	readonly message: Message;
	readonly target: ReplyTarget;
	readonly trouble: Trouble;
}

interface Asked {
	readonly body?: unknown;
	readonly signal?: AbortSignal;
}

interface Sent {
	readonly content?: string | null;
	readonly components?: unknown;
	readonly attachments?: readonly { readonly filename: string }[];
	readonly nonce?: string;
	readonly enforce_nonce?: boolean;
	readonly recipient_id?: string;
	readonly flags?: number;
}

const THINKING = "thinking";
const TOKEN_LIFE_MS = 15 * 60_000;
/** "The past few minutes", in Discord's words. */
const NONCE_MEMORY_MS = 3 * 60_000;

const faults = {
	notReached: () => new Error("simulated: socket closed"),
	timeout: () => new DOMException("simulated: no answer", "TimeoutError"),
	broken: () => new HTTPError(502, "simulated", "PATCH", "https://discord.test", { body: undefined, files: undefined }),
};

export function createFaultyDiscord({ queue, random, call, wallMs, onShown, saw }: DiscordDeps): FaultyDiscord {
	const replies = new Map<string, Reply>();
	const messages = new Map<string, Message>();
	const byNonce = new Map<string, { readonly message: Message; readonly atMs: number }>();
	let number = 0;
	let expiredTokenUses = 0;
	/** True if this Discord rejects cards with files. */
	const isWithoutCards = random.chance(0.2);
	const nextId = (): string => String(4_000_000_000_000_000_000n + BigInt(++number));

	function post(channelId: string, taskId: string, { attachments = [], nonce, flags = 0, ...sent }: Sent): Message {
		const message: Message = {
			id: nextId(),
			channelId,
			nonce: nonce ?? null,
			content: shownText(sent),
			files: attachments.map(({ filename }) => filename),
			isDeleted: false,
			isCard: isCard({ flags }),
			isEphemeral: (flags & MessageFlags.Ephemeral) !== 0,
			past: [],
		};
		messages.set(message.id, message);
		onShown(taskId);
		return message;
	}

	function edit(message: Message, taskId: string, { attachments = [], ...sent }: Sent): Message {
		if (message.isDeleted) throw refusal(404, 10_008);
		// A card never becomes a classic message again.
		if (message.isCard && !isCard(sent)) throw refusal(400, 50_035);
		message.isCard = isCard(sent);
		message.past.push(message.content);
		message.content = shownText(sent);
		message.files = attachments.map(({ filename }) => filename);
		onShown(taskId);
		return message;
	}

	function replyIn(channelId: string): Reply {
		const reply = [...replies.values()].find(({ target }) => target.channelId === channelId);
		if (!reply) throw refusal(404, 10_003);
		return reply;
	}

	/** The current reply. */
	function shownOf({ message, target }: Reply): unknown {
		if (message.isDeleted) throw refusal(404, 10_008);
		return posted(message, target);
	}

	/** Access of the bot itself to a channel. */
	function asBot(channelId: string): Reply {
		const reply = replyIn(channelId);
		if (reply.trouble === "bot without access") throw refusal(403, 50_001);
		if (reply.trouble === "channel gone") throw refusal(404, 10_003);
		return reply;
	}

	/** `isFair` where the time since the request was sent went by without a jump, so that its sender could foresee it. */
	function handle(method: string, route: string, sent: Sent, isFair: boolean): unknown {
		const parts = route.split("?")[0]?.split("/").slice(1) ?? [];
		const [kind, id = "", third = "", messageId] = parts;
		if (isWithoutCards && isCard(sent) && (sent.attachments ?? []).length > 0) {
			saw("card rejected");
			throw refusal(400, 50_035);
		}
		if (kind === "webhooks") {
			const reply = [...replies.values()].find(({ target }) => target.token === third);
			if (!reply || reply.trouble === "channel gone") throw refusal(404, 10_015);
			if (wallMs() >= reply.target.tokenExpiresAtMs) {
				if (isFair) expiredTokenUses += 1;
				throw refusal(401, 50_027);
			}
			switch (method) {
				case "GET":
					return shownOf(reply);
				case "DELETE":
					if (reply.message.isDeleted) throw refusal(404, 10_008);
					reply.message.isDeleted = true;
					return undefined;
				case "POST":
					return post(reply.target.channelId, reply.taskId, sent);
				default:
					return edit(reply.message, reply.taskId, sent);
			}
		}
		if (kind === "users") return { id: `dm-${sent.recipient_id}` };
		if (kind !== "channels") throw new Error(`simulated Discord has no ${method} ${route}`);
		if (id.startsWith("dm-")) throw refusal(403, 50_007);
		const reply = asBot(id);
		if (method === "GET" && messageId !== undefined) return shownOf(reply);
		if (method === "GET")
			return [...messages.values()]
				.filter(({ channelId, isDeleted, isEphemeral }) => channelId === id && !isDeleted && !isEphemeral)
				.map((message) => posted(message, reply.target));
		if (messageId !== undefined) return edit(messages.get(messageId) ?? reply.message, reply.taskId, sent);
		const known = sent.nonce === undefined ? undefined : byNonce.get(sent.nonce);
		if (known && sent.enforce_nonce && wallMs() - known.atMs < NONCE_MEMORY_MS) return known.message;
		const message = post(id, reply.taskId, sent);
		if (sent.nonce !== undefined) byNonce.set(sent.nonce, { message, atMs: wallMs() });
		return message;
	}

	/** Reads a streamed body. The connection may break meanwhile, and Discord does not act on an incomplete request. */
	async function whole(
		coming: AsyncIterable<Uint8Array>,
		processState: ProcessState,
		signal?: AbortSignal,
	): Promise<Uint8Array> {
		saw("streaming upload");
		const chunks: Uint8Array[] = [];
		const { promise: isOver, reject } = Promise.withResolvers<never>();
		signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
		if (random.chance(0.2)) queue.plan(random.between(0, 2000), () => processState.dead || reject(faults.notReached()));
		const read = async (): Promise<void> => {
			for await (const chunk of coming) chunks.push(chunk);
		};
		await Promise.race([read(), isOver]);
		saw("streaming upload completed");
		return Buffer.concat(chunks);
	}

	function restFor(processState: ProcessState): REST {
		const send =
			(method: string) =>
			async (route: string, { body: given = {}, signal }: Asked = {}): Promise<unknown> => {
				const body = isComing(given) ? await whole(given, processState, signal) : given;
				const jumpedMs = wallMs() - queue.nowMs;
				const isFair = (): boolean => wallMs() - queue.nowMs === jumpedMs;
				return call(processState, () => handle(method, route, sentIn(body), isFair()), faults, signal);
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
		reply(taskId, trouble) {
			const channelId = `channel-${taskId}`;
			const message: Message = {
				id: nextId(),
				channelId,
				nonce: null,
				content: THINKING,
				files: [],
				isDeleted: false,
				isCard: false,
				isEphemeral: false,
				past: [],
			};
			const target: ReplyTarget = {
				applicationId: "1",
				token: `token-${taskId}`,
				tokenExpiresAtMs: wallMs() + TOKEN_LIFE_MS,
				channelId,
				messageId: message.id,
				ephemeral: false,
				botInGuild: trouble !== "bot without access",
				attachmentBytesMax: 1024 * 1024,
			};
			messages.set(message.id, message);
			replies.set(taskId, { taskId, message, target, trouble });
			if (trouble === "reply deleted") queue.plan(random.between(0, 60_000), () => (message.isDeleted = true));
			return target;
		},
		visible(taskId) {
			const channelId = replies.get(taskId)?.target.channelId;
			return [...messages.values()].filter(
				(message) => message.channelId === channelId && !message.isDeleted && message.content !== THINKING,
			);
		},
		isDeleted: (messageId) => messages.get(messageId)?.isDeleted ?? true,
		expiredTokenUses: () => expiredTokenUses,
	};
}

function isComing(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function isCard({ flags = 0 }: Pick<Sent, "flags">): boolean {
	return (flags & MessageFlags.IsComponentsV2) !== 0;
}

function shownText({ content, components }: Sent): string {
	return content ?? textsIn(components).join("\n");
}

function posted({ id, content, files }: Message, { applicationId }: ReplyTarget) {
	return { id, content, author: { id: applicationId }, attachments: files.map((filename) => ({ filename })) };
}

/** A body with files is a form, with the rest of it in its last part. */
function sentIn(body: unknown): Sent {
	if (!(body instanceof Uint8Array)) return body as Sent;
	const [, payload = ""] = /name="payload_json"\r\n\r\n(.*)\r\n--/s.exec(Buffer.from(body).toString("latin1")) ?? [];
	return JSON.parse(Buffer.from(payload, "latin1").toString()) as Sent;
}

function refusal(status: number, code: number): DiscordAPIError {
	const raw = { code, message: "simulated" };
	return new DiscordAPIError(raw, code, status, "PATCH", "https://discord.test", { body: undefined, files: undefined });
}
